/**
 * What `auto` chooses beside the best of the methods by name, in this process: no start, no reading.
 *
 *   npm run bench -- choice [--matrix TEXT]... [--file PATH]... [--mod P]... [--rounds N] [--most SECONDS] [--explain]
 *
 *   regret : seconds of `auto` above those of the fastest method; where `auto` proves its rank and that method leaves
 *            an error, above PROOF seconds more, which is what `auto` means to pay for it (algorithms/rank.ts)
 *
 * TEXT is any part of a name of choice-matrices.mjs. Processor seconds on one thread, minima of N rounds (default 2),
 * after one that is not counted; a method by name is given up when it takes three times the best so far, or `most`
 * seconds (default 20). All ranks of a matrix must agree. One JSON line a matrix and prime, then tables in markdown.
 */
import { parseArgs } from 'node:util';
import { MATRICES } from './choice-matrices.mjs';
import { choiceTables } from './choice-tables.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const METHODS = ['elimination', 'hybrid', 'wiedemann'];

/** Seconds from which on new code counts for little, and one round will do. */
const LONG = 4;

/** Seconds that a proof without probability is worth (algorithms/rank.ts). */
const PROOF = 0.1;

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string', multiple: true, default: [] },
    file: { type: 'string', multiple: true, default: [] },
    mod: { type: 'string', multiple: true, default: ['2', '3', '65521', '2147483629'] },
    rounds: { type: 'string', default: '2' },
    most: { type: 'string', default: '20' },
    explain: { type: 'boolean', default: false },
  },
});
const [rounds, most] = [Number(options.rounds), Number(options.most)];
if (!(rounds >= 1 && most > 0))
  throw new Error(
    `--rounds and --most: expected at least 1 and more than 0, got ${options.rounds} and ${options.most}`,
  );

const [{ rankBy }, { WordPrime }, { CpuExecutor }, { SparseMatrix }, { orderBasisEngines }, { readMatrix }] =
  await Promise.all(
    [
      'algorithms/rank.js',
      'fields/word-prime.js',
      'kernels/executors/cpu.js',
      'kernels/sparse/sparse-matrix.js',
      'algorithms/sigma-basis/create.js',
      'src/io/read-matrix.js',
    ].map((path) => import(new URL(path, DIST).href)),
  );

class TooLong extends Error {}

/** Processor seconds of one rank, which is given up after `limit` of them. */
async function timed(executor, method, residues, seed, limit) {
  const used = process.cpuUsage();
  const seconds = () => {
    const { user, system } = process.cpuUsage(used);
    return (user + system) / 1e6;
  };
  const check = () => {
    if (seconds() > limit) throw new TooLong();
  };
  const context = {
    ...{ executor, team: executor.team, seed, check, onProgress: () => {} },
    ...orderBasisEngines(executor, executor.team),
  };
  const answer = await rankBy(method, context, residues, { maxBytes: 2 ** 31 });
  return { ...answer, cpu: seconds() };
}

/** What is found in so many seconds, else why it is not. */
async function attempted(executor, method, residues, seed, limit) {
  try {
    return await timed(executor, method, residues, seed, limit);
  } catch (error) {
    if (error instanceof TooLong) return { cpu: null };
    // Its message says why a method cannot be: too much memory.
    if (error.name === 'MethodError') return { cpu: null, refused: error.message };
    throw error;
  }
}

/** The least of the rounds by method, which take turns; the first does not count, for it may meet new code. */
async function least(executor, residues) {
  const found = {};
  for (let round = 0; round <= rounds; round++) {
    for (const method of ['auto', ...METHODS]) {
      if (round > 0 && found[method].cpu === null) continue;
      const best = Math.min(...Object.values(found).map(({ cpu }) => cpu ?? Number.POSITIVE_INFINITY));
      const limit = method === 'auto' ? 2 * most : Math.min(most, 0.5 + 3 * best);
      const answer = await attempted(executor, method, residues, BigInt(round), limit);
      if (round <= 1 || answer.cpu < found[method].cpu) found[method] = answer;
    }
    if (found.auto.cpu > LONG) break;
  }
  return found;
}

async function* matrices() {
  const wanted = options.matrix.length + options.file.length > 0;
  for (const [name, make] of MATRICES) {
    if (!wanted || options.matrix.some((text) => name.includes(text))) {
      yield [name, (p) => sparse(make(p)).residues(p)];
    }
  }
  for (const path of options.file) {
    const matrix = await readMatrix(path);
    yield [path.split('/').at(-1), (p) => matrix.residues(p)];
  }
}

function sparse({ rows, cols, ...entries }) {
  return SparseMatrix.fromTriplets(rows, cols, entries);
}

const lines = [];
for await (const [name, residuesOf] of matrices()) {
  for (const p of options.mod.map(Number)) {
    const executor = await CpuExecutor.create(WordPrime.of(p));
    const residues = residuesOf(p);
    const { auto, ...found } = await least(executor, residues);
    executor.dispose();
    if (auto.cpu === null) throw new Error(`${name} mod ${p}: auto took more than ${2 * most} s`);
    for (const method of METHODS) {
      const { rank = auto.rank } = found[method];
      if (rank !== auto.rank) throw new Error(`${name} mod ${p}: ${auto.rank} by auto, ${rank} by ${method}`);
    }
    const best = Math.min(...METHODS.map((method) => found[method].cpu ?? Number.POSITIVE_INFINITY));
    const fastest = METHODS.find((method) => found[method].cpu === best);
    const proves = auto.errorLog2 === -Infinity && found[fastest].errorLog2 !== -Infinity;
    const regret = Math.max(0, auto.cpu - best - (proves ? PROOF : 0));
    const seconds = Object.fromEntries(METHODS.map((method) => [method, found[method].cpu]));
    const line = { matrix: name, p, rank: auto.rank, chosen: auto.method, auto: auto.cpu, best, regret };
    const explanation = options.explain ? { explanation: auto.explanation, spent: auto.seconds } : {};
    lines.push(report({ bench: 'choice', ...line, seconds, ...explanation }));
  }
}

console.log(`\n${choiceTables(lines)}`);
