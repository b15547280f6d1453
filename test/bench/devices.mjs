/**
 * What `rank` does by itself beside what it can be told: whole processes in turns, reading included.
 *
 *   npm run bench -- devices [--matrix NAME]... [--device cpu|gpu]... [--runs N] [--limit S]
 *
 *   cpu : `--device cpu`, with 1, 4 and as many threads as there are cores, each method by name
 *   gpu : `--device gpu`, each method by name
 *   ofBest : seconds of what is chosen over the least of what it was told
 *
 * The median of `runs` (default 3) processes of each, mod 65521, seed 5. A choice of three times the seconds of the
 * unasked run, or of `limit` seconds (default 40), is given up and has no figure. All ranks agree. One JSON line a
 * matrix and device. Nothing else should run meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measured } from './measured-process.mjs';
import { report } from './report.mjs';

const CLI = fileURLToPath(new URL('../../dist/bin/cli.js', import.meta.url));
const MATRICES = {
  bibd_81_3: ['bibd', '81', '3'],
  EX5: ['ex', '5'],
  'ch7-7-b4': ['ch', '7', '7', '4'],
  'ch8-8-b4': ['ch', '8', '8', '4'],
  'ch9-9-b4': ['ch', '9', '9', '4'],
  'mk13-b5': ['mk', '13', '5'],
  'mk14-b5': ['mk', '14', '5'],
  Trefethen_20000: ['trefethen', '20000'],
  random_10000: ['random', '10000', '10000', '20', '65521', '1'],
  geometric_32768: ['geometric', '32768', '13', '1'],
};
const GIVEN_UP = 3;
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const methods = (names) => names.map((name) => [name, ['--method', name]]);
const cores = availableParallelism();
const threads = [...new Set([1, 4, cores].filter((count) => count <= cores))].map((count) => [
  count === 1 ? '1 thread' : `${count} threads`,
  ['--threads', `${count}`],
]);
const TOLD = {
  cpu: [...threads, ...methods(['elimination', 'hybrid', 'wiedemann'])],
  gpu: methods(['hybrid', 'wiedemann', 'elimination']),
};

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: {
    matrix: { type: 'string', multiple: true, default: Object.keys(MATRICES) },
    device: { type: 'string', multiple: true, default: ['cpu'] },
    runs: { type: 'string', default: '3' },
    limit: { type: 'string', default: '40' },
  },
});
const [runs, limit] = [Number(options.runs), Number(options.limit)];
if (!(runs >= 1 && limit > 0)) throw new Error(`--runs, --limit: expected more than 0, got ${runs} and ${limit}`);
for (const [name, known] of [
  ['matrix', MATRICES],
  ['device', TOLD],
]) {
  const wrong = options[name].find((each) => !Object.hasOwn(known, each));
  if (wrong) throw new Error(`--${name}: expected one of ${Object.keys(known).join(', ')}, got ${wrong}`);
}

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-devices-'));
try {
  for (const name of options.matrix) {
    const file = join(folder, `${name}.sms`);
    generate(MATRICES[name], file);
    for (const device of options.device) await compare(name, file, device);
    rmSync(file);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function compare(matrix, file, device) {
  const rank = (words, most) => run(['rank', file, '-p', '65521', '--seed', '5', '--device', device, ...words], most);
  const first = await rank([], limit);
  if (first === null) return report({ bench: 'devices', matrix, device, unasked: `over ${limit} s` });
  const most = Math.min(limit, Math.ceil(GIVEN_UP * first.wall + 1));
  const settings = [['unasked', []], ...TOLD[device]];
  const found = new Map(settings.map(([name]) => [name, []]));
  const adapter = first.answer.adapter;
  for (let round = 0; round < runs; round++) {
    for (const [name, words] of settings) {
      if (found.get(name) === null) continue;
      const one = await rank(words, most);
      if (one !== null && one.answer.rank !== first.answer.rank)
        throw new Error(`${matrix}: rank ${one.answer.rank} by ${name}, ${first.answer.rank} unasked`);
      if (one === null) found.set(name, null);
      else found.get(name).push(one.wall);
    }
  }
  const seconds = {};
  for (const [name, times] of found) if (times?.length) seconds[name] = rounded(median(times));
  const { unasked, ...told } = seconds;
  const best = Math.min(...Object.values(told));
  const { rank: value, method } = first.answer;
  const chosen = { method, threads: first.answer.threads };
  report({
    ...{ bench: 'devices', matrix, mod: 65521, device, rank: value, chosen, seconds },
    ...{ ofBest: rounded(unasked / best), ...(adapter && { adapter }) },
  });
}

function generate(family, file) {
  const to = openSync(file, 'w');
  execFileSync(process.execPath, [CLI, 'generate', ...family], { stdio: ['ignore', to, 'inherit'] });
  closeSync(to);
}

/** Null where the process takes longer. */
async function run(words, most) {
  const { status, stdout, stderr, wall } = await measured('timeout', [
    `${most}`,
    process.execPath,
    CLI,
    ...words,
    '--json',
  ]);
  if (status === 124) return null;
  if (status !== 0) throw new Error(`bench devices: ${words.join(' ')}: exit ${status}, ${stderr}`);
  return { wall, answer: JSON.parse(stdout) };
}

function rounded(x) {
  return Number(x.toPrecision(3));
}
