/**
 * The examples of README.md and src/README.md: programs are run, each value beside a comment compared with what the
 * comment says; commands print what stands under them; tables of options, exit codes and JSON have what is there, and
 * figures are those of test/bench/RESULTS.md.
 */
import { execFile } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { CLI, run } from './cli/run.js';
import { runPrograms } from './programs.js';
import { textOf } from './tracked.js';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const README = textOf('README.md');
const FULL = textOf('src/README.md');

const blocks = (page: string, language: string): string[] =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm')), ([, text]) => text!);

test.each([
  ['README.md', README, 7],
  ['src/README.md', FULL, 35],
])('the programs of %s run, and each value is the one beside it', async (_, page, values) => {
  const { expected, printed } = await runPrograms(blocks(page, 'js'), ROOT);
  expect(expected.length).toBe(values);
  expect(printed).toEqual(expected);
});

/** Runs a line of the page by a shell in which `wiedemann` is the built command line. */
function shell(line: string): Promise<{ stdout: string; stderr: string }> {
  const script = `wiedemann() { '${process.execPath}' '${CLI}' "$@"; }\n${line.replaceAll('npx ', '')}`;
  return promisify(execFile)('sh', ['-c', script], { cwd: ROOT });
}

const plain = (text: string): string =>
  text
    .replace(/[\d.]+ s on \d+ threads?/, 'TIME')
    .replace(/seed \d+/, 'SEED')
    .trim();

const SHELL = blocks(README, '').filter((text) => text.startsWith('$ '));

test('the page is a face: 150 lines at most', () => {
  expect(README.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('the page shows commands with what they print', () => {
  expect(SHELL.length).toBe(1);
});

test.each(SHELL)('what stands under %s', async (text) => {
  const [command, ...printed] = text.trim().split('\n');
  const { stdout, stderr } = await shell(command!.slice('$ '.length));
  expect(plain(`${stdout}${stderr}`)).toBe(plain(printed.join('\n')));
});

test('commands within sentences run', async () => {
  const piped = Array.from(README.matchAll(/`(wiedemann generate [^`]*)`/g), ([, command]) => command!);
  expect(piped).toEqual(['wiedemann generate bibd 81 3 | wiedemann rank -p 65521']);
  expect((await shell(piped[0]!)).stdout).toBe('3240\n');
});

describe('tables of options', async () => {
  const rows = (page: string): string[] => page.split('\n').filter((line) => line.startsWith('| `-'));
  const named = (line: string): string[] => Array.from(line.split('|')[1]!.matchAll(/--?[\w-]+/g), ([name]) => name);
  const verbs = Array.from(
    blocks(README, '')
      .join('')
      .matchAll(/^wiedemann (\w+) +[[A-Z|]/gm),
    ([, verb]) => verb!,
  );
  const helped = async (words: string[]): Promise<string[]> => {
    const { stdout } = await run([...words, '--help']);
    return Array.from(stdout.matchAll(/^ +(?:(-\w), )?(--[\w-]+)/gm), ([, short, long]) => [short, long])
      .flat()
      .filter((name) => name !== undefined);
  };

  test('every verb is shown', async () => {
    const { stdout } = await run(['--help']);
    const listed = Array.from(stdout.split('Commands:')[1]!.matchAll(/^ {2}(\w+)/gm), ([, verb]) => verb!);
    expect(listed.filter((verb) => verb !== 'help')).toEqual(verbs);
  });

  test('src/README.md has every option that a verb has, and no other', async () => {
    const stages = [
      ...['plan', 'krylov'].map((stage) => ['run', stage]),
      ...['submit', 'worker'].map((stage) => ['queue', stage]),
      ['slurm', 'plan'],
    ];
    const there = new Set((await Promise.all([[], ...verbs.map((verb) => [verb]), ...stages].map(helped))).flat());
    expect([...new Set(rows(FULL).flatMap(named))].sort()).toEqual([...there].sort());
  });

  test('README.md has ten of them', async () => {
    const there = await helped(['rank']);
    expect(rows(README).length).toBe(10);
    expect(
      rows(README)
        .flatMap(named)
        .filter((name) => !there.includes(name)),
    ).toEqual([]);
  });
});

test('both pages have the same exit codes, and all of them', () => {
  const codes = (page: string): number[] =>
    Array.from(page.matchAll(/^\| ([\d, ]+) \| /gm), ([, list]) => list!.split(', ').map(Number)).flat();
  const source = textOf('src/commands/usage-error.ts');
  const constants = Array.from(source.matchAll(/^export const [A-Z_]+ = (\d+);/gm), ([, code]) => Number(code));
  const signals = [129, 130, 143];
  expect(codes(FULL)).toEqual([0, ...constants.toSorted((a, b) => a - b), ...signals]);
  expect(codes(README.split('## What an answer means')[0]!)).toEqual(codes(FULL));
});

test('the JSON of a rank has the fields that it is said to have', async () => {
  const example = blocks(FULL, '').find((text) => text.startsWith('{"schema"'))!;
  const names = Array.from(
    example.replace(/"seconds":[\s\S]*$/, '"seconds":').matchAll(/"(\w+)":/g),
    ([, name]) => name,
  );
  const { stdout } = await run(['rank', join(ROOT, 'data/bibd_81_3.sms.gz'), '-p', '65521', '--json']);
  expect(Object.keys(JSON.parse(stdout))).toEqual(names);
});

test('figures of speed are those of RESULTS.md', () => {
  const section = (page: string, title: string): string => page.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;
  const figures = (text: string): string[] => text.match(/(?<![\w.-])\d+(?:\.\d+)?(?![\w-]|\.\d)/g) ?? [];
  const speed = section(README, 'Speed');
  const results = textOf('test/bench/RESULTS.md');
  const [ranks, products] = ['rank', 'spmm'].map((name) => figures(section(results, name)));
  // Rank, seconds of ours and of two of LinBox's programs, and how many times faster ours was than the better one.
  const rows = speed.match(/(?<=^\|[^|]*\d[^|]*)\|.*\|$/gm)!.map(figures);
  expect(rows.length).toBe(2);
  const quotient = /(?<=^\| whole process, LinBox (?:block )?rank \/ wiedemann, auto, 1 thread \| )[\d.]+/gm;
  const ratios = section(results, 'rank').match(quotient)!; // matrix by matrix, as README.md has them
  expect(ratios.length).toBe(4);
  for (const [rank, ours, ...more] of rows) {
    expect([rank, ours, ...more].filter((figure) => !ranks!.includes(figure!))).toEqual([]);
    const quotients = ratios.splice(0, 2); // to the block example, and to `rank`
    expect(more.at(-1)).toBe(quotients.sort((a, b) => Number(a) - Number(b))[0]);
  }
  const [beside, sentence] = speed.split('|').at(-1)!.trim().split('\n\n').map(figures);
  expect(beside!.length).toBe(6);
  expect(beside!.filter((figure) => !ranks!.includes(figure))).toEqual([]);
  expect(sentence!.length).toBe(7);
  expect(sentence!.filter((figure) => !products!.includes(figure))).toEqual([]);
  const seconds = section(README, 'GPU').match(/(?<=take )[\d.]+(?= s\b)/g)!;
  expect(seconds.length).toBe(2);
  for (const each of seconds) expect(section(results, 'gpu-krylov')).toContain(`| ${each} |`);
});
