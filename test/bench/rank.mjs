/**
 * Rank of real matrices, whole processes, ours beside LinBox's, in one run.
 *
 *   npm run bench -- rank [--matrix NAME] [--runs N] [--rounds N] [--quick | --big] [--peers FOLDER]
 *                         [--spasm FOLDER] [--limit SECONDS]
 *
 *   ours  : `wiedemann rank FILE -p P --json` with 1 and 2 threads, --method auto, and wiedemann by both formulas; N
 *           runs each (default 5, --big 1)
 *   peers : LinBox's rank and block rank (peers/linbox-rank.mjs), one run each a round; --quick leaves them out; FOLDER
 *           keeps the programs, and has them where a machine cannot compile them
 *   --big : what a user gets, `--method auto`, 2 threads, with peak memory, beside eliminations of LinBox and SpaSM
 *           (peers/eliminations.mjs), which are ended after so many seconds
 *
 * Ours is run in full before each peer's run and after the last, so that a machine that slows down slows both. Every
 * rank is compared with the known one before its time counts. One JSON line a run, then tables (rank-tables.mjs).
 * Nothing else should run meanwhile: the load is printed, and two threads beside other work show no speedup.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { hasGnuTime, measured } from './measured-process.mjs';
import { eliminations } from './peers/eliminations.mjs';
import { linboxPeers } from './peers/linbox-rank.mjs';
import { rankTables } from './rank-tables.mjs';
import { report } from './report.mjs';
import { twoCores } from './two-cores.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const CLI = fileURLToPath(new URL('bin/cli.js', DIST));
const SMALL_PRIME = 65521;
const LARGE_PRIME = 2147483629;

/** rank: null where no theorem gives it; then both of the verified answer's bounds must agree. */
const COMPARED = [
  { name: 'bibd_81_3', family: 'bibd', words: [81, 3], primes: [SMALL_PRIME], rank: 3240 },
  { name: 'EX5', family: 'ex', words: [5], primes: [SMALL_PRIME], rank: 4740 },
];
const BIG = [
  { name: 'bibd_81_3', family: 'bibd', words: [81, 3], primes: [SMALL_PRIME], rank: 3240 },
  { name: 'ch7-7-b3', family: 'ch', words: [7, 7, 3], primes: [SMALL_PRIME], rank: 6516 },
  { name: 'mk11-b4', family: 'mk', words: [11, 4], primes: [SMALL_PRIME], rank: null },
  { name: 'ch7-7-b4', family: 'ch', words: [7, 7, 4], primes: [SMALL_PRIME], rank: 22884 },
  { name: 'EX5', family: 'ex', words: [5], primes: [SMALL_PRIME], rank: 4740 },
  { name: 'mk13-b5', family: 'mk', words: [13, 5], primes: [SMALL_PRIME], rank: 134211 },
  { name: 'ch8-8-b4', family: 'ch', words: [8, 8, 4], primes: [SMALL_PRIME, LARGE_PRIME], rank: 100289 },
  { name: 'Trefethen_20000', family: 'trefethen', words: [20000], primes: [SMALL_PRIME], rank: null },
  { name: 'random', family: 'random', words: [10000, 10000, 20, SMALL_PRIME, 1], primes: [SMALL_PRIME], rank: null },
];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string' },
    runs: { type: 'string' },
    rounds: { type: 'string', default: '1' },
    quick: { type: 'boolean', default: false },
    big: { type: 'boolean', default: false },
    peers: { type: 'string' },
    spasm: { type: 'string' },
    limit: { type: 'string', default: '120' },
  },
});
const known = options.big ? BIG : COMPARED;
const matrices = known.filter(({ name }) => options.matrix === undefined || options.matrix === name);
const runs = Number(options.runs ?? (options.big ? 1 : 5));
const rounds = Number(options.rounds);
if (matrices.length === 0)
  throw new Error(`--matrix: expected one of ${known.map((m) => m.name).join(', ')}, got ${options.matrix}`);
if (!(runs >= 1 && rounds >= 1)) throw new Error(`--runs and --rounds: expected at least 1, got ${runs} and ${rounds}`);

const say = (line) => console.error(`rank bench: ${line}`);

