/**
 * Reading speed in MB/s of uncompressed text: SMS plain and gzipped, MatrixMarket coordinate. Works on dist/.
 *
 *   npm run bench -- read [entries]      one JSON line a case: best and median of interleaved rounds
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { report } from './report.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { readMatrix } = await import(new URL('src/io/read-matrix.js', dist).href);
const { writeMatrixMarket, writeSms } = await import(new URL('src/io/write-matrix.js', dist).href);
const { generate } = await import(new URL('data/families.js', dist).href);
const { SparseMatrix } = await import(new URL('kernels/sparse/sparse-matrix.js', dist).href);

const ROUNDS = 5;
const PER_ROW = 20;
const rows = Math.ceil(Number(process.argv[3] ?? 4e6) / PER_ROW);
const triplets = generate('random', [rows, rows, PER_ROW, 65521, 1]);
const matrix = SparseMatrix.fromTriplets(rows, rows, triplets);
const sms = Buffer.concat([...writeSms(matrix)]);
const texts = { sms, 'sms.gz': gzipSync(sms, { level: 6 }), mtx: Buffer.concat([...writeMatrixMarket(matrix)]) };
const textBytes = { sms: sms.length, 'sms.gz': sms.length, mtx: texts.mtx.length };

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-read-'));
const seconds = Object.fromEntries(Object.keys(texts).map((kind) => [kind, []]));
try {
  for (const [kind, bytes] of Object.entries(texts)) writeFileSync(join(folder, `matrix.${kind}`), bytes);
  // One round unmeasured: checked, and warm.
  for (let round = -1; round < ROUNDS; round++) {
    for (const kind of Object.keys(texts)) {
      const start = performance.now();
      const got = await readMatrix(join(folder, `matrix.${kind}`));
      const time = (performance.now() - start) / 1000;
      if (round >= 0) seconds[kind].push(time);
      else if (Buffer.compare(Buffer.from(got.values.buffer), Buffer.from(matrix.values.buffer)) !== 0) {
        throw new Error(`${kind}: what was read differs from what was written`);
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}

for (const [kind, times] of Object.entries(seconds)) {
  times.sort((a, b) => a - b);
  const rate = (time) => Math.round(textBytes[kind] / time / 1e6);
  const size = { entries: matrix.nnz, bytes: textBytes[kind] };
  report({ bench: 'read', kind, ...size, medianMBs: rate(times[ROUNDS >> 1]), bestMBs: rate(times[0]) });
}
