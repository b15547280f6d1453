/** The page of the browser test: bundled, it answers a rank and tells the server what came of it. */
import { rank, SparseMatrix } from '../../dist/src/index.js';

// n x n, 1 on the diagonal and 1 above it, the last k rows repeated: rank n - k.
const [n, k] = [400, 7];
const entries = [];
for (let i = 0; i < n; i++) {
  const row = i < n - k ? i : i - k;
  entries.push([i, row, 1], [i, (row + 1) % n, 1]);
}

let ticks = 0;
setInterval(() => ticks++, 5);
const query = new URLSearchParams(location.search);
const report = { isolated: crossOriginIsolated };
try {
  const matrix = SparseMatrix.fromTriplets(n, n, entries);
  // Elimination would answer before the threads have anything to do.
  const device = query.has('gpu') ? 'gpu' : 'cpu';
  const outcome = await rank(matrix, { mod: 65521, threads: 2, seed: 3, method: 'wiedemann', device });
  const text = new Blob(['2 2 M\n1 1 1\n2 2 1\n0 0 0\n']);
  const fromText = await rank(text, { mod: 7 });
  const { value, kind, threads, adapter } = outcome;
  Object.assign(report, { value, kind, threads, device: outcome.device, adapter, fromText: fromText.value, ticks });
} catch (error) {
  report.error = `${error.name}: ${error.message}`;
}
await fetch(query.get('report'), { method: 'POST', mode: 'no-cors', body: JSON.stringify(report) });
