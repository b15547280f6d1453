/**
 * Ranks of many small matrices: the stream `ranks`, the same matrices one question each, FLINT and PARI, in one run.
 *
 *   npm run bench -- many [--count N] [--size S] [--row R] [--mod P] [--threads T] [--rounds K] [--no-peer]
 *
 * N random S × S matrices with R entries a row. Ours takes SparseMatrix objects and gives outcomes, all steps between
 * among its time; one question each is asked N/20 times of one engine, and N/500 times of an engine of its own; the
 * peers' time is that of their elimination alone, on one thread. Sums of ranks must agree. Minima of the rounds, since
 * others use the machine too. `memory` is the growth of this process's resident set over the first tenth of the
 * stream, and over all of it, in MB: it says whether memory is flat. One JSON line a contender.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { flintRanks, pariRanks } from './peers/small-ranks.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const [{ createEngine, rank, SparseMatrix }, { random }] = await Promise.all(
  ['src/index.js', 'data/families/random.js'].map((path) => import(new URL(path, DIST).href)),
);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    count: { type: 'string', default: '10000' },
    size: { type: 'string', default: '100' },
    row: { type: 'string', default: '4' },
    mod: { type: 'string', default: '65521' },
    threads: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '3' },
    'no-peer': { type: 'boolean', default: false },
  },
});
const [count, size, row, p, threads, rounds] = ['count', 'size', 'row', 'mod', 'threads', 'rounds'].map((name) => {
  const value = Number(options[name]);
  if (!(Number.isInteger(value) && value > 0)) throw new Error(`--${name}: expected 1 or more, got ${options[name]}`);
  return value;
});

const triplets = Array.from({ length: count }, (_, k) => {
  const { rowIdx, colIdx, values } = random(size, size, row, p, k + 1);
  return { rowIdx, colIdx, values: Int32Array.from(values) };
});
const matrices = triplets.map((one) => SparseMatrix.fromTriplets(size, size, one));
const [ONE, COLD] = ['rank, one by one', 'rank, an engine each'];
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
const megabytes = () => process.memoryUsage().rss / 2 ** 20;

async function stream(engine) {
  // Idle since the round before, threads and their code are warmed.
  for await (const { error } of engine.ranks(matrices.slice(0, Math.ceil(count / 4)), { mod: p }))
    if (error) throw error;
  const [start, before] = [performance.now(), megabytes()];
  let [sum, tenth] = [0, 0];
  for await (const { index, outcome, error } of engine.ranks(matrices, { mod: p, seed: 1 })) {
    if (error !== null) throw error;
    sum += outcome.value;
    if (index === Math.floor(count / 10)) tenth = megabytes() - before;
  }
  return { ms: performance.now() - start, sum, memory: [tenth, megabytes() - before].map(Math.round) };
}

/** One question each about some matrices; `ms` is for all of them at that rate. */
async function single(ask, step) {
  const start = performance.now();
  let [sum, asked] = [0, 0];
  for (let k = 0; k < count; k += step, asked++) sum += (await ask(matrices[k], { mod: p, seed: 1 })).value;
  return { ms: ((performance.now() - start) * count) / asked, sum };
}

const folder = mkdtempSync(join(tmpdir(), 'many-'));
const file = join(folder, 'matrices.sms');
writeFileSync(
  file,
  triplets
    .map(
      ({ rowIdx, colIdx, values }) =>
        `${size} ${size} M\n${Array.from(rowIdx, (i, at) => `${i + 1} ${colIdx[at] + 1} ${values[at]}\n`).join('')}0 0 0\n`,
    )
    .join(''),
);
const engines = [threads, 1].map((own) => createEngine({ threads: own }));
try {
  const contenders = {
    [`ranks, ${threads} threads`]: () => stream(engines[0]),
    'ranks, 1 thread': () => stream(engines[1]),
    [ONE]: () => single((...asked) => engines[1].rank(...asked), 20),
    [COLD]: () => single(rank, 500),
    ...(options['no-peer']
      ? {}
      : { FLINT: () => flintRanks(folder, file, p), PARI: () => pariRanks(folder, size, triplets, p) }),
  };
  const best = {};
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(contenders)) {
      collectGarbage(); // of the contender before
      const found = await run();
      if (best[name] === undefined || found.ms < best[name].ms) best[name] = found;
    }
  }
  const [ours] = Object.values(best);
  for (const [contender, { ms, sum, memory, missing }] of Object.entries(best)) {
    if (missing === undefined && ![ONE, COLD].includes(contender) && sum !== ours.sum)
      throw new Error(`${contender}: ranks add up to ${sum}, expected ${ours.sum}`);
    const times = missing === undefined ? { ms: Math.round(ms), ratio: Number((ms / ours.ms).toPrecision(3)) } : {};
    report({ bench: 'many', count, size, row, mod: p, contender, ...times, sum, memory, missing });
  }
} finally {
  await Promise.all(engines.map((engine) => engine.dispose()));
  rmSync(folder, { recursive: true });
}
