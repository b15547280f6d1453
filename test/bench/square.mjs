/**
 * Minimal polynomials and determinants of square matrices beside the rank, whole processes, in one run.
 *
 *   npm run bench -- square [--matrix NAME] [--runs N] [--device NAME] [--mod P] [--peers FOLDER]
 *
 *   ours  : `rank`, `rank --method wiedemann`, `minpoly`, `det`, with 1 and 2 threads, or on the device named; N runs
 *   peers : LinBox's minpoly and det, a run each, where they can be compiled; FOLDER keeps them
 *
 * Runs take turns. Within a matrix every determinant and every degree must be the same. One JSON line a question:
 *   seconds : median of the whole process      ratio : to rank --method wiedemann for minpoly, to rank for det
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measured } from './measured-process.mjs';
import { linboxExample } from './peers/linbox-rank.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const CLI = fileURLToPath(new URL('bin/cli.js', DIST));

const MATRICES = [
  { name: 'Trefethen_20000', family: 'trefethen', words: [20000] },
  { name: 'EX5', family: 'ex', words: [5] },
  { name: 'random', family: 'random', words: [10000, 10000, 20, 65521, 1] },
  { name: 'delaunay', family: 'delaunay', words: [32768, 1] },
];
const QUESTIONS = [
  { question: 'rank', words: ['rank'], value: 'rank' },
  { question: 'rank by wiedemann', words: ['rank', '--method', 'wiedemann'], value: 'rank' },
  { question: 'minpoly', words: ['minpoly'], value: 'degree', beside: 'rank by wiedemann' },
  { question: 'det', words: ['det'], value: 'det', beside: 'rank' },
];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string' },
    runs: { type: 'string', default: '3' },
    device: { type: 'string' },
    mod: { type: 'string', default: '65521' },
    peers: { type: 'string' },
  },
});
const matrices = MATRICES.filter(({ name }) => options.matrix === undefined || options.matrix === name);
if (matrices.length === 0)
  throw new Error(`--matrix: expected one of ${MATRICES.map((m) => m.name).join(', ')}, got ${options.matrix}`);
const settings = options.device ? [['--device', options.device]] : [1, 2].map((threads) => ['--threads', `${threads}`]);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-square-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const peers = ['minpoly', 'det'].map((question) => {
  const { file, failure } = linboxExample(`${question}.C`, options.peers ?? folder);
  if (failure) console.error(`square bench: LinBox ${question} is missing: ${failure}`);
  return { question, file };
});

for (const matrix of matrices) {
  const file = await writeMatrix(matrix);
  for (const { question, file: program } of peers) {
    if (!program) continue;
    const { wall, status, stderr } = await measured(program, [file, options.mod], { OPENBLAS_NUM_THREADS: '1' });
    const failure = status === 0 ? undefined : stderr.trim().split('\n').at(-1);
    report({
      bench: 'square',
      matrix: matrix.name,
      mod: Number(options.mod),
      question,
      who: 'LinBox',
      threads: 1,
      seconds: wall,
      failure,
    });
  }
  for (const setting of settings) {
    const samples = QUESTIONS.map(() => []);
    for (let run = 0; run < Number(options.runs); run++) {
      for (const [k, { words }] of QUESTIONS.entries()) samples[k].push(await ask(words, file, setting, run));
    }
    const medians = samples.map((runs) => median(runs.map(({ wall }) => wall)));
    QUESTIONS.forEach(({ question, value, beside }, k) => {
      const answers = new Set(samples[k].map((sample) => sample[value]));
      if (answers.size > 1) throw new Error(`${matrix.name}: ${question} is ${[...answers].join(' and ')}`);
      const other = QUESTIONS.findIndex((each) => each.question === beside);
      const ratio = beside && Number((medians[k] / medians[other]).toFixed(2));
      const answer = String([...answers][0]);
      const [device, threads] = options.device ? [options.device, undefined] : ['cpu', Number(setting[1])];
      const who = 'wiedemann';
      report({
        bench: 'square',
        matrix: matrix.name,
        mod: Number(options.mod),
        question,
        who,
        device,
        threads,
        answer,
        seconds: medians[k],
        beside,
        ratio,
      });
    });
  }
  rmSync(file);
}

async function ask(words, file, setting, run) {
  const [verb, ...rest] = words;
  const all = [verb, file, '-p', options.mod, ...rest, ...setting, '--seed', String(run + 1), '--json', '--quiet'];
  const { stdout, stderr, status, wall } = await measured(process.execPath, [CLI, ...all]);
  if (status !== 0) throw new Error(`${all.join(' ')}: ${stderr.trim()}`);
  return { wall, ...JSON.parse(stdout) };
}

async function writeMatrix({ name, family, words }) {
  const [{ generate }, { SparseMatrix }, { writeSms }] = await Promise.all(
    ['data/families.js', 'kernels/sparse/sparse-matrix.js', 'src/io/write-matrix.js'].map(
      (path) => import(new URL(path, DIST).href),
    ),
  );
  const triplets = generate(family, words);
  const file = join(folder, `${name}.sms`);
  const text = writeSms(SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets));
  await pipeline(Readable.from(text), createWriteStream(file));
  return file;
}
