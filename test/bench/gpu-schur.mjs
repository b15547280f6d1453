/**
 * Products with the implicit Schur complement of structural pivots on a GPU, beside products with the whole matrix
 * there and beside the same Schur complement on the threads.
 *
 *   npm run bench -- gpu-schur [--family 'mk 13 5']… [--mod P] [--width N] [--threads N]
 *
 * By the host's clock, the best of 5 turns of 20 products each, which the three take one after another. The product on
 * the GPU is compared with that on the threads. One JSON line a matrix.
 */
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const ours = (file) => import(new URL(file, DIST).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { GpuDevice } = await ours('kernels/gpu/device.js');
const { GpuExecutor } = await ours('kernels/executors/gpu.js');
const { CpuExecutor } = await ours('kernels/executors/cpu.js');
const { SparseMatrix } = await ours('kernels/sparse/sparse-matrix.js');
const { generate } = await ours('data/families.js');
const { estimatesOver } = await ours('algorithms/methods/costs.js');
const { presolve } = await ours('algorithms/presolve/presolve.js');
const { SchurComplement } = await ours('algorithms/schur/schur-complement.js');

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    family: { type: 'string', multiple: true, default: ['mk 13 5', 'trefethen 20000', 'geometric 32768 13 1'] },
    mod: { type: 'string', default: '65521' },
    width: { type: 'string', default: '16' },
    threads: { type: 'string', default: String(Math.min(16, cpus().length)) },
  },
});
const [p, width, threads] = [options.mod, options.width, options.threads].map(Number);
const TURNS = 5;
const PRODUCTS = 20;

const field = WordPrime.of(p);
const device = await GpuDevice.open();
for (const family of options.family) {
  const [name, ...sizes] = family.split(' ');
  const { rows, cols, ...triplets } = generate(name, sizes);
  const { a, at, pivots } = presolve(
    field,
    SparseMatrix.fromTriplets(rows, cols, triplets).residues(p),
    estimatesOver(field),
  );
  const gpu = new GpuExecutor(field, device);
  const cpu = await CpuExecutor.create(field, { threads });
  await cpu.team.waitForThreads();
  const work = {
    gpu: vectorsOf(gpu, new SchurComplement(gpu, a, at, pivots)),
    whole: vectorsOf(gpu, gpu.operator(a, { use: 'apply' })),
    cpu: vectorsOf(cpu, new SchurComplement(cpu, a, at, pivots)),
  };
  const [got, expected] = await Promise.all([work.gpu, work.cpu].map((those) => those.product().then(those.read)));
  if (!got.every((value, k) => value === expected[k]))
    throw new Error(`${family}: the GPU's product differs from the threads'`);
  const ms = {};
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [which, { product, end }] of Object.entries(work)) {
      await product();
      await end();
      const start = performance.now();
      for (let i = 0; i < PRODUCTS; i++) await product();
      await end();
      ms[which] = Math.min(ms[which] ?? Number.POSITIVE_INFINITY, (performance.now() - start) / PRODUCTS);
    }
  }
  for (const which of Object.keys(ms)) ms[which] = Number(ms[which].toPrecision(3));
  const left = [a.rows, a.cols].map((lines) => lines - pivots.rows.length);
  const levels = pivots.depths.length - 1;
  report({
    bench: 'gpu-schur',
    family,
    mod: p,
    width,
    levels,
    left,
    entries: a.colIdx.length,
    ms,
    threads,
    adapter: device.name,
  });
  gpu.dispose();
  cpu.dispose();
}
device.dispose();

/** `end` waits for the products; `read` has the last one's residues. */
function vectorsOf(executor, operator) {
  const [x, y] = [executor.vector(operator.cols, width), executor.vector(operator.rows, width)];
  executor.write(
    x,
    Uint32Array.from({ length: operator.cols * width }, (_, i) => (i * 7919) % p),
  );
  const last = executor.blocks(1, 1, 1);
  return {
    product: async () => operator.apply(y, x),
    end: () => executor.readBlocks(last, 0, 1),
    read: () => executor.read(y),
  };
}
