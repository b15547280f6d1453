/**
 * Block Lanczos: the kernels of its step, in this process, and whole systems beside block Wiedemann.
 *
 *   npm run bench -- lanczos [--device cpu|gpu] [--threads N] [--rounds N] [--mod P] [--family 'NAME ARGS']
 *
 *   product : B·V     dots : VᵀBV, (BV)ᵀBV and VᵀC     update : V ← V + V'·M, three a step     answer : Z ← Z + V·M
 *
 * V has n columns, Z and C have one, or 64 mod 2, where columns are bits. The kernels are least milliseconds of a call.
 * Their shares of the bandwidth are those of a copy of 64 MB on the same device, by the bytes that a kernel has to read
 * and write (algorithms/lanczos/step-kernels.ts). Each system is solved by both methods in turn, and each solution
 * multiplied by A; block Wiedemann serves nonsingular matrices alone. Seconds are the least of the rounds. One JSON
 * line a matrix for the kernels, and one for the systems, each as soon as it is known: systems take minutes in
 * software. stderr says what is being solved.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { generated, runContext } from './in-process.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    device: { type: 'string', default: 'cpu' },
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    mod: { type: 'string', default: '65521' },
    family: { type: 'string' },
  },
});
const [threads, rounds, mod] = [options.threads, options.rounds, options.mod].map(Number);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);
if (!['cpu', 'gpu'].includes(options.device)) throw new Error(`--device: expected cpu or gpu, got ${options.device}`);

const FAMILIES = [
  ['Trefethen_2000', ['trefethen', 2000]],
  ['random', ['random', 10000, 10000, 20, 65521, 1]],
];
const words = options.family?.split(' ').map((word) => (/^\d+$/.test(word) ? Number(word) : word));
const matrices = words ? [[options.family, words]] : FAMILIES;

const [
  { solve },
  { multiply },
  { NormalOperator },
  { FieldSpace },
  { BitSpace },
  { lanczosWidth },
  { bytesOfKernels },
  { WorkingField },
  { GpuExecutor },
  { WordPrime },
] = await Promise.all(
  [
    'algorithms/solve.js',
    'algorithms/factor/products.js',
    'algorithms/lanczos/normal-operator.js',
    'algorithms/lanczos/field-space.js',
    'algorithms/lanczos/bit-space.js',
    'algorithms/lanczos/attempt.js',
    'algorithms/lanczos/step-kernels.js',
    'algorithms/block-wiedemann/working-field.js',
    'kernels/executors/gpu.js',
    'fields/word-prime.js',
  ].map((path) => import(new URL(path, DIST).href)),
);

/** Calls between two looks at the clock, and looks. */
const [CALLS, LOOKS] = [5, 8];
const COPY_BYTES = 2 ** 26;

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
for (const [name, [family, ...args]] of matrices) {
  const threaded = await runContext(mod, threads);
  const executor = options.device === 'gpu' ? await GpuExecutor.create(WordPrime.of(mod)) : threaded.executor;
  const context = { ...threaded, executor };
  const a = generated(family, args).residues(mod);
  const x = Uint32Array.from({ length: a.cols }, (_, i) => ((i + 1) * 48271) % mod);
  const b = multiply(executor.field, a, x, 1);
  const about = { bench: 'lanczos', device: options.device, matrix: name, mod, threads };
  report({ ...about, ...(await kernelTimes(executor, a)) });
  const seconds = {};
  for (let round = 0; round < rounds; round++) {
    for (const method of ['lanczos', 'wiedemann']) {
      console.error(`bench lanczos: ${name} by ${method}, round ${round + 1} of ${rounds}`);
      const start = performance.now();
      const { solution, reason } = await solve(context, a, b, 1, { method });
      const wall = (performance.now() - start) / 1000;
      if (solution === null && method === 'wiedemann') continue; // A is singular
      const isRight = solution !== null && multiply(executor.field, a, solution, 1).every((value, i) => value === b[i]);
      if (!isRight) throw new Error(`${name}, ${method}: expected a solution, got ${reason ?? 'another vector'}`);
      seconds[method] = Math.min(seconds[method] ?? Number.POSITIVE_INFINITY, wall);
    }
  }
  report({ ...about, seconds });
  if (executor !== threaded.executor) executor.dispose();
  threaded.executor.dispose();
}
clearInterval(awake);

/** Milliseconds of the parts of a step, and their shares of the bandwidth of a copy. */
async function kernelTimes(executor, matrix) {
  const { rows: M, cols: N, colIdx } = matrix;
  const working = new WorkingField(executor, 'column');
  const n = mod === 2 ? 64 : lanczosWidth(N, working);
  const word = executor.field.isU16 ? 2 : 4;
  // Bytes of a row of V, of Z, and of an entry of A.
  const wide = mod === 2 ? 8 : working.k * n * word;
  const [narrow, entry] = mod === 2 ? [8, 4] : [working.k * word, 4 + word];
  const { space, vector, free } = spaceOf(executor, matrix, working, n);
  const [v, image, z, c] = [space.vector(), space.vector(), vector(), vector()];
  const square = space.algebra.projection(new Array(n).fill(true));
  const right = mod === 2 ? square : square.slice(0, n);
  // What the device has been told is done when a word of it has been read.
  const last = executor.vector(1, 1);
  const settle = () => executor.read(last);
  const kernels = {
    product: () => space.apply(image, v),
    dots: () => space.products(v, image, c),
    update: () => space.axpy(image, v, square),
    answer: () => space.axpy(z, v, right),
  };
  const rowBytes = { entryBytes: entry, wideBytes: wide, narrowBytes: narrow };
  const bytes = bytesOfKernels({ rows: M, cols: N, nnz: colIdx.length, ...rowBytes });
  const [to, from] = [0, 1].map(() => executor.vector(COPY_BYTES / (16 * word), 16));
  const copy = await leastMs(() => executor.copy(to, from), settle);
  const gbps = (bytes, ms) => bytes / ms / 1e6;
  const limit = gbps(2 * COPY_BYTES, copy);
  const [ms, share] = [{}, {}];
  for (const [kernel, work] of Object.entries(kernels)) {
    const least = await leastMs(work, settle);
    ms[kernel] = Number(least.toPrecision(3));
    share[kernel] = Number((gbps(bytes[kernel], least) / limit).toPrecision(2));
  }
  free();
  return { width: n, ms, copyGBps: Number(limit.toPrecision(3)), share };
}

/** The space of block Lanczos for the matrix, and vectors as Z. */
function spaceOf(executor, matrix, working, n) {
  if (mod === 2) {
    const bits = executor.bitColumns();
    const space = new BitSpace(executor, bits, bits.operator(matrix), 1n);
    return { space, vector: () => space.vector(), free: () => bits.dispose() };
  }
  const normal = new NormalOperator(executor, executor.operator(matrix), working, 1n);
  const space = new FieldSpace(executor, normal, working, n, 1);
  return { space, vector: () => executor.vector(matrix.cols, working.k), free: () => space.free() };
}

async function leastMs(work, settle) {
  let [least, idle] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let look = 0; look < LOOKS; look++) {
    const before = performance.now();
    await settle();
    const start = performance.now();
    for (let call = 0; call < CALLS; call++) await work();
    await settle();
    const end = performance.now();
    idle = Math.min(idle, start - before);
    least = Math.min(least, end - start);
  }
  return Math.max(least - idle, 0) / CALLS;
}
