/**
 * PLUQ of random dense matrices, ours with 1 and 2 threads beside FFLAS-FFPACK's PLUQ (1 thread), in one run.
 *
 *   npm run bench -- pluq [--case n,rank,p]... [--rounds N] [--no-peer]
 *
 * Both ranks are checked against the planted one. Each round times ours with 1 thread, the peer with residues in [0, p)
 * and balanced (the faster counts), ours with 2 threads, ours with 1 thread again; minima, since others use the machine
 * too. One JSON line a case and contender.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { compiledPluq, FflasPluq } from './peers/fflas-pluq.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const CASES = ['2000,2000,65521', '4000,4000,65521', '2000,1000,65521', '4000,2000,65521'];
// Beyond the peer's doubles, or no match.
const ALONE = ['2000,2000,101', '2000,2000,2147483629', '4000,4000,2147483629'];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    case: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    'no-peer': { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ DenseMatrix }, { DenseProduct }, { pluq }, { WordPrime }, { CounterRandom }, { Team }] = await Promise.all(
  [
    'kernels/dense/dense-matrix.js',
    'kernels/dense/gemm.js',
    'kernels/dense/pluq.js',
    'fields/word-prime.js',
    'fields/random.js',
    'kernels/threads/team.js',
  ].map((path) => import(new URL(path, DIST).href)),
);

function random(team, F, rows, cols, stream) {
  const a = new DenseMatrix(team.memory, F, rows, cols);
  const source = new CounterRandom(17, stream);
  for (let i = 0; i < rows; i++) a.row(i).set(source.fillResidues(new Uint32Array(cols), F.p, i * cols));
  return a;
}

/** An n × n matrix of the given rank (but for a share of about 1/p), as rows on the host. */
function planted(team, F, n, rank) {
  const a = random(team, F, n, n, 1);
  if (rank < n) {
    const [x, y] = [random(team, F, n, rank, 2), random(team, F, rank, n, 3)];
    const columns = team.memory.alloc(4 * rank);
    team.memory.u32(columns, rank).set(Array.from({ length: rank }, (_, k) => k));
    const product = new DenseProduct(team, F);
    product.subtract(a, x, columns, y, n, rank, Math.ceil(n / 16) * 16, true);
    product.release();
    team.memory.release(columns);
    x.release();
    y.release();
  }
  const rows = Array.from({ length: n }, (_, i) => a.row(i).slice());
  a.release();
  return rows;
}

function time(team, F, rows) {
  const a = new DenseMatrix(team.memory, F, rows.length, rows[0].length);
  rows.forEach((row, i) => {
    a.row(i).set(row);
  });
  const start = performance.now();
  const { rank } = pluq(team, F, a);
  const ms = performance.now() - start;
  a.release();
  return { ms, rank };
}

function print(words, contender, threads, samples, extra) {
  const [n, rank, p] = words;
  for (const sample of samples) {
    if (sample.rank !== rank) throw new Error(`${contender}: rank ${sample.rank} of ${words}`);
  }
  const ms = Math.min(...samples.map((sample) => sample.ms));
  const times = { ms: Math.round(ms), samples: samples.map((sample) => Math.round(sample.ms)) };
  report({ bench: 'pluq', n, rank, p, contender, threads, ...times, ...extra(ms) });
}

const folder = mkdtempSync(join(tmpdir(), 'pluq-'));
const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
try {
  const peer = options['no-peer'] ? { missing: '--no-peer' } : compiledPluq(folder);
  if (peer.missing) console.error(`pluq bench: no peer: ${peer.missing}`);
  const [one, two] = [await Team.create(1), await Team.create(2)];
  for (const text of options.case ?? [...CASES, ...ALONE]) {
    const words = text.split(',').map(Number);
    const [n, rank, p] = words;
    const F = WordPrime.of(p);
    const rows = planted(two, F, n, rank);
    const fflas = peer.program && !ALONE.includes(text) ? new FflasPluq(peer.program, n, rank, p) : null;
    const times = { one: [], two: [], peer: [] };
    for (const team of [one, two]) time(team, F, rows.slice(0, 400)); // V8 compiles the kernels twice
    for (let round = 0; round < rounds; round++) {
      times.one.push(time(one, F, rows));
      for (const kind of fflas ? ['double', 'balanced'] : []) times.peer.push(await fflas.time(kind));
      times.two.push(time(two, F, rows));
      times.one.push(time(one, F, rows));
    }
    fflas?.end();
    const best = Math.min(...times.one.map((sample) => sample.ms));
    print(words, 'wiedemann', 1, times.one, () => ({ peakBytes: one.memory.peakBytes }));
    print(words, 'wiedemann', 2, times.two, (ms) => ({ speedup: Number((best / ms).toPrecision(3)) }));
    if (fflas) {
      const extra = (ms) => ({ blas: peer.blas, ours: Number((ms / best).toPrecision(3)) });
      print(words, 'FFLAS-FFPACK PLUQ', 1, times.peer, extra);
    }
  }
  await Promise.all([one, two].map((team) => team.dispose()));
} finally {
  clearInterval(awake);
  rmSync(folder, { recursive: true, force: true });
}
