/**
 * What the self-checks of block Wiedemann cost: whole processes with them and without, by turns.
 *
 *   npm run bench -- self-checks [--matrix NAME]... [--question NAME] [--mod P] [--threads N] [--rounds N]
 *
 *   cpu  : seconds of processor time of a process, the median of the rounds, which a busy machine leaves nearly alone
 *   cost : that of the checks in percent of the processor time without them, the median of the rounds' pairs
 *   wall : likewise
 *   parts: what a phase takes more with the checks, in percent of the wall time without them, likewise: in the setup
 *          products with D, in the sequence marks, sums and the steps to the end of an interval, in the order basis its
 *          check; in det and minpoly all but the check of the order basis is in the sequence
 *
 * Both answers of a pair must be the same. One JSON line a matrix and number of threads.
 */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measured } from './measured-process.mjs';
import { report } from './report.mjs';

const CLI = fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url));

const MATRICES = [
  { name: 'bibd_81_3', words: ['bibd', 81, 3] },
  { name: 'EX5', words: ['ex', 5] },
  { name: 'ch7-7-b3', words: ['ch', 7, 7, 3] },
  { name: 'random_10000', words: ['random', 10000, 10000, 20, 65521, 1] },
  { name: 'trefethen_20000', words: ['trefethen', 20000] },
  { name: 'random_30000', words: ['random', 30000, 30000, 20, 65521, 1] },
  { name: 'random_44000', words: ['random', 44000, 44000, 13, 65521, 1] },
];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string', multiple: true, default: MATRICES.map(({ name }) => name) },
    question: { type: 'string', default: 'rank' },
    mod: { type: 'string', default: '65521' },
    threads: { type: 'string', multiple: true, default: ['1', '2'] },
    rounds: { type: 'string', default: '5' },
  },
});
const { question } = options;
const rounds = Number(options.rounds);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const digits = (x) => Number(x.toPrecision(3));

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-self-checks-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

for (const name of options.matrix) {
  const matrix = MATRICES.find((known) => known.name === name);
  if (!matrix) throw new Error(`--matrix: expected one of ${MATRICES.map((m) => m.name).join(', ')}, got ${name}`);
  const file = join(folder, `${name}.sms`);
  await writeMatrix(matrix.words, file);
  for (const threads of options.threads) {
    const pairs = [];
    for (let round = 0; round < rounds; round++) pairs.push(await pair(file, threads, round));
    const of = (pick) =>
      [false, true].map((checked) => digits(median(pairs.map((each) => pick(each[Number(checked)])))));
    const cost = (pick) => digits(100 * (median(pairs.map(([off, on]) => pick(on) / pick(off))) - 1));
    const phases = Object.keys(pairs[0][0].seconds);
    report({
      ...{ bench: 'self-checks', question, matrix: name, mod: Number(options.mod), threads: Number(threads), rounds },
      cpu: of(({ cpu }) => cpu),
      cost: cost(({ cpu }) => cpu),
      wall: of(({ wall }) => wall),
      costOfWall: cost(({ wall }) => wall),
      seconds: Object.fromEntries(phases.map((phase) => [phase, of(({ seconds }) => seconds[phase])])),
      parts: Object.fromEntries(phases.map((phase) => [phase, part(pairs, phase)])),
    });
  }
}

function part(pairs, phase) {
  return digits(100 * median(pairs.map(([off, on]) => (on.seconds[phase] - off.seconds[phase]) / off.wall)));
}

/** A run without checks and one with them, in either order by turns. */
async function pair(file, threads, round) {
  const runs = [];
  for (const checked of round % 2 === 0 ? [false, true] : [true, false]) {
    const words = [
      question,
      file,
      '-p',
      options.mod,
      '--method',
      'wiedemann',
      '--threads',
      threads,
      '--seed',
      `${round}`,
    ];
    if (question === 'minpoly') words.splice(words.indexOf('--method'), 2);
    if (checked) words.push('--self-checks');
    else if (question === 'rank') words.push('--no-self-checks');
    const ran = await measured(process.execPath, [CLI, ...words, '--json']);
    if (ran.status !== 0)
      throw new Error(`self-checks bench: ${question} ${file} ended with ${ran.status}: ${ran.stderr}`);
    runs[Number(checked)] = { ...ran, answer: JSON.parse(ran.stdout) };
  }
  const values = runs.map(({ answer }) => JSON.stringify([answer.rank, answer.minpoly, answer.det, answer.degree]));
  if (values[0] !== values[1]) throw new Error(`self-checks bench: ${file}: ${values.join(' and ')}`);
  return runs.map((run) => ({ ...run, seconds: run.answer.seconds }));
}

async function writeMatrix(words, file) {
  const { spawn } = await import('node:child_process');
  const child = spawn(process.execPath, [CLI, 'generate', ...words.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await pipeline(Readable.from(child.stdout), createWriteStream(file));
}
