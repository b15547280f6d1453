/**
 * A long job with collections forced all along, on the main thread and then in a worker: Dawn's own object must not be
 * among what is collected. Run with --expose-gc; prints whether the products are those of the reference executor.
 */
import { isMainThread, Worker } from 'node:worker_threads';
import { generate } from '../../../dist/data/families.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { GpuExecutor } from '../../../dist/kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../dist/kernels/executors/reference.js';
import { SparseMatrix } from '../../../dist/kernels/sparse/sparse-matrix.js';

const PRODUCTS = 400;
const field = WordPrime.of(65521);
const made = generate('trefethen', ['100']);
const matrix = SparseMatrix.fromTriplets(made.rows, made.cols, made).residues(65521);

/** A^PRODUCTS·x */
async function power(executor, everyNow) {
  const a = executor.operator(matrix, { use: 'apply' });
  let [x, y] = [executor.vector(matrix.cols, 4), executor.vector(matrix.rows, 4)];
  executor.fill(x, 12345);
  for (let step = 0; step < PRODUCTS; step++) {
    await a.apply(y, x);
    [x, y] = [y, x];
    if (step % 20 === 0) await everyNow(executor, x);
  }
  return executor.read(x);
}

const expected = await power(new ReferenceExecutor(field), async () => {});
const executor = await GpuExecutor.create(field);
const got = await power(executor, async (each, x) => {
  globalThis.gc();
  await each.read(x);
  await new Promise((resolve) => setTimeout(resolve, 5));
  globalThis.gc();
});
executor.dispose();
const equal = got.length === expected.length && got.every((value, i) => value === expected[i]);
const where = isMainThread ? 'main' : 'worker';
process.stdout.write(`${where}: ${equal ? `equal after ${PRODUCTS} products` : 'NOT equal'}\n`);
if (isMainThread) new Worker(new URL(import.meta.url));
