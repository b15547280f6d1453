/**
 * A matrix compiled to WebAssembly (storage jit) beside compressed rows and what is chosen, on one thread.
 *
 *   npm run bench -- jit [--matrix NAME]... [--seconds N]
 *
 *   products : one product of bibd_81_3 and others at widths 1 and 16      powers : A^n·x of small square matrices,
 *              n = 10^5, all steps one program, and what compiling takes besides
 *
 * The three products of a setting are compared, residue for residue. jit then warms up, for as long as V8 replaces its
 * first code (warmMs), and all take turns for N seconds; times are medians by the wall clock. compileMs is the first
 * product: encoding, compiling, one product in the engine's first code. `pays` is the number of products after which
 * that is made up for. One JSON line a setting.
 */
import { parseArgs } from 'node:util';
import { MATRICES, overModulus, residuesOf } from './formats-matrices.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { CounterRandom } = await ours('fields/random.js');
const { WordPrime } = await ours('fields/word-prime.js');
const { CpuExecutor } = await ours('kernels/executors/cpu.js');
const { loadEncoder } = await ours('kernels/jit/encoder.js');

const MODULI = [65521, 2147483629];
const PRODUCTS = ['bibd_81_3', 'delaunay_32768'];
const WIDTHS = [1, 16];
const POWERS = [
  { name: 'delaunay_1000', family: 'delaunay 1000 1' },
  { name: 'delaunay_4000', family: 'delaunay 4000 1' },
  { name: 'random_1000', family: 'random 1000 1000 10 65521 1' },
];
const STEPS = 100_000;
const [WINDOW, LEAST_WARM, MOST_WARM] = [500, 4000, 10_000]; // milliseconds
const SLOWER = 0.97;
const STORAGES = ['csr', 'chosen', 'jit'];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { matrix: { type: 'string', multiple: true }, seconds: { type: 'string', default: '1' } },
});
const wanted = ({ name }) => options.matrix === undefined || options.matrix.includes(name);
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
const digits = (number) => Number(number.toPrecision(3));
const milliseconds = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

await loadEncoder();
for (const matrix of MATRICES.filter(({ name }) => PRODUCTS.includes(name)).filter(wanted)) {
  const residues = residuesOf(matrix);
  for (const p of MODULI) {
    for (const width of WIDTHS) await product(matrix.name, overModulus(residues, p), p, width);
  }
}
for (const matrix of POWERS.filter(wanted)) {
  const residues = residuesOf(matrix);
  for (const p of MODULI) await powers(matrix.name, overModulus(residues, p), p);
}

/** The three operators with their first products, which are alike. */
function contenders(executor, a, x, y) {
  let first;
  return STORAGES.map((name) => {
    const operator = executor.operator(a, { use: 'apply', ...(name !== 'chosen' && { storage: name }) });
    const firstMs = milliseconds(() => operator.apply(y, x));
    const answer = executor.read(y);
    first ??= answer;
    if (!answer.every((v, i) => v === first[i])) throw new Error(`${name}: another product than csr's`);
    return { name, operator, firstMs, times: [] };
  });
}

/** Products until four windows in a row have been no faster than one before; milliseconds up to the fastest. */
function warmUp(work) {
  const start = performance.now();
  let [best, until, idle] = [Number.POSITIVE_INFINITY, 0, 0];
  for (let spent = 0; spent < (idle < 4 ? MOST_WARM : LEAST_WARM); spent = performance.now() - start) {
    const [times, end] = [[], performance.now() + WINDOW];
    while (performance.now() < end) times.push(milliseconds(work));
    const now = median(times);
    idle = now < SLOWER * best ? 0 : idle + 1;
    if (idle === 0) until = performance.now() - start;
    best = Math.min(best, now);
  }
  return Math.round(until);
}

function vectors(executor, a, p, width) {
  const [x, y] = [executor.vector(a.cols, width), executor.vector(a.rows, width)];
  executor.write(x, new CounterRandom(7n, width).fillResidues(new Uint32Array(a.cols * width), p));
  return [x, y];
}

async function product(name, a, p, width) {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const [x, y] = vectors(executor, a, p, width);
  const all = contenders(executor, a, x, y);
  const warmMs = warmUp(() => all.at(-1).operator.apply(y, x));
  const end = performance.now() + 1000 * Number(options.seconds);
  while (performance.now() < end) {
    for (const { operator, times } of all) times.push(milliseconds(() => operator.apply(y, x)));
  }
  const ms = Object.fromEntries(all.map(({ name, times }) => [name, median(times)]));
  const rate = (time) => digits((2 * a.colIdx.length * width) / time / 1e6);
  const [{ firstMs }, saved] = [all.at(-1), ms.chosen - ms.jit];
  report({
    ...{
      bench: 'jit',
      study: 'products',
      matrix: name,
      rows: a.rows,
      cols: a.cols,
      nnz: a.colIdx.length,
      mod: p,
      width,
    },
    ...{ csr: rate(ms.csr), chosen: rate(ms.chosen), jit: rate(ms.jit), ofChosen: digits(ms.chosen / ms.jit) },
    ...{ compileMs: Math.round(firstMs), codeBytes: all.at(-1).operator.codeBytes, warmMs },
    pays: saved > 0 ? Math.ceil(firstMs / saved) : undefined,
  });
  executor.dispose();
}

/** A^n·x as one program of two products a step; seconds of each storage, compilation among them. */
async function powers(name, a, p) {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const [x, y] = vectors(executor, a, p, 1);
  const start = executor.read(x);
  let expected;
  const seconds = {};
  let compileMs;
  for (const { name, operator, firstMs } of contenders(executor, a, x, y)) {
    executor.write(x, start);
    const program = executor.compile([
      { do: 'apply', map: operator, y, x },
      { do: 'apply', map: operator, y: x, x: y },
    ]);
    const ms = milliseconds(() => program.run(0, STEPS / 2));
    const answer = executor.read(x);
    expected ??= answer;
    if (!answer.every((v, i) => v === expected[i])) throw new Error(`${name}: another A^n·x than csr's`);
    program.free();
    if (name === 'jit') compileMs = firstMs;
    seconds[name] = digits(((name === 'jit' ? firstMs : 0) + ms) / 1000);
  }
  report({
    ...{
      bench: 'jit',
      study: 'powers',
      matrix: name,
      rows: a.rows,
      cols: a.cols,
      nnz: a.colIdx.length,
      mod: p,
      n: STEPS,
    },
    ...{ seconds, ofChosen: digits(seconds.chosen / seconds.jit), compileMs: Math.round(compileMs) },
  });
  executor.dispose();
}
