/**
 * Sparse matrix times block of vectors, ours beside FFLAS-FFPACK 2.5, in one run.
 *
 *   npm run bench -- spmm [--matrix NAME] [--mod P] [--width N] [--threads N] [--runs N] [--storage NAME] [--no-peer]
 *                         [--peers FOLDER]
 *
 * FOLDER keeps the peer's program, and has it where a machine cannot compile it.
 *
 * Gop/s = 2 · nnz · width / time of a whole product, reduction and store included. A product is compared with the
 * reference executor's and with every variant of the peer before anything is timed; variants that differ are left out.
 * Then both warm up, the peer's fastest variant is chosen, and products alternate. One JSON line a matrix and modulus.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compiledPeer, Peer } from './peers/fflas-spmm.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const ours = (file) => import(new URL(file, DIST).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CpuExecutor } = await ours('kernels/executors/cpu.js');
const { ReferenceExecutor } = await ours('kernels/executors/reference.js');
const { SparseMatrix, transpose: transposeRows } = await ours('kernels/sparse/sparse-matrix.js');
const { generate } = await ours('data/families.js');

/** factor: how many times faster than the peer is asked of us for p < 2^16. */
const MATRICES = [
  { name: 'bibd_81_3', family: 'bibd', words: [81, 3], factor: 1.5 },
  { name: 'bibd_81_3^T', family: 'bibd', words: [81, 3], transpose: true, factor: 1.5 },
  { name: 'ch8-8-b4', family: 'ch', words: [8, 8, 4], factor: 1.5 },
  { name: 'ch8-8-b4^T', family: 'ch', words: [8, 8, 4], transpose: true, factor: 1.5 },
  { name: 'random_10000', family: 'random', words: [10000, 10000, 20, 'p', 1], factor: 1 },
  { name: 'random_200000', family: 'random', words: [200000, 200000, 20, 'p', 1], factor: 1 },
];
const LARGE_FACTOR = 3; // asked of us for 31-bit primes
const MODULI = [65521, 2147483629];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string' },
    mod: { type: 'string' },
    width: { type: 'string', default: '16' },
    threads: { type: 'string', default: '1' },
    runs: { type: 'string', default: '25' },
    storage: { type: 'string' },
    'no-peer': { type: 'boolean', default: false },
    peers: { type: 'string' },
  },
});
const [width, threads, runs] = [options.width, options.threads, options.runs].map(Number);
const moduli = options.mod === undefined ? MODULI : [Number(options.mod)];
const matrices = MATRICES.filter(({ name }) => options.matrix === undefined || options.matrix === name);
if (matrices.length === 0)
  throw new Error(`--matrix: expected one of ${MATRICES.map((m) => m.name).join(', ')}, got ${options.matrix}`);

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-spmm-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const peerProgram = options['no-peer'] ? { missing: '--no-peer' } : compiledPeer(options.peers ?? folder);
if (peerProgram.missing) console.error(`no peer: ${peerProgram.missing}`);
const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

for (const p of moduli) {
  const field = WordPrime.of(p);
  const executor = await CpuExecutor.create(field, { threads });
  for (const matrix of matrices) await compare(executor, field, matrix, p);
  executor.dispose();
}

async function compare(executor, field, { name, family, words, transpose, factor }, p) {
  const made = generate(
    family,
    words.map((word) => String(word === 'p' ? p : word)),
  );
  const straight = SparseMatrix.fromTriplets(made.rows, made.cols, made).residues(p);
  const a = transpose ? transposeRows(straight) : straight;
  const entries = new Uint32Array(a.cols * width).map((_, i) => (Math.imul(i, 2654435761) >>> 0) % p);
  const checked = product(new ReferenceExecutor(field), a, entries);
  const { x, y, operator } = placed(executor, a, entries);
  operator.apply(y, x);
  if (!executor.read(y).every((v, i) => v === checked[i])) throw new Error(`${name} mod ${p}: wrong product`);

  const peer = peerProgram.program ? await Peer.start(peerProgram.program, folder, a, p, width) : null;
  const variant = peer && (await fastest(peer, checksum(checked, p)));
  const own = () => {
    const start = performance.now();
    const before = process.cpuUsage();
    operator.apply(y, x);
    const { user, system } = process.cpuUsage(before);
    return { wall: performance.now() - start, cpu: (user + system) / 1000 };
  };
  const end = performance.now() + 1000;
  while (performance.now() < end) own(); // V8 compiles hot kernels a second time
  const [mine, theirs] = [[], []];
  for (let run = 0; run < runs; run++) {
    // The first product of a turn brings back the caches that the other one's took.
    own();
    mine.push(own());
    if (!variant) continue;
    await peer.time(variant);
    theirs.push(await peer.time(variant));
  }
  peer?.end();
  operator.free();
  executor.release(x);
  executor.release(y);
  report({
    bench: 'spmm',
    ...{ matrix: name, rows: a.rows, cols: a.cols, nnz: a.colIdx.length, mod: p, width, threads },
    ...rates('wall', mine, variant && theirs, a),
    ...(variant && { peer: variant, asked: p < 2 ** 16 ? factor : LARGE_FACTOR }),
    // The processes' own clocks, which other work on the machine disturbs less.
    ...(threads === 1 && { cpu: rates('cpu', mine, variant && theirs, a) }),
    runs,
  });
}

/** Medians by one clock: milliseconds and Gop/s of both, and how many times faster ours is. */
function rates(clock, mine, theirs, a) {
  const ms = median(mine.map((time) => time[clock]));
  const gops = (time) => Number(((2 * a.colIdx.length * width) / time / 1e6).toFixed(2));
  const own = { ms: Number(ms.toFixed(3)), gops: gops(ms) };
  if (!theirs) return own;
  const peerMs = median(theirs.map((time) => time[clock]));
  return { ...own, peerMs: Number(peerMs.toFixed(3)), peerGops: gops(peerMs), ratio: Number((peerMs / ms).toFixed(2)) };
}

function placed(executor, a, entries) {
  const x = executor.vector(a.cols, width);
  executor.write(x, entries);
  const storage = options.storage ? { storage: options.storage } : {};
  return { x, y: executor.vector(a.rows, width), operator: executor.operator(a, { use: 'apply', ...storage }) };
}

function product(executor, a, entries) {
  const { x, y, operator } = placed(executor, a, entries);
  operator.apply(y, x);
  return executor.read(y);
}

/** Σ Y[i]·(i mod 65521 + 1) mod p, i flat: every term is below 2^47. */
function checksum(y, p) {
  let sum = 0;
  for (let i = 0; i < y.length; i++) sum = (sum + y[i] * ((i % 65521) + 1)) % p;
  return sum;
}

/** The variant of the least time of three, among those that are right. */
async function fastest(peer, expected) {
  const times = new Map();
  for (const [variant, sum] of peer.variants) {
    if (sum !== expected) continue;
    const runs = [];
    for (let run = 0; run < 3; run++) runs.push((await peer.time(variant)).cpu);
    times.set(variant, Math.min(...runs));
  }
  return [...times].sort((a, b) => a[1] - b[1])[0]?.[0] ?? null;
}
