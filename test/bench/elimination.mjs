/**
 * Deterministic ranks of generated matrices by elimination, in this process: no start, no reading.
 *
 *   npm run bench -- elimination [--threads N] [--rounds N] [--mod P]...
 *
 * Each rank is checked against the known one. `cpuSeconds` is the processor time of all threads: on a machine that
 * others use too it says more than the wall time. Minima; one JSON line a matrix and prime.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const INSTANCES = ['bibd_81_3', 'ch7-7-b4', 'ch8-8-b4', 'EX5', 'Trefethen_2000'];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    threads: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '3' },
    mod: { type: 'string', multiple: true, default: ['2', '3', '65521', '2147483629'] },
  },
});
const [threads, rounds] = [Number(options.threads), Number(options.rounds)];
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [
  { eliminationRank },
  { estimatesOver },
  { generate },
  { KNOWN_RANKS },
  { WordPrime },
  { SparseMatrix },
  { Team },
] = await Promise.all(
  [
    'algorithms/elimination/rounds.js',
    'algorithms/methods/costs.js',
    'data/families.js',
    'data/known-ranks.js',
    'fields/word-prime.js',
    'kernels/sparse/sparse-matrix.js',
    'kernels/threads/team.js',
  ].map((path) => import(new URL(path, DIST).href)),
);

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
const team = await Team.create(threads);
try {
  for (const known of KNOWN_RANKS.filter(({ instance }) => INSTANCES.includes(instance))) {
    const triplets = generate(known.family, known.args);
    const matrix = SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);
    for (const p of options.mod.map(Number)) {
      const F = WordPrime.of(p);
      const residues = matrix.residues(p);
      const times = { wallSeconds: Number.POSITIVE_INFINITY, cpuSeconds: Number.POSITIVE_INFINITY };
      let explanation = [];
      for (let round = 0; round < rounds; round++) {
        const used = process.cpuUsage();
        const start = performance.now();
        const result = await eliminationRank(team, F, residues, estimatesOver(F));
        const { user, system } = process.cpuUsage(used);
        times.wallSeconds = Math.min(times.wallSeconds, (performance.now() - start) / 1000);
        times.cpuSeconds = Math.min(times.cpuSeconds, (user + system) / 1e6);
        const expected = known.exceptions[p] ?? known.rank;
        if (result.rank !== expected) throw new Error(`${known.instance} mod ${p}: ${result.rank}, not ${expected}`);
        explanation = result.explanation;
      }
      const seconds = Object.fromEntries(Object.entries(times).map(([k, s]) => [k, Number(s.toPrecision(3))]));
      report({ bench: 'elimination', instance: known.instance, p, threads, ...seconds, explanation });
    }
  }
} finally {
  await team.dispose();
  clearInterval(awake);
}