/**
 * `formula` auto: what a user gets, by the method that is chosen; shifted and classical: block Wiedemann, whose phases
 * are compared.
 */
function ours(threads, formula) {
  let seed = 0;
  return {
    name: 'wiedemann',
    threads,
    formula,
    async run(file, mod) {
      seed++;
      const how = formula === 'auto' ? ['--method', 'auto'] : ['--method', 'wiedemann', '--formula', formula];
      const words = ['--threads', threads, ...how, '--seed', seed, '--json', '--quiet'];
      const run = await measured(process.execPath, [CLI, 'rank', file, '-p', mod, ...words].map(String));
      if (run.status !== 0) return { ...run, failure: run.stderr.trim() };
      const { rank, method: found, seconds, block, lowerBound, upperBound, errorLog2 } = JSON.parse(run.stdout);
      return { ...run, rank, method: found, seconds, block, lowerBound, upperBound, errorLog2 };
    },
  };
}

/** One run, checked; it counts unless it failed or answered wrongly, which also fails the benchmark. */
async function take(contender, matrix, mod, file, pass) {
  const { name, threads, formula } = contender;
  const run = await contender.run(file, mod);
  if (run === null) return [];
  const { stdout, stderr, status, failure, ...numbers } = run;
  const who = `${name}, ${threads} thread(s)${formula ? `, ${formula}` : ''}, ${matrix.name} mod ${mod}`;
  const earlier = lines.find((line) => line.matrix === matrix.name && line.mod === mod); // ours comes first
  const wanted = matrix.rank ?? numbers.upperBound ?? earlier?.rank;
  const isRight = numbers.over !== undefined || numbers.rank === wanted;
  const wrong = failure ?? (isRight ? null : `expected rank ${wanted}, got ${numbers.rank}`);
  if (wrong !== null) {
    say(`${who}: ${wrong}`);
    process.exitCode = 1;
    return [];
  }
  const fileBytes = options.big ? statSync(file).size : undefined;
  return [{ bench: 'rank', matrix: matrix.name, mod, name, threads, formula, pass, fileBytes, ...numbers }];
}

async function writeMatrix({ name, family, words }, folder) {
  const [{ generate }, { SparseMatrix }, { writeSms }] = await Promise.all(
    ['data/families.js', 'kernels/sparse/sparse-matrix.js', 'src/io/write-matrix.js'].map(
      (path) => import(new URL(path, DIST).href),
    ),
  );
  const triplets = generate(family, words);
  const file = join(folder, `${name}.sms`);
  await pipeline(
    Readable.from(writeSms(SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets))),
    createWriteStream(file),
  );
  return file;
}

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-rank-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
if (!hasGnuTime) say('memory and processor time are not measured: GNU time is not installed (Debian: time)');
const programs = options.peers ?? folder;
const rivals = () =>
  options.big ? eliminations(programs, options.spasm, Number(options.limit), say) : linboxPeers(programs, say);
const peers = options.quick ? [] : rivals();
const contenders = options.big
  ? [ours(2, 'auto')]
  : ['auto', 'shifted', 'classical'].flatMap((formula) => [1, 2].map((threads) => ours(threads, formula)));
const twoDigits = (ratio) => Number(ratio.toFixed(2));
const cores = await twoCores();
const lines = [];
for (const matrix of matrices) {
  const file = await writeMatrix(matrix, folder);
  for (const mod of matrix.primes) {
    const turns = Array.from({ length: rounds }, () => peers).flat();
    cores.ratios.length = 0;
    cores.measure();
    const takeBetween = async (contender, pass) => {
      const before = cores.ratios.at(-1);
      const taken = await take(contender, matrix, mod, file, pass);
      cores.measure();
      for (const sample of taken)
        lines.push(report({ ...sample, cores: [before, cores.ratios.at(-1)].map(twoDigits) }));
    };
    for (let pass = 0; pass < Math.max(runs, turns.length + 1); pass++) {
      for (const contender of contenders) await takeBetween(contender, pass);
      if (pass < turns.length) await takeBetween(turns[pass], pass);
    }
  }
  rmSync(file);
}
await cores.end();
if (lines.length > 0) console.log(`\n${rankTables(lines)}`);
