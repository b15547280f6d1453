/**
 * The six kernels on batches of block matrices, all problems at once and one at a time, on the threads or on a GPU.
 *
 *   npm run bench -- block-kernels [--device gpu] [--threads N] [--mod P] [--block B] [--width W] [--batch COUNTxROWS]
 *       [--no-peer] [--lengths LEAST-MOST]
 *
 * Problems are block tridiagonal with random blocks, their rows spread from 0.5 to 1.5 times ROWS. The first and the
 * last one are small, and every kernel's answers about them are compared with the slow twin's before it is timed. A
 * time is that of CALLS calls without waiting between, by wall clock, to the end of the work on the device, the least
 * of ROUNDS rounds, or of as many as begin in LOOK ms, after WARM ms of them; dot products and factors bring words of
 * each call to the host, and factors include a copy of A.
 * `alone`: the same kernels on batches of one problem each, SAMPLE of them, in a row, per row and so for as many rows.
 * `peer`: cuBLAS and cuSPARSE in float32 on the same patterns, and how many times our milliseconds theirs are; on a GPU
 * alone. `deviceMs` by the device's clock, and `share` of the bandwidth of a copy, by the bytes of A, X and Y once
 * and Y again. One JSON line a batch; --batch is asked for again for another one.
 *
 * With --lengths rows have random numbers of blocks, about the diagonal, and the products alone are timed, by a GPU's
 * clock: with lists grouped by length and with lists in the order of the rows, in turns.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { blockBatchTimes } from './peers/block-batches.mjs';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CounterRandom } = await ours('fields/random.js');
const { joinMatrices } = await ours('kernels/block-sparse/block-batch.js');
const { BlockPattern } = await ours('kernels/block-sparse/block-pattern.js');
const { CpuBlockKernels } = await ours('kernels/block-sparse/cpu-block-kernels.js');
const { GpuBlockKernels } = await ours('kernels/block-sparse/gpu-block-kernels.js');
const { ReferenceBlockKernels } = await ours('kernels/block-sparse/reference-block-kernels.js');
const { GpuDevice } = await ours('kernels/gpu/device.js');
const { Team } = await ours('kernels/threads/team.js');

const ROUNDS = 3;
const LOOK = 500; // ms: a host that is shared interrupts most rounds of some hundred microseconds
const CALLS = 10;
const WARM = 500; // ms before a kernel is timed: a GPU that has waited for the host runs at a sixth of its clock
const SAMPLE = 30;
const SMALL = [9, 12]; // block rows of the first and the last problem
const BATCHES = ['30x1000', '30x20000', '1000x1000'];
const UNEQUAL = ['30x20000'];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    device: { type: 'string', default: 'cpu' },
    threads: { type: 'string', default: '1' },
    mod: { type: 'string', default: '65521' },
    block: { type: 'string', default: '8' },
    width: { type: 'string', default: '8' },
    batch: { type: 'string', multiple: true },
    'no-peer': { type: 'boolean', default: false },
    lengths: { type: 'string' },
  },
});
const { device } = options;
if (device !== 'cpu' && device !== 'gpu') throw new Error(`--device: expected cpu or gpu, got ${device}`);
const [p, b, w, threads] = [options.mod, options.block, options.width, options.threads].map(Number);
const [shortest, longest] = (options.lengths ?? '3-3').split('-').map(Number);
if (!(shortest >= 1 && longest >= shortest))
  throw new Error(`--lengths: expected LEAST-MOST, such as 1-32, got ${options.lengths}`);
if (options.lengths && device !== 'gpu')
  throw new Error('--lengths: expected --device gpu: threads take whole problems');
const field = WordPrime.of(p);
const gpu = device === 'gpu' ? await GpuDevice.open() : null;
const team = gpu ? null : await Team.create(threads);
const mark = gpu?.buffer(16);
/** Waits for the device. */
const end = async () => void (await gpu?.read(mark, 0, 4));
const open = (batch, more) =>
  gpu ? new GpuBlockKernels(gpu, field, batch, more) : new CpuBlockKernels(team, field, batch);

