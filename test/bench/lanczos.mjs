/**
 * Block Lanczos: the kernels of its step, in this process, and whole systems beside block Wiedemann.
 *
 *   npm run bench -- lanczos [--threads N] [--rounds N] [--mod P]
 *
 *   product : B·V = Eᵀ·Aᵀ·D·A·E·V     dot : VᵀZ, ZᵀZ and VᵀC     axpy : two n × n and one n × s update     s = 1
 *
 * The kernels are least milliseconds of a step. Each system is solved for the X that its right side was made of by both
 * methods in turn, and compared with it; seconds are the least of the rounds. One JSON line a matrix.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { generated, runContext } from './in-process.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);

const MATRICES = [
  { name: 'Trefethen_2000', family: 'trefethen', words: [2000] },
  { name: 'random', family: 'random', words: [10000, 10000, 20, 65521, 1] },
];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    mod: { type: 'string', default: '65521' },
  },
});
const [threads, rounds, mod] = [options.threads, options.rounds, options.mod].map(Number);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ solve }, { multiply }, { NormalOperator }, { lanczosWidth }, { WorkingField }] = await Promise.all(
  [
    'algorithms/solve.js',
    'algorithms/factor/products.js',
    'algorithms/lanczos/normal-operator.js',
    'algorithms/lanczos/attempt.js',
    'algorithms/block-wiedemann/working-field.js',
  ].map((path) => import(new URL(path, DIST).href)),
);

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
for (const { name, family, words } of MATRICES) {
  const context = await runContext(mod, threads);
  const a = generated(family, words).residues(mod);
  const x = Uint32Array.from({ length: a.cols }, (_, i) => ((i + 1) * 48271) % mod);
  const b = multiply(context.executor.field, a, x, 1);
  const seconds = {};
  for (let round = 0; round < rounds; round++) {
    for (const method of ['lanczos', 'wiedemann']) {
      const start = performance.now();
      const { solution, reason } = await solve(context, a, b, 1, { method });
      const wall = (performance.now() - start) / 1000;
      if (solution === null || solution.some((value, i) => value !== x[i]))
        throw new Error(`${name}, ${method}: expected the X that was chosen, got ${reason ?? 'another'}`);
      seconds[method] = Math.min(seconds[method] ?? Number.POSITIVE_INFINITY, wall);
    }
  }
  report({ bench: 'lanczos', matrix: name, mod, threads, ...(await kernelTimes(context.executor, a)), seconds });
  context.executor.dispose();
}
clearInterval(awake);

/** Milliseconds of the parts of a step. */
async function kernelTimes(executor, matrix) {
  const working = new WorkingField(executor, 'column');
  const { k } = working;
  const n = lanczosWidth(matrix.cols, working);
  const a = executor.operator(matrix);
  const normal = new NormalOperator(executor, a, working, 1n);
  const [v, z] = [0, 1].map(() => executor.vector(matrix.cols, k * n));
  const [c, w] = [0, 1].map(() => executor.vector(matrix.cols, k));
  const [square, right] = [executor.blocks(2, k * n, k * n), executor.blocks(1, k * n, k)];
  const [wide, narrow] = [new Uint32Array((k * n) ** 2).fill(1), new Uint32Array(k * n * k).fill(1)];
  executor.fill(v, 1);
  executor.fill(c, 1);
  const product = await leastMs(() => normal.apply(z, v));
  const dot = await leastMs(() => {
    executor.blockDot(square, 0, v, z);
    executor.blockDot(square, 1, z, z);
    executor.blockDot(right, 0, v, c);
  });
  const axpy = await leastMs(() => {
    executor.blockAxpy(z, v, wide);
    executor.blockAxpy(z, v, wide);
    executor.blockAxpy(w, v, narrow);
  });
  return { width: n, ms: { product, dot, axpy } };
}

async function leastMs(work) {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 20; run++) {
    const start = performance.now();
    await work();
    least = Math.min(least, performance.now() - start);
  }
  return Number(least.toPrecision(3));
}
