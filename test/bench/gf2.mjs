/**
 * Elimination of random dense matrices over GF(2), ours with 1 and 2 threads beside M4RI (1 thread), in one run.
 *
 *   npm run bench -- gf2 [--case n]... [--rounds N] [--no-peer]
 *
 * Each round times ours with 1 thread, the peer by both of its methods (the faster counts), ours with 2 threads, ours
 * with 1 thread again; minima, since others use the machine too. A uniform n × n matrix has rank n − 3 or more but for
 * one in 40000, on both sides: that is checked, and test/kernels/gf2/bit-pluq.test.ts checks the rest. One JSON line a
 * contender.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { compiledM4ri, M4ri } from './peers/m4ri.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    case: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '5' },
    'no-peer': { type: 'boolean', default: false },
  },
});
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ BitMatrix }, { bitPluq }, { CounterRandom }, { Team }] = await Promise.all(
  ['kernels/gf2/bit-matrix.js', 'kernels/gf2/bit-pluq.js', 'fields/random.js', 'kernels/threads/team.js'].map(
    (path) => import(new URL(path, DIST).href),
  ),
);

/** Uniform bits, zeros behind column n − 1. */
function random(team, n, seed) {
  const a = new BitMatrix(team.memory, n, n);
  const source = new CounterRandom(seed, 1);
  const halves = new Uint32Array(2 * Math.ceil(n / 32));
  for (let i = 0; i < n; i++) {
    source.fillResidues(halves, 65536, i * halves.length);
    const row = a.row(i);
    for (let w = 0; 32 * w < n; w++) row[w] = halves[2 * w] | (halves[2 * w + 1] << 16);
    if (n % 32 > 0) row[n >> 5] &= 2 ** (n % 32) - 1;
  }
  return a;
}

function time(team, n, seed) {
  const a = random(team, n, seed);
  const start = performance.now();
  const { rank } = bitPluq(team, a);
  const ms = performance.now() - start;
  a.release();
  return { ms, rank };
}

function print(n, contender, threads, samples, extra) {
  for (const { rank } of samples) if (rank > n || rank < n - 3) throw new Error(`${contender}: rank ${rank} of ${n}`);
  const ms = Math.min(...samples.map((sample) => sample.ms));
  const times = { ms: Number(ms.toPrecision(3)), samples: samples.map((sample) => Math.round(sample.ms)) };
  report({ bench: 'gf2', n, contender, threads, ...times, ...extra(ms) });
}

const folder = mkdtempSync(join(tmpdir(), 'gf2-'));
const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
try {
  const peer = options['no-peer'] ? { missing: '--no-peer' } : compiledM4ri(folder);
  if (peer.missing) console.error(`gf2 bench: no peer: ${peer.missing}`);
  const [one, two] = [await Team.create(1), await Team.create(2)];
  for (const n of (options.case ?? ['4000', '10000']).map(Number)) {
    const m4ri = peer.program ? new M4ri(peer.program, n, n) : null;
    const times = { one: [], two: [], peer: [] };
    for (const team of [one, two]) time(team, 1000, 1); // V8 compiles the kernels twice
    for (let round = 0; round < rounds; round++) {
      times.one.push(time(one, n, 2 * round));
      for (const kind of m4ri ? ['ple', 'russian'] : []) times.peer.push(await m4ri.time(kind));
      times.two.push(time(two, n, 2 * round));
      times.one.push(time(one, n, 2 * round + 1));
    }
    m4ri?.end();
    const best = Math.min(...times.one.map((sample) => sample.ms));
    print(n, 'wiedemann', 1, times.one, () => ({ peakBytes: one.memory.peakBytes }));
    print(n, 'wiedemann', 2, times.two, (ms) => ({ speedup: Number((best / ms).toPrecision(3)) }));
    if (m4ri) print(n, 'M4RI', 1, times.peer, (ms) => ({ ours: Number((ms / best).toPrecision(3)) }));
  }
  await Promise.all([one, two].map((team) => team.dispose()));
} finally {
  clearInterval(awake);
  rmSync(folder, { recursive: true, force: true });
}
