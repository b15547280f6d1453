/**
 * A product A·X where A's rows are on several devices, beside one GPU that has A and the vectors.
 *
 *   npm run bench -- split-rows [--gpus N] [--threads N] [--size NAME,…|ROWSxCOLSxNNZ] [--mod P,…] [--width N,…]
 *       [--only gpus|both]
 *
 *   gpu : A, X and Y on one GPU     gpus : X from the host to each, A_d·X, Y_d to the host, a process a GPU
 *   upload, product, download : of an equal share, in this process alone; `gpus` has the way between processes, too
 *   threads : A, X and Y in the host's memory     both : rows on a GPU of this process and on its threads
 *
 * Shares are by what products of the greatest width take (kernels/executors/row-split.ts); `rows` are those of `gpus`,
 * then of `both`. A time is the median of five products after one, in milliseconds of the wall clock, to the end of the
 * work on the devices. 300 rows of the product on one GPU are compared with sums of big integers, every word of the
 * others with that. One JSON line a size, modulus and width.
 */
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { checkRows, randomRows } from './products.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CounterRandom } = await ours('fields/random.js');
const { CpuExecutor } = await ours('kernels/executors/cpu.js');
const { ExecutorRows } = await ours('kernels/executors/executor-rows.js');
const { GpuExecutor } = await ours('kernels/executors/gpu.js');
const { RowSplit } = await ours('kernels/executors/row-split.js');
const { takeRows } = await ours('kernels/sparse/matrix-pieces.js');
const { splitOperator } = await ours('kernels/executors/split-rows.js');
const { GpuDevice } = await ours('kernels/gpu/device.js');
const { startGpuProcesses } = await ours('src/gpus/processes.node.js');

const SIZES = {
  '6M': [460261, 171375, 6080381],
  '16M': [2410560, 2086560, 15707520],
  '80M': [4000000, 4000000, 80000000],
};
const ROUNDS = 5;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    gpus: { type: 'string', default: '2' },
    threads: { type: 'string', default: String(availableParallelism()) },
    size: { type: 'string', default: '6M,16M,80M' },
    mod: { type: 'string', default: '65521,2147483629' },
    width: { type: 'string', default: '1,16' },
    only: { type: 'string' },
  },
});
const [gpus, threads] = [options.gpus, options.threads].map(Number);
const [moduli, widths] = [options.mod, options.width].map((list) => list.split(',').map(Number));
const sizes = options.size.split(',').map((name) => [name, SIZES[name] ?? name.split('x').map(Number)]);
if (options.only !== undefined && !['gpus', 'both'].includes(options.only))
  throw new Error(`--only: expected gpus or both, got ${options.only}`);

const gpu = await GpuDevice.open();
for (const [name, size] of sizes) {
  if (!(size.length === 3 && size.every((n) => n > 0)))
    throw new Error(`--size: expected ${Object.keys(SIZES).join(', ')} or ROWSxCOLSxNNZ, got ${name}`);
  for (const p of moduli) await measure(name, p, randomRows(...size, p, 0));
}
gpu.dispose();

async function measure(name, p, a) {
  const field = WordPrime.of(p);
  const [onGpu, onThreads] = [new GpuExecutor(field, gpu), await CpuExecutor.create(field, { threads })];
  const lines = [];
  for (const width of widths) lines.push(await oneGpu(name, p, a, onGpu, width));
  const whole = onThreads.operator(a, { use: 'apply' });
  for (const line of lines) await product(whole, line, onThreads, 'threads');
  whole.free?.();
  if (options.only !== 'both') {
    const processes = startGpuProcesses(gpus, gpu, { maxBytes: null, threads: null, stops: null });
    await splitProducts(a, lines, onThreads, processes.devices, 'gpus');
    processes.end();
  }
  if (options.only !== 'gpus') {
    // The GPU first: its work is under way while the threads, and this one, multiply.
    const devices = [onGpu, onThreads].map((executor) => new ExecutorRows(executor));
    await splitProducts(a, lines, onThreads, devices, 'both');
    for (const device of devices) device.free();
  }
  for (const { width, ms, rows } of lines) {
    const there = { adapter: gpu.name, gpus, threads };
    report({ bench: 'split-rows', matrix: name, nnz: a.colIdx.length, mod: p, width, ...there, ms, rows });
  }
  onGpu.dispose();
  onThreads.dispose();
}

/** The product on one GPU, and the parts of that of a share. */
async function oneGpu(name, p, a, executor, width) {
  const x = new CounterRandom(7n, width).fillResidues(new Uint32Array(a.cols * width), p);
  const line = { width, x, expected: null, ms: {}, rows: {} };
  await held(executor, a, width, async (operator, to, from, settle) => {
    executor.write(from, x);
    line.ms.gpu = await median(async () => {
      await operator.apply(to, from);
      await settle();
    });
    line.expected = await executor.read(to);
  });
  checkRows(`${name} mod ${p}`, a, p, width, x, line.expected);
  await held(executor, takeRows(a, 0, Math.ceil(a.rows / gpus)), width, async (operator, to, from, settle) => {
    line.ms.upload = await median(async () => {
      executor.write(from, x);
      await settle();
    });
    line.ms.product = await median(async () => {
      await operator.apply(to, from);
      await settle();
    });
    line.ms.download = await median(() => executor.read(to));
  });
  return line;
}

/** `work` with rows of the matrix and vectors on an executor, and with what waits for it. */
async function held(executor, a, width, work) {
  const operator = executor.operator(a, { use: 'apply' });
  const [to, from, mark] = [executor.vector(a.rows, width), executor.vector(a.cols, width), executor.vector(1, 1)];
  await work(operator, to, from, () => executor.read(mark));
  for (const vector of [to, from, mark]) executor.release(vector);
  operator.free?.();
}

/** The products with rows cut by the times of the widest one. */
async function splitProducts(a, lines, executor, devices, key) {
  const split = new RowSplit(devices, { width: Math.max(...widths) });
  const operator = await splitOperator(executor, a, split);
  for (const line of lines) {
    await product(operator, line, executor, key);
    line.rows[key] = split.rows;
  }
}

async function product(operator, line, executor, key) {
  const [to, from] = [operator.rows, operator.cols].map((length) => executor.vector(length, line.width));
  executor.write(from, line.x);
  line.ms[key] = await median(() => operator.apply(to, from));
  const y = executor.read(to);
  if (!y.every((value, i) => value === line.expected[i])) throw new Error(`${key}: expected the product of one GPU`);
  for (const vector of [to, from]) executor.release(vector);
}

async function median(work) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const sorted = times.slice(1).toSorted((s, t) => s - t);
  return Number(sorted[ROUNDS >> 1].toPrecision(3));
}
