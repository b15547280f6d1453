/**
 * What `tune` earns: a product with the storage and the threads that it chooses beside one with what is chosen unasked.
 *
 *   npm run bench -- tune [--matrix NAME]... [--mod P]... [--budget S] [--rounds N] [--threads N]
 *
 * The product is that of block Wiedemann, with 16 columns of A or Aᵀ, whichever has no fewer rows. Each choice has an
 * executor of its own, and they take turns of about 20 ms, on one thread by processor time. `ratio` is the median of
 * the quotients of neighbouring turns, rates are of medians. Where the choice is what is taken unasked, it is 1.
 * One JSON line a matrix and modulus.
 */
import { parseArgs } from 'node:util';
import { CpuClock, median } from './formats-clock.mjs';
import { many, matricesOf } from './matrix-options.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const [{ SparseMatrix }, { transpose }, { createEngine }, { cores }] = await Promise.all([
  ours('kernels/sparse/sparse-matrix.js'),
  ours('kernels/sparse/residue-matrix.js'),
  ours('src/index.js'),
  ours('kernels/platform/node.js'),
]);

const WIDTH = 16;
const TURN = 0.02; // seconds

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: many(['power-law_20000', 'blocks_64000_8', 'random_10000', 'delaunay_32768', 'bibd_81_3']),
    mod: many(['31', '65521']),
    budget: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '15' },
    threads: { type: 'string', default: `${cores()}` },
  },
});
const [budget, rounds, threads] = ['budget', 'rounds', 'threads'].map((name) => Number(options[name]));

class Product {
  static async create(a, p, threads, storage) {
    const clock = new CpuClock(threads);
    const executor = await clock.executor(p);
    const [x, y] = [executor.vector(a.cols, WIDTH), executor.vector(a.rows, WIDTH)];
    executor.write(
      x,
      Uint32Array.from({ length: a.cols * WIDTH }, (_, k) => (Math.imul(k + 1, 0x9e3779b1) >>> 0) % p),
    );
    const operator = executor.operator(a, { use: 'apply', ...(storage === 'auto' ? {} : { storage }) });
    const product = Object.assign(new Product(), { clock, executor, operator, x, y, repeats: 1 });
    product.repeats = Math.max(1, Math.ceil(TURN / Math.min(await product.time(), await product.time())));
    return product;
  }

  /** Seconds of a product: of the processor on one thread, else by the wall. */
  time() {
    const { clock, operator, x, y, repeats } = this;
    return clock.time(() => operator.apply(y, x), repeats);
  }

  dispose() {
    this.executor.dispose();
  }
}

const engine = createEngine();
for (const { name, p, a } of matricesOf(options)) {
  const start = performance.now();
  const tuned = await engine.tune(matrixOf(a), { mod: p, threads, budget, tuning: false });
  const tuning = (performance.now() - start) / 1000;
  const tried = new Set(tuned.products.filter(({ repeats }) => repeats > 0).map(({ storage }) => storage));
  const said = { bench: 'tune', matrix: name, mod: p, nnz: a.colIdx.length, width: WIDTH, tuning, tried: tried.size };
  const line = await inTurns(a.rows < a.cols ? transpose(a) : a, p, tuned.options);
  report({ ...said, storage: tuned.options.storage, threads: tuned.options.threads, most: threads, ...line });
}
await engine.dispose();

function matrixOf({ rows, cols, rowPtr, colIdx, values }) {
  const rowIdx = new Uint32Array(colIdx.length);
  for (let i = 0; i < rows; i++) rowIdx.fill(i, rowPtr[i], rowPtr[i + 1]);
  return SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values });
}

/** Gop/s of both choices, and how many times faster the tuned one is. */
async function inTurns(a, p, { storage, threads: tunedThreads }) {
  const unasked = await Product.create(a, p, threads, 'auto');
  const isSame = storage === 'auto' && tunedThreads === threads;
  const tuned = isSame ? unasked : await Product.create(a, p, tunedThreads, storage);
  const times = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [k, product] of (isSame ? [unasked] : [unasked, tuned]).entries()) times[k].push(await product.time());
  }
  const rate = (seconds) => Number(((2e-9 * a.colIdx.length * WIDTH) / median(seconds)).toFixed(2));
  const quotients = times[1].map((seconds, k) => times[0][k] / seconds);
  const ratio = isSame ? 1 : Number(median(quotients).toFixed(2));
  const rates = { untuned: rate(times[0]), tuned: rate(isSame ? times[0] : times[1]) };
  for (const product of new Set([unasked, tuned])) product.dispose();
  return { ...rates, ratio };
}
