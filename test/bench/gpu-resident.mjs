/**
 * y ← A^n·x on a GPU with the vectors resident, and with each step's vectors copied to the device and back.
 *
 *   npm run bench -- gpu-resident [--family 'mk 14 5']
 *
 * A is square, mod 65521. A run is n products by wall clock, from x on the host to y on the host; the median of 5 runs
 * after one of warming up. Both ways end with the same residues, which is checked for every n, and A·x against sums
 * made on the host. One JSON line a width and n: usResident, usCopied for one product, ratio.
 */
import { parseArgs } from 'node:util';
import { checkRows } from './products.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CounterRandom } = await ours('fields/random.js');
const { GpuDevice } = await ours('kernels/gpu/device.js');
const { GpuExecutor } = await ours('kernels/executors/gpu.js');
const { SparseMatrix } = await ours('kernels/sparse/sparse-matrix.js');
const { generate } = await ours('data/families.js');

const P = 65521;
const WIDTHS = [1, 16];
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200];
const RUNS = 5;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    family: { type: 'string', default: 'mk 14 5' },
  },
});
const [family, ...sizes] = options.family.split(' ');
const triplets = generate(family, sizes);
const a = SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets).residues(P);
if (a.rows !== a.cols)
  throw new Error(`--family ${options.family}: expected a square matrix, got ${a.rows} x ${a.cols}`);
const nnz = a.colIdx.length;

const gpu = await GpuDevice.open();
const executor = new GpuExecutor(WordPrime.of(P), gpu);
const operator = executor.operator(a, { use: 'apply' });
const median = (times) => times.toSorted((s, t) => s - t)[times.length >> 1];
const equal = (s, t) => s.length === t.length && s.every((word, i) => word === t[i]);

for (const width of WIDTHS) {
  const [x, y] = [executor.vector(a.cols, width), executor.vector(a.rows, width)];
  const residues = new CounterRandom(7n, width).fillResidues(new Uint32Array(a.cols * width), P);
  executor.write(x, residues);
  const start = await gpu.read(x.buffer, 0, x.bytes); // as the device stores it: what is copied is nothing but bytes
  await operator.apply(y, x);
  checkRows(`width ${width}`, a, P, width, residues, await executor.read(y));

  const resident = async (n) => {
    gpu.write(x.buffer, start);
    let [from, to] = [x, y];
    for (let step = 0; step < n; step++) {
      await operator.apply(to, from);
      [from, to] = [to, from];
    }
    return gpu.read(from.buffer, 0, from.bytes);
  };
  const copied = async (n) => {
    let words = start;
    for (let step = 0; step < n; step++) {
      gpu.write(x.buffer, words);
      await operator.apply(y, x);
      words = await gpu.read(y.buffer, 0, y.bytes);
    }
    return words;
  };

  for (const n of STEPS) {
    if (!equal(await resident(n), await copied(n))) throw new Error(`width ${width}, n = ${n}: two answers`);
    const [ofResident, ofCopied] = [[], []];
    for (let run = 0; run < RUNS; run++) {
      ofResident.push(await microseconds(() => resident(n)));
      ofCopied.push(await microseconds(() => copied(n)));
    }
    const [usResident, usCopied] = [median(ofResident) / n, median(ofCopied) / n];
    const rounded = (us) => Number(us.toPrecision(4));
    const times = { usResident: rounded(usResident), usCopied: rounded(usCopied) };
    const ratio = Number((usCopied / usResident).toFixed(1));
    const what = { matrix: options.family, rows: a.rows, nnz, mod: P, width, n };
    report({ bench: 'gpu-resident', ...what, ...times, ratio, adapter: gpu.name });
  }
  executor.release(x);
  executor.release(y);
}
gpu.dispose();

async function microseconds(work) {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) * 1000;
}
