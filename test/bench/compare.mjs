/**
 * A benchmark of another checkout beside the same benchmark of this one, in turns: what a change costs or gains.
 *
 *   npm run bench -- compare --old FOLDER [--rounds N] NAME [-- OPTIONS of NAME]
 *
 * FOLDER is a checkout that is built. Each round runs the old program and the new one, each in a new process, and every
 * other round the new one first. Line k of the old one is compared with line k of the new one; they must agree in every
 * word. Each number that differs between runs is a measurement: it comes out as the medians of both and their quotient,
 * new over old. One JSON line a line of the benchmark.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const HERE = fileURLToPath(new URL('../../', import.meta.url));
const STAMPS = ['date', 'commit', 'load', 'machine', 'processor', 'node', 'device'];

const words = process.argv.slice(3);
const cut = words.indexOf('--');
const { values, positionals } = parseArgs({
  args: cut < 0 ? words : words.slice(0, cut),
  options: { old: { type: 'string' }, rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
});
const [name, ...more] = positionals;
const rounds = Number(values.rounds);
if (!values.old || !name || more.length > 0 || !(rounds >= 1)) {
  console.error('compare: expected --old FOLDER [--rounds N] NAME [-- OPTIONS]');
  process.exit(2);
}
const given = cut < 0 ? [] : words.slice(cut + 1);

const lines = { old: [], new: [] }; // round by round, the lines of a run
for (let round = 0; round < rounds; round++) {
  for (const side of round % 2 === 0 ? ['old', 'new'] : ['new', 'old']) lines[side].push(run(side));
}

lines.new[0].forEach((first, k) => {
  const told = {};
  const measurements = {};
  for (const [path, value] of leaves(first)) {
    if (STAMPS.includes(path)) continue;
    const [before, after] = ['old', 'new'].map((side) =>
      lines[side].map((run) => Object.fromEntries(leaves(run[k]))[path]),
    );
    const isMeasured = typeof value === 'number' && [...before, ...after].some((other) => other !== value);
    if (!isMeasured) {
      if (before.some((other) => other !== value))
        throw new Error(`${name}, line ${k}: ${path} is ${before[0]} and ${value}`);
      told[path] = value;
    } else if (before.every((other) => typeof other === 'number')) {
      const [a, b] = [median(before), median(after)];
      measurements[path] = { old: a, new: b, quotient: Number((b / a).toFixed(3)) };
    }
  }
  const options = [name, ...given].join(' ');
  report({ bench: 'compare', of: options, line: k, rounds, told, measurements });
});

/** The JSON lines of one run. */
function run(side) {
  const folder = side === 'old' ? values.old : HERE;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['test/bench/bench.mjs', name, ...given], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`${name} of ${folder} ended with ${status}: ${stderr}`);
  return stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));
}

/** Paths and values of all that is no object: `cpu.ms`, 1.5. */
function leaves(object, prefix = '') {
  return Object.entries(object).flatMap(([key, value]) =>
    value !== null && typeof value === 'object' ? leaves(value, `${prefix}${key}.`) : [[prefix + key, value]],
  );
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
