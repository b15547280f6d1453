/**
 * Systems A·x = b, and kernels of boundary matrices, whole processes beside peers, in one run.
 *
 *   npm run bench -- systems [--matrix NAME] [--runs N] [--device NAME] [--mod P] [--limit S]
 *                            [--peers FOLDER] [--spasm FOLDER]
 *
 *   ours  : `solve`, b a product by A, with 1 and 2 threads, or on the device named; `nullspace` and
 *           `nullspace --left` with 2, written to a file; N runs
 *   peers : LinBox's solve by black box and by sparse elimination, compiled into FOLDER; SpaSM's solve of x·Aᵀ = b and
 *           its kernel, programs of FOLDER; a run each, ended after S seconds
 *
 * Every answer of ours has been multiplied by A. One JSON line a program:
 *   seconds : median of the whole process      ratio : of the peer's seconds to ours on 2 threads, or on the device
 */
import { createWriteStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measured } from './measured-process.mjs';
import { linboxProgram } from './peers/linbox-rank.mjs';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);
const CLI = fileURLToPath(new URL('bin/cli.js', DIST));

const MATRICES = [
  { name: 'Trefethen_20000', family: 'trefethen', words: [20000], question: 'solve' },
  { name: 'random', family: 'random', words: [10000, 10000, 20, 65521, 1], question: 'solve' },
  { name: 'EX5', family: 'ex', words: [5], question: 'solve' },
  { name: 'bibd_81_3', family: 'bibd', words: [81, 3], question: 'solve' },
  { name: 'ch7-7-b4', family: 'ch', words: [7, 7, 4], question: 'solve' },
  { name: 'mk13-b5', family: 'mk', words: [13, 5], question: 'nullspace', sides: ['left'] },
  { name: 'ch8-8-b4', family: 'ch', words: [8, 8, 4], question: 'nullspace', sides: ['right', 'left'] },
];

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string' },
    runs: { type: 'string', default: '3' },
    device: { type: 'string' },
    mod: { type: 'string', default: '65521' },
    limit: { type: 'string', default: '120' },
    peers: { type: 'string' },
    spasm: { type: 'string' },
  },
});
const matrices = MATRICES.filter(({ name }) => options.matrix === undefined || options.matrix === name);
if (matrices.length === 0)
  throw new Error(`--matrix: expected one of ${MATRICES.map((m) => m.name).join(', ')}, got ${options.matrix}`);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const mod = Number(options.mod);

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-systems-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = (name) => join(folder, name);
const linbox = linboxProgram('linbox-solve', options.peers ?? folder);
if (linbox.failure) console.error(`systems bench: LinBox's solve is missing: ${linbox.failure}`);
const spasm = (tool) => {
  const program = options.spasm && join(options.spasm, tool);
  return program && existsSync(program) ? program : null;
};
if (!spasm('kernel')) console.error('systems bench: SpaSM is missing: --spasm names the folder of its tools');

const modules = ['data/families.js', 'kernels/sparse/sparse-matrix.js', 'src/io/write-matrix.js'];
const [{ generate }, { SparseMatrix }, { writeSms }] = await Promise.all(
  modules.map((path) => import(new URL(path, DIST).href)),
);
const write = (matrix, name) => pipeline(Readable.from(writeSms(matrix)), createWriteStream(file(name)));

for (const { name, family, words, question, sides } of matrices) {
  const triplets = generate(family, words);
  const a = SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);
  await write(a, 'a.sms');
  if (question === 'solve') await systems(name, a);
  else for (const side of sides) await kernel(name, side);
}

async function systems(name, a) {
  const x = Array.from({ length: a.cols }, (_, i) => ((i + 1) * 48271 * 48271) % mod);
  const b = Array.from(a.multiply(x, { mod }), Number);
  writeFileSync(file('b.txt'), b.map((value) => `${value}\n`).join(''));
  await write(a.transpose(), 'at.sms');
  await write(SparseMatrix.fromDense([b]), 'b.sms');
  const settings = options.device
    ? [{ device: options.device, words: ['--device', options.device] }]
    : [1, 2].map((threads) => ({ device: 'cpu', threads, words: ['--threads', `${threads}`] }));
  const words = ['solve', file('a.sms'), file('b.txt'), '--output', file('x.txt')];
  let ours;
  for (const setting of settings) {
    const { seconds, method } = await ask(words, setting.words);
    ours = seconds;
    tell({ matrix: name, question: 'solve', who: 'wiedemann', ...setting, words: undefined, answer: method, seconds });
  }
  const rival = (who, program, args, check) =>
    runPeer({ matrix: name, question: 'solve', who }, ours, program, args, check);
  for (const method of ['blackbox', 'elimination']) {
    const args = [file('a.sms'), file('b.txt'), options.mod, method];
    await rival(`LinBox, ${method}`, linbox.file, args, ({ stdout }) => stdout.trim().endsWith('holds'));
  }
  const args = [
    '--modulus',
    options.mod,
    '--matrix',
    file('at.sms'),
    '--rhs',
    file('b.sms'),
    '--output',
    file('x.sms'),
  ];
  await rival('SpaSM', spasm('solve'), args, ({ stderr }) => !stderr.includes('no solution'));
}

async function kernel(name, side) {
  const left = side === 'left' ? ['--left'] : [];
  const found = await ask(['nullspace', file('a.sms'), '--output', file('n.sms'), ...left], ['--threads', '2']);
  const question = `nullspace, ${side}`;
  const { seconds, dimension: answer } = found;
  tell({ matrix: name, question, who: 'wiedemann', device: 'cpu', threads: 2, answer, seconds });
  const args = ['--modulus', options.mod, '--matrix', file('a.sms'), '--output', file('k.sms'), ...left];
  await runPeer({ matrix: name, question, who: 'SpaSM' }, seconds, spasm('kernel'), args, () => true);
}

/** The median of the runs, and what the last one said. */
async function ask([verb, ...words], setting) {
  const walls = [];
  let said;
  for (let run = 1; run <= Number(options.runs); run++) {
    const all = [verb, ...words, '-p', options.mod, ...setting, '--seed', `${run}`, '--json', '--quiet'];
    const { stdout, stderr, status, wall } = await measured(process.execPath, [CLI, ...all]);
    if (status !== 0) throw new Error(`${all.join(' ')}: ${stderr.trim()}`);
    walls.push(wall);
    said = JSON.parse(stdout);
  }
  return { ...said, seconds: median(walls) };
}

async function runPeer(line, ours, program, args, isRight) {
  if (!program) return;
  const all = [options.limit, program, ...args];
  const result = await measured('timeout', all, { OMP_NUM_THREADS: '2', OPENBLAS_NUM_THREADS: '1' });
  if (result.status === 124) tell({ ...line, threads: 2, failure: `not ended after ${options.limit} s` });
  else if (result.status !== 0) tell({ ...line, threads: 2, failure: `ended with ${result.status}` });
  else if (!isRight(result)) tell({ ...line, threads: 2, failure: 'a wrong answer' });
  else tell({ ...line, threads: 2, seconds: result.wall, ratio: Number((result.wall / ours).toFixed(1)) });
}

function tell(line) {
  report({ bench: 'systems', mod, ...line });
}
