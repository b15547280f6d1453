/**
 * Two threads over one, phase by phase, of block Wiedemann in a process that has done it before: V8 has compiled
 * everything by then, as in a program that asks more than one question. `bench -- rank` measures processes that are new
 * each time.
 *
 *   npm run bench -- threads [--matrix NAME]... [--mod P] [--rounds N]
 *
 * In each round one thread and two take turns, by both formulas; each rank is checked. Ratios are of medians, of
 * neighbouring runs, of those of them that had two cores before and after (two-cores.mjs), and of the fastest. One JSON
 * line a matrix, formula and phase.
 */
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { generated, runContext } from './in-process.mjs';
import { report } from './report.mjs';
import { hadTwoCores, twoCores } from './two-cores.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const MATRICES = [
  { name: 'bibd_81_3', family: 'bibd', words: ['81', '3'], rank: 3240 },
  { name: 'EX5', family: 'ex', words: ['5'], rank: 4740 },
];
const UNMEASURED = 2; // rounds, in which V8 compiles

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string', multiple: true, default: MATRICES.map(({ name }) => name) },
    mod: { type: 'string', default: '65521' },
    rounds: { type: 'string', default: '15' },
  },
});
const [p, rounds] = [Number(options.mod), Number(options.rounds)];
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ rankOfMatrix }, { classicalRankOfMatrix }] = await Promise.all(
  ['algorithms/block-wiedemann/rank.js', 'algorithms/classical/classical-rank.js'].map(
    (path) => import(new URL(path, DIST).href),
  ),
);
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];
const least = (list) => Math.min(...list);
const digits = (x) => Number(x.toPrecision(3));

const awake = setInterval(() => {}, 1000); // the workers alone would not keep the process
const cores = await twoCores();
const contexts = await Promise.all([1, 2].map((threads) => runContext(p, threads)));
for (const name of options.matrix) {
  const known = MATRICES.find((matrix) => matrix.name === name);
  if (!known) throw new Error(`--matrix: expected one of ${MATRICES.map((m) => m.name).join(', ')}, got ${name}`);
  const residues = generated(known.family, known.words).residues(p);
  for (const [formula, rankOf] of [
    ['shifted', rankOfMatrix],
    ['classical', classicalRankOfMatrix],
  ]) {
    const taken = [[], []];
    for (let round = -UNMEASURED; round < rounds; round++) {
      for (const [which, context] of contexts.entries()) {
        cores.measure();
        const before = cores.ratios.at(-1);
        const start = performance.now();
        const { rank, seconds } = await rankOf({ ...context, seed: BigInt(round + UNMEASURED) }, residues);
        const whole = (performance.now() - start) / 1000;
        cores.measure();
        if (rank !== known.rank) throw new Error(`${name} mod ${p}, ${formula}: ${rank}, not ${known.rank}`);
        if (round >= 0) taken[which].push({ ...seconds, whole, cores: [before, cores.ratios.at(-1)] });
      }
    }
    for (const phase of ['sequence', 'sigmaBasis', formula === 'shifted' ? 'verification' : 'interpolation', 'whole']) {
      compare({ matrix: name, mod: p, formula, phase }, phase, taken);
    }
  }
}
for (const { executor } of contexts) executor.dispose();
await cores.end();
clearInterval(awake);

function compare(what, phase, [one, two]) {
  const of = (pick) => pick(one.map((run) => run[phase])) / pick(two.map((run) => run[phase]));
  if (median(one.map((run) => run[phase])) === 0) return;
  const pairs = one.map((run, r) => ({ ratio: run[phase] / two[r][phase], cores: [...run.cores, ...two[r].cores] }));
  const good = pairs.filter((pair) => hadTwoCores(pair.cores)).map(({ ratio }) => ratio);
  const ratios = {
    speedup: digits(of(median)),
    speedupOfNeighbours: digits(median(pairs.map(({ ratio }) => ratio))),
    speedupOnTwoCores: good.length === 0 ? null : digits(median(good)),
    roundsOnTwoCores: good.length,
    speedupOfFastest: digits(of(least)),
    speedupOfArithmetic: digits(median(cores.ratios)),
  };
  const seconds = [one, two].map((runs) => digits(median(runs.map((run) => run[phase]))));
  report({ bench: 'threads', ...what, seconds, ...ratios, rounds });
}