/** Each kernel as it is timed, times over; x, y: tall blocks. */
const KERNELS = {
  axpy: (k, { x, y, m }) => k.addTallProduct(y, x, m, -1),
  dot: (k, { x, y }) => k.dotTall(x, y),
  multiply: (k, { x, y }) => k.addBlockProduct(y, x, { sign: -1, transposed: false, diagonal: true }),
  transposed: (k, { x, y }) => k.addBlockProduct(y, x, { sign: 1, transposed: true, diagonal: false }),
  factor: (k) => k.factor(),
  solve: (k, { x }) => k.substitute(x),
};
const PRODUCTS = ['multiply', 'transposed'];

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
for (const text of options.batch ?? (options.lengths ? UNEQUAL : BATCHES)) {
  const [count, rows] = text.split('x').map(Number);
  if (!(count >= 3 && rows >= b))
    throw new Error(`--batch: expected COUNTxROWS, 3x${b} or more, such as 30x1000, got ${text}`);
  const problems = Array.from({ length: count }, (_, k) => problem(k, count, rows));
  await check([problems[0], problems[count - 1]], open(joinMatrices(b, problems)), problems);
  const where = gpu ? { device, adapter: gpu.name } : { device, threads };
  const about = {
    bench: 'block-kernels',
    ...where,
    mod: p,
    block: b,
    width: w,
    count,
    rows,
    allRows: rowsOf(problems),
  };
  if (options.lengths) {
    report({ ...about, lengths: options.lengths, ...(await inBothOrders(problems)) });
    continue;
  }
  const batch = await timed([problems]);
  const sample = problems.slice(1, 1 + Math.min(count - 2, SAMPLE)).map((one) => [one]);
  const alone = await timed(sample);
  const times = about.allRows / rowsOf(sample.flat());
  const ratio = Object.fromEntries(
    Object.keys(KERNELS).map((name) => [name, round((alone[name] * times) / batch[name])]),
  );
  const own = gpu ? await onDevice(problems) : {};
  const there = gpu && !options['no-peer'] ? beside(batch, own, problems) : {};
  report({ ...about, ms: batch, ratio, ...own, ...there });
}
clearInterval(awake);
gpu?.dispose();
await team?.dispose();

function round(x) {
  return Number(x.toPrecision(3));
}

function rowsOf(problems) {
  return problems.reduce((sum, { pattern }) => sum + pattern.n * b, 0);
}

function problem(k, count, rows) {
  const n = k === 0 ? SMALL[0] : k === count - 1 ? SMALL[1] : Math.ceil((rows * (0.5 + ((k * 37) % 101) / 100)) / b);
  const random = new CounterRandom(4, k);
  const columns = Array.from({ length: n }, (_, i) => {
    const length = shortest + random.residueAt(i, longest - shortest + 1);
    return Array.from({ length }, (_, t) => i - (length >> 1) + t).filter((j) => j >= 0 && j < n);
  });
  const rowPtr = new Uint32Array(n + 1);
  for (const [i, row] of columns.entries()) rowPtr[i + 1] = rowPtr[i] + row.length;
  const pattern = new BlockPattern(rowPtr, Uint32Array.from(columns.flat()));
  return { b, pattern, values: new CounterRandom(3, k).fillResidues(new Uint32Array(pattern.blocks * b * b), p) };
}

/** Tall blocks of the problems, random by problem, so that each has the same alone. */
function operands(kernels, problems) {
  const tall = (stream) => {
    const words = new Uint32Array(rowsOf(problems) * w);
    let at = 0;
    for (const { pattern } of problems) {
      const own = words.subarray(at, at + pattern.n * b * w);
      new CounterRandom(5, stream).fillResidues(own, p);
      at += own.length;
    }
    return kernels.tall(w, words);
  };
  const m = new Uint32Array(problems.length * w * w);
  for (let k = 0; k < problems.length; k++)
    m.set(new CounterRandom(6, 0).fillResidues(new Uint32Array(w * w), p), k * w * w);
  return { x: tall(1), y: tall(2), m };
}

/** All answers about the first and the last problem, as the twin has them of these two alone. */
async function check(two, kernels, problems) {
  const twin = new ReferenceBlockKernels(field, joinMatrices(b, two));
  const [given, expected] = [operands(kernels, problems), operands(twin, two)];
  const ends = (words) => {
    const each = words.length / rowsOf(problems);
    const [first, last] = SMALL.map((n) => n * b * each);
    return [...words.subarray(0, first), ...words.subarray(words.length - last)];
  };
  const agree = (name, got, wanted) => {
    if (got.length === wanted.length && got.every((value, i) => value === wanted[i])) return;
    throw new Error(`${name}: expected what the slow twin gives, got another answer`);
  };
  const both = (list, size) => [...list.subarray(0, size), ...list.subarray(list.length - size)];
  agree('dot', both(await kernels.dotTall(given.x, given.y), w * w), await twin.dotTall(expected.x, expected.y));
  const singular = await twin.factor();
  agree('factor', both(await kernels.factor(), 1), singular);
  for (const name of ['axpy', 'multiply', 'transposed', 'solve']) {
    KERNELS[name](kernels, given);
    KERNELS[name](twin, expected);
    for (const part of ['x', 'y']) agree(name, ends(await kernels.read(given[part])), await twin.read(expected[part]));
  }
  kernels.free();
}

