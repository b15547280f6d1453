/**
 * The vector kernels of block Lanczos on a GPU by their number of workgroups, raised from one for each compute unit on
 * until the first local minimum (Bueno 2013), beside the numbers that the product takes.
 *
 *   npm run bench -- gpu-workgroups [--rows N] [--width N] [--mod P] [--units N]
 *
 *   dot : X^T·Z     update : Y ← Y + X·M     scale : V ← D·V
 *
 * Usual are chunks of at least 256 rows for dot, 512 at most, a workgroup each, and for update and scale an invocation
 * for each word of Y or V. Others are k workgroups for each of --units compute units, of which H100 and H200 have 132:
 * as many chunks of rows, and loops over words whose stride is the whole grid. Each gives the usual answer, which is
 * seen before it is timed. A time is the least of LOOKS passes of CALLS calls by the device's clock, all numbers in
 * turns, after WARM ms; that of dot includes the sum of the chunks. `share` of the speed of a kernel that copies 64 MB,
 * by what has to be read and written once: above 1 where a cache holds the vectors. One JSON line a kernel and size:
 *   usual : { groups, ms, share }     ms : by k     firstMinimum : k     saved : part of the usual time
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CounterRandom } = await ours('fields/random.js');
const { GpuBlockOps } = await ours('kernels/blocks/gpu-block-ops.js');
const { GpuContext } = await ours('kernels/blocks/gpu-context.js');
const { layoutOf } = await ours('kernels/blocks/gpu-vector.js');
const { GpuExecutor } = await ours('kernels/executors/gpu.js');
const { WGSL } = await ours('kernels/generated/wgsl.js');
const { GpuDevice } = await ours('kernels/gpu/device.js');
const { WORKGROUP } = await ours('kernels/gpu/shader.js');

const [CALLS, LOOKS, WARM] = [20, 5, 400];
const MOST = 64; // workgroups a unit
const LEAST_ROWS = 32; // of a chunk
const COPY_BYTES = 2 ** 26;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    rows: { type: 'string', multiple: true, default: ['100000', '1000000'] },
    width: { type: 'string', multiple: true, default: ['1', '4', '8', '16'] },
    mod: { type: 'string', default: '65521' },
    units: { type: 'string', default: '132' },
  },
});
const [p, units] = [options.mod, options.units].map(Number);
if (!(Number.isInteger(units) && units >= 1)) throw new Error(`--units: expected 1 or more, got ${options.units}`);
for (const name of ['block-axpy', 'scale']) WGSL[`${name}-strided`] = strided(WGSL[name]);
WGSL['copy-words'] = `struct Params { words: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<u32>>;
@compute @workgroup_size(WORKGROUP)
fn main(@builtin(workgroup_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at < params.words) { y[at] = x[at]; }
}`;

const field = WordPrime.of(p);
const gpu = await GpuDevice.open();
const executor = new GpuExecutor(field, gpu);
const context = new GpuContext(gpu, field);
const usual = new GpuBlockOps(context);
const copyRate = await bytesOfCopy(); // a ms
for (const rows of options.rows.map(Number)) {
  for (const width of options.width.map(Number)) {
    const made = vectors(rows, width);
    for (const kernel of [dot, update, scale]) await measure(kernel, rows, width, made);
    for (const vector of made.all) executor.release(vector);
    executor.releaseBlocks(made.out);
  }
}
context.freeAll();
executor.dispose();
gpu.dispose();

/** The body of a kernel with an invocation a word as a loop over words. */
function strided(text) {
  const head =
    /let at = (linear_group\(id, groups\) \* WORKGROUP \+ local);\s*if \(at >= params\.words\) \{ return; \}/;
  if (!head.test(text)) throw new Error('expected a kernel with an invocation for each word');
  return `${text.replace(head, 'for (var at = $1; at < params.words; at += groups.x * groups.y * WORKGROUP) {')}}`;
}

function vectors(rows, width) {
  const filled = (stream, columns) => {
    const vector = executor.vector(rows, columns);
    executor.write(vector, new CounterRandom(9, stream).fillResidues(new Uint32Array(rows * columns), p));
    return vector;
  };
  const [x, start, d] = [filled(1, width), filled(2, width), filled(3, 1)];
  const y = executor.vector(rows, width);
  const square = new CounterRandom(9, 4).fillResidues(new Uint32Array(width * width), p);
  return { x, start, d, y, square, out: executor.blocks(1, width, width), all: [x, start, d, y] };
}

