/**
 * The Krylov steps of block Wiedemann on a GPU: steps a second as block Wiedemann makes them, and what each kernel
 * takes.
 *
 *   npm run bench -- gpu-krylov [--family 'ch 8 8 4'] [--block 32,16] [--mod P] [--steps N] [--gpus N]
 *
 * S_i = U·B^(i+1)·V with B = H·A, and with moments T_i = Y·B^i·V beside it for 4 columns. The first blocks are compared
 * with those of the cpu executor. Kernels by timestamps of the device, µs, medians of 7 passes; steps by the host's
 * clock, the best of 3 runs of N steps, from the first call to the last block on the host. With --gpus also the steps
 * of a sequence whose columns are shared by processes with a GPU each, by their own clocks: all of a long one, and no
 * order basis beside it. One JSON line.
 */
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
const { WorkingField } = await ours('algorithms/block-wiedemann/working-field.js');
const { hashFactor } = await ours('algorithms/block-wiedemann/preconditioner.js');
const { sharesOf, startShares } = await ours('algorithms/block-wiedemann/krylov-columns.js');
const { startGpuProcesses } = await ours('src/gpus/processes.node.js');
const { KrylovSequence } = await ours('algorithms/block-wiedemann/krylov.js');

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    family: { type: 'string', default: 'ch 8 8 4' },
    block: { type: 'string', default: '32,16' },
    mod: { type: 'string', default: '65521' },
    steps: { type: 'string', default: '1600' },
    gpus: { type: 'string' },
  },
});
const [m, n] = options.block.split(',').map(Number);
const [p, steps] = [Number(options.mod), Number(options.steps)];
const MOMENTS = 4;
const CHECKED = 3;

const [family, ...sizes] = options.family.split(' ');
const triplets = generate(family, sizes);
const a = SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets).residues(p);
const gpu = await GpuDevice.open();
const field = WordPrime.of(p);

async function sequence(executor) {
  const working = new WorkingField(executor, 'block');
  const operator = executor.operator(a);
  const factor = hashFactor(executor, a.cols, a.rows, working, 5n);
  const shape = { m, n, s: MOMENTS, shift: 1 };
  return [operator, factor, await KrylovSequence.create(executor, operator, factor, working, shape, 6n)];
}

const executor = new GpuExecutor(field, gpu);
const [operator, factor, krylov] = await sequence(executor);
const extend = (count, moments) => krylov.extend(krylov.length + count, moments, nothing, nothing);
await extend(CHECKED, CHECKED);
await checked();

const { v, av, sBatch, tBatch } = krylov.steps;
const { u, y } = krylov.left;
const kernels = {
  product: () => void operator.apply(av, v),
  hash: () => void factor.apply(v, av),
  project: (at) => executor.project(sBatch, at, u, v),
  dot: (at) => executor.blockDot(tBatch, at, y, v),
};
const all = (at) => {
  for (const kernel of Object.values(kernels)) kernel(at);
};
const line = { bench: 'gpu-krylov', family: options.family, mod: p, block: [m, n], us: {} };
for (const [name, kernel] of Object.entries({ ...kernels, all })) line.us[name] = await timed(kernel);
line.stepsPerSecond = await fastest(0);
line.withMoments = await fastest(Number.MAX_SAFE_INTEGER);
if (options.gpus) line.shared = await shared(Number(options.gpus));
report({ ...line, adapter: gpu.name });
krylov.free();
executor.dispose();
gpu.dispose();

function nothing() {}

async function checked() {
  const cpu = await CpuExecutor.create(field);
  const [, , expected] = await sequence(cpu);
  await expected.extend(CHECKED, CHECKED, nothing, nothing);
  for (const blocks of ['s', 't']) {
    for (let i = 0; i < CHECKED; i++) {
      if (!krylov[blocks].at(i).every((value, k) => value === expected[blocks].at(i)[k]))
        throw new Error(`block ${i} of ${blocks} differs from the cpu executor's`);
    }
  }
  cpu.dispose();
}

/** One batch of 32 blocks at a time, as a sequence makes them. */
async function timed(kernel) {
  const pass = () => gpu.time(() => Array.from({ length: 32 }, (_, at) => kernel(at)));
  const warm = performance.now() + 1000; // a GPU that has been at rest takes 0.4 s to raise its clocks
  do await pass();
  while (performance.now() < warm);
  const times = [];
  for (let run = 0; run < 7; run++) times.push((await pass()) / 32_000);
  return Number(times.toSorted((x, y) => x - y)[3].toFixed(2));
}

async function fastest(moments) {
  let best = 0;
  for (let run = 0; run < 3; run++) {
    const start = performance.now();
    await extend(steps, moments);
    best = Math.max(best, (1000 * steps) / (performance.now() - start));
  }
  return Math.round(best);
}

/** Steps a second by several GPUs, and by each. */
async function shared(count) {
  const processes = startGpuProcesses(count, gpu, { maxBytes: null, threads: null, stops: null });
  await Promise.all(processes.devices.map((device) => device.hold(a, field)));
  const length = 5 * steps;
  const shape = { m, n, s: MOMENTS, shift: 1 };
  const task = { preconditioner: 'hash', shape, seed: 6n, length, moments: length };
  const shares = sharesOf(task, processes.devices.length).map((own) => ({ task: own }));
  const sequence = await startShares(processes.devices, shares);
  await sequence.extend(length, length, nothing, nothing);
  const rate = ({ seconds }) => Math.round(length / seconds);
  const rates = { gpus: count, stepsPerSecond: rate(sequence), each: (sequence.shares ?? [sequence]).map(rate) };
  processes.end();
  return rates;
}