/** Milliseconds of each kernel on these batches, one after another. */
async function timed(batches) {
  const opened = batches.map((problems) => {
    const kernels = open(joinMatrices(b, problems));
    return { kernels, given: operands(kernels, problems) };
  });
  const ms = {};
  for (const { kernels } of opened) await kernels.factor(); // what `solve` takes
  for (const [name, run] of Object.entries(KERNELS)) {
    let least = Number.POSITIVE_INFINITY;
    const warm = performance.now() + WARM;
    for (let turn = 0; turn < ROUNDS || performance.now() < warm + LOOK; ) {
      await end();
      const start = performance.now();
      const open = [];
      for (let call = 0; call < CALLS; call++) for (const { kernels, given } of opened) open.push(run(kernels, given));
      await Promise.all(open);
      await end();
      if (start < warm) continue;
      least = Math.min(least, (performance.now() - start) / CALLS);
      turn++;
    }
    ms[name] = round(least);
  }
  for (const { kernels } of opened) kernels.free();
  return ms;
}

/** Milliseconds of the kernels that are one dispatch, by the device's clock, and bytes of those of A. */
async function onDevice(problems) {
  const kernels = open(joinMatrices(b, problems));
  const given = operands(kernels, problems);
  await kernels.factor();
  const deviceMs = {};
  for (const name of [...PRODUCTS, 'solve']) [deviceMs[name]] = await inTurns([() => KERNELS[name](kernels, given)]);
  kernels.free();
  const blocks = problems.reduce((sum, { pattern }) => sum + pattern.blocks, 0);
  return { deviceMs, bytes: (field.isU16 ? 2 : 4) * (blocks * b * b + 3 * rowsOf(problems) * w) };
}

/** Milliseconds of the products by the device's clock: with rows grouped by length, and as they come. */
async function inBothOrders(problems) {
  const batch = joinMatrices(b, problems);
  const both = [true, false].map((each) => open(batch, { groups: { rows: each, columns: each } }));
  const given = both.map((kernels) => operands(kernels, problems));
  const [groupedMs, inOrderMs, saved] = [{}, {}, {}];
  for (const name of PRODUCTS) {
    const runs = both.map((kernels, i) => () => KERNELS[name](kernels, given[i]));
    for (const run of runs) run();
    const [grouped, inOrder] = await Promise.all(both.map((kernels, i) => kernels.read(given[i].y)));
    if (grouped.some((value, i) => value !== inOrder[i])) throw new Error(`${name}: two answers`);
    [groupedMs[name], inOrderMs[name]] = await inTurns(runs);
    saved[name] = round(1 - groupedMs[name] / inOrderMs[name]);
  }
  for (const kernels of both) kernels.free();
  return { groupedMs, inOrderMs, saved };
}

/** Milliseconds of each run by the device's clock, the least of ROUNDS. */
async function inTurns(runs) {
  for (const run of runs) run(); // makes what it needs beside A
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  const warm = performance.now() + WARM;
  for (let turn = 0; turn < ROUNDS; ) {
    const start = performance.now();
    for (const [i, run] of runs.entries()) {
      const ns = await gpu.time(() => {
        for (let call = 0; call < CALLS; call++) run();
      });
      if (start >= warm) least[i] = Math.min(least[i], ns / 1e6 / CALLS);
    }
    if (start >= warm) turn++;
  }
  return least.map(round);
}

/** The peers' milliseconds, how many times ours they are, and shares of the bandwidth of a copy. */
function beside(ms, { deviceMs, bytes }, problems) {
  const { copy, ...peer } = blockBatchTimes(CALLS, b, w, problems.map(({ pattern }) => pattern.n).join());
  if (copy === undefined) return {};
  const peerMs = Object.fromEntries(Object.entries(peer).map(([name, each]) => [name, round(each)]));
  const peerRatio = Object.fromEntries(Object.entries(peer).map(([name, each]) => [name, round(each / ms[name])]));
  const share = Object.fromEntries(
    ['multiply', 'transposed'].map((name) => [name, Number((bytes / 1e6 / deviceMs[name] / copy).toPrecision(2))]),
  );
  return { peerMs, peerRatio, copyGBps: Math.round(copy), share };
}