/** What a kernel does as usual and by so many workgroups, what it leaves, and how many bytes it needs. */
function dot({ x, start, out }) {
  const by = (ops) => () => {
    ops.blockDot(out, 0, x, start);
    ops.settle(out);
  };
  return {
    usual: by(usual),
    by: (groups) => by(inChunks(groups)),
    most: Math.ceil(x.length / LEAST_ROWS),
    answer: () => executor.readBlocks(out, 0, 1),
    bytes: x.bytes + start.bytes,
  };
}

/** With so many chunks of rows. */
function inChunks(groups) {
  const ops = new GpuBlockOps(context);
  ops.chunkRows = (length) => Math.ceil(length / groups);
  return ops;
}

function update({ x, y, start, square }) {
  const layout = layoutOf(y.form, y.width);
  const words = y.length * layout.count;
  const kernel = context.kernel('block-axpy-strided', layout, { X_PAIRS: Number(x.form === 'pairs') });
  return {
    usual: () => usual.blockAxpy(y, x, square),
    by: (groups) => () => {
      const { buffer, offset } = gpu.operand(square, layout.form === 'pairs' ? 2 : 4);
      const parameters = [words, layout.count, x.width, offset / (4 * layout.words)];
      gpu.run(kernel, [buffer, x.buffer, y.buffer], parameters, groups);
    },
    most: Math.ceil(words / WORKGROUP),
    answer: () => written(y, start),
    bytes: x.bytes + 2 * y.bytes,
  };
}

function scale({ d, y, start }) {
  const layout = layoutOf(y.form, y.width);
  const words = y.length * layout.count;
  const kernel = context.kernel('scale-strided', layout);
  return {
    usual: () => usual.scale(y, d),
    by: (groups) => () => gpu.run(kernel, [d.buffer, y.buffer], [words, layout.count], groups),
    most: Math.ceil(words / WORKGROUP),
    answer: () => written(y, start),
    bytes: d.bytes + 2 * y.bytes,
  };
}

/** What a call has made of Y, which then is as before. */
async function written(y, start) {
  const words = await executor.read(y);
  executor.copy(y, start);
  return words;
}

async function measure(kernel, rows, width, made) {
  executor.copy(made.y, made.start);
  const { usual, by, most, answer, bytes } = kernel(made);
  const numbers = [1];
  while (2 * numbers.at(-1) <= MOST && 2 * numbers.at(-1) * units <= most) numbers.push(2 * numbers.at(-1));
  const runs = [usual, ...numbers.map((k) => by(k * units))];
  const groups = workgroupsOf(usual);
  const expected = await answer();
  for (const run of runs) {
    run();
    const got = await answer();
    if (got.some((value, i) => value !== expected[i])) throw new Error(`${kernel.name}, ${rows} rows: two answers`);
  }
  const [usualMs, ...others] = await inTurns(runs, CALLS);
  const end = others.findIndex((ms, i) => i + 1 === others.length || ms <= others[i + 1]);
  const share = Number((bytes / usualMs / copyRate).toPrecision(2));
  report({
    bench: 'gpu-workgroups',
    ...{ kernel: kernel.name, rows, width, mod: p, units },
    usual: { groups, ms: rounded(usualMs), share },
    ms: Object.fromEntries(numbers.map((k, i) => [k, rounded(others[i])])),
    firstMinimum: numbers[end],
    saved: Number((1 - others[end] / usualMs).toFixed(2)),
    adapter: gpu.name,
  });
}

/** Of the first dispatch of a call, which is made. */
function workgroupsOf(call) {
  let first;
  gpu.run = (...dispatch) => {
    first ??= dispatch[3];
    GpuDevice.prototype.run.apply(gpu, dispatch);
  };
  call();
  delete gpu.run;
  return first;
}

/** Milliseconds of each run. */
async function inTurns(runs, calls) {
  const least = runs.map(() => Number.POSITIVE_INFINITY);
  const warm = performance.now() + WARM;
  for (let look = 0; look < LOOKS; ) {
    const isWarm = performance.now() >= warm;
    for (const [i, run] of runs.entries()) {
      const ns = await gpu.time(() => {
        for (let call = 0; call < calls; call++) run();
      });
      if (isWarm) least[i] = Math.min(least[i], ns / 1e6 / calls);
    }
    if (isWarm) look++;
  }
  return least;
}

async function bytesOfCopy() {
  const [x, y] = [context.buffer(COPY_BYTES), context.buffer(COPY_BYTES)];
  const kernel = context.plainKernel('copy-words');
  const words = COPY_BYTES / 16;
  const [ms] = await inTurns([() => gpu.run(kernel, [x, y], [words], Math.ceil(words / WORKGROUP))], 4);
  for (const buffer of [x, y]) context.free(buffer);
  return (2 * COPY_BYTES) / ms;
}

function rounded(ms) {
  return Number(ms.toPrecision(3));
}
