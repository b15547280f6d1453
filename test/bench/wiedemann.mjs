/**
 * Ranks of generated matrices by block Wiedemann alone, in this process: no pivots, no start, no reading.
 *
 *   npm run bench -- wiedemann [--matrix NAME]... [--mod P]... [--threads N] [--rounds N]
 *
 * Each rank is checked against the known one. `cpuSeconds` is the processor time of all threads: on a machine that
 * others use too it says more than the wall time, which `seconds` has by phase. `product` is one A·X with the run's own
 * block, beside what its indices and vectors would take to be copied once: `floorMs`, at the rate of a copy of 64 MB.
 * Minima; one JSON line a matrix and prime.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { generated, runContext } from './in-process.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string', multiple: true, default: ['bibd_81_3', 'ch7-7-b3', 'ch7-7-b4'] },
    mod: { type: 'string', multiple: true, default: ['2', '3', '5', '7', '65521'] },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
  },
});
const [threads, rounds] = [Number(options.threads), Number(options.rounds)];
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ rankOfMatrix }, { overBlockField, WorkingField }, { KNOWN_RANKS }] = await Promise.all(
  ['algorithms/block-wiedemann/rank.js', 'algorithms/block-wiedemann/working-field.js', 'data/known-ranks.js'].map(
    (path) => import(new URL(path, DIST).href),
  ),
);

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
for (const name of options.matrix) {
  const known = KNOWN_RANKS.find(({ instance }) => instance === name);
  if (!known) throw new Error(`--matrix: expected one of the known ranks, got ${name}`);
  const matrix = generated(known.family, known.args);
  for (const p of options.mod.map(Number)) {
    const context = await runContext(p, threads);
    const residues = matrix.residues(p);
    let best = { cpuSeconds: Number.POSITIVE_INFINITY };
    for (let round = 0; round < rounds; round++) {
      const used = process.cpuUsage();
      const { rank, upperBound, block, extensionDegree, seconds } = await rankOfMatrix(context, residues);
      const { user, system } = process.cpuUsage(used);
      const expected = known.exceptions[p] ?? known.rank;
      if (rank !== expected || upperBound !== expected) throw new Error(`${name} mod ${p}: ${rank}, not ${expected}`);
      const cpuSeconds = (user + system) / 1e6;
      if (cpuSeconds < best.cpuSeconds) best = { cpuSeconds, seconds, block: [block.m, block.n], extensionDegree };
    }
    const product = await productTime(context, residues, best.block[1]);
    report({ bench: 'wiedemann', instance: name, p, threads, ...best, product });
    context.executor.dispose();
  }
}
clearInterval(awake);

/** One product with n columns over the block field: milliseconds, and those of its bytes copied once. */
function productTime(context, residues, n) {
  return overBlockField(context, async ({ executor }) => {
    const { k, q } = new WorkingField(executor, 'block');
    const a = executor.operator(residues, { use: 'apply' });
    const [x, y] = [executor.vector(a.cols, k * n), executor.vector(a.rows, k * n)];
    executor.random(x, 1n, 0);
    const ms = leastMs(() => a.apply(y, x));
    const bytesANumber = executor.extension ? 1 : executor.field.p < 2 ** 16 ? 2 : 4;
    const bytes = 4 * (residues.colIdx.length + residues.rows) + (a.cols + a.rows) * k * n * bytesANumber;
    const [from, to] = [new Uint8Array(2 ** 26).fill(1), new Uint8Array(2 ** 26)];
    const floorMs = (leastMs(() => to.set(from)) * bytes) / 2 ** 26;
    return { q, ms: Number(ms.toPrecision(3)), floorMs: Number(floorMs.toPrecision(3)) };
  });
}

function leastMs(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 20; run++) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return least;
}
