/** Questions about several matrices, or modulo several primes: an answer a line, in order; an error is one line. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, run } from './run.js';

let folder = '';
const path = (name: string): string => join(folder, name);

// PG(2,7) has rank 57, 29 mod 7 by theorem; the diagonal has determinant 30.
const DIAGONAL = '3 3 M\n1 1 2\n2 2 3\n3 3 5\n0 0 0\n';
const WIDE = '2 3 M\n1 1 1\n2 3 1\n0 0 0\n';
const BAD = '2 2 M\n1 1 1\n5 1 1\n0 0 0\n';
let plane = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-many-'));
  plane = (await run(['generate', 'pg', '7'])).stdout;
  for (const [name, text] of Object.entries({ plane, diagonal: DIAGONAL, wide: WIDE, bad: BAD }))
    writeFileSync(path(name), text);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('rank', () => {
  test('of several files, modulo several primes', async () => {
    const files = [path('plane'), path('diagonal')];
    const { code, stdout, stderr } = await run(['rank', ...files, '-p', '7,65521,2', '--jobs', '2']);
    expect(stdout.split('\n')).toEqual([
      ...[`29\t7\t${files[0]}`, `57\t65521\t${files[0]}`, `56\t2\t${files[0]}`],
      ...[`3\t7\t${files[1]}`, `3\t65521\t${files[1]}`, `2\t2\t${files[1]}`, ''],
    ]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^6 answers in \d+\.\d\d s\n$/)]);
  });

  test('of one file modulo two primes, and SMS after SMS on standard input', async () => {
    expect(await run(['rank', path('diagonal'), '-p', '5,7', '-q'])).toEqual({
      ...{ code: 0, stderr: '', stdout: `2\t5\t${path('diagonal')}\n3\t7\t${path('diagonal')}\n` },
    });
    const input = `${plane}${DIAGONAL}${WIDE}`;
    const { code, stdout } = await run(['rank', '-', '--many', '-p', '7', '-q'], { input });
    expect([code, stdout]).toEqual([0, [29, 3, 2].map((rank, k) => `${rank}\t7\t<stdin> matrix ${k + 1}\n`).join('')]);
  });

  test('a bad matrix is one line, and the others are answered', async () => {
    const { code, stdout, stderr } = await run(['rank', '--many', '-p', '7'], { input: `${WIDE}${BAD}${DIAGONAL}` });
    expect([code, stdout]).toEqual([65, '2\t7\t<stdin> matrix 1\n3\t7\t<stdin> matrix 3\n']);
    const [bad, answered, last] = stderr.split('\n');
    expect(bad).toBe('rank: <stdin> matrix 2:3: expected a row in 1…2, got 5');
    expect(answered).toMatch(/^2 answers in /);
    expect(last).toBe('rank: 1 of 3 without an answer');
    const files = [path('none'), path('bad'), path('wide')];
    const some = await run(['rank', ...files, '-p', '7', '--json']);
    expect([some.code, some.stderr]).toEqual([65, 'rank: 2 of 3 without an answer\n']);
    expect(some.stdout.split('\n', 3).map((line) => JSON.parse(line))).toMatchObject([
      {
        schema: 1,
        command: 'rank',
        file: files[0],
        mod: null,
        error: `${files[0]}: expected a readable file, got no such file`,
      },
      { file: files[1], error: `${files[1]}:3: expected a row in 1…2, got 5` },
      { file: files[2], rank: 2, mod: '7' },
    ]);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the wait for the next matrix on standard input', async (signal, expected) => {
    const child = spawn(process.execPath, [CLI, 'rank', '--many', '-p', '7'], { stdio: 'pipe' });
    child.stdin.write(DIAGONAL);
    child.stdout.once('data', () => child.kill(signal));
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(expected);
  });

  test('a name with line breaks takes one line', async () => {
    const [wide, none] = [path('wi\nde'), path('no\tne$&')];
    writeFileSync(wide, WIDE);
    const shown = (name: string): string => name.replace('\n', '\\x0a').replace('\t', '\\x09');
    const { stdout, stderr } = await run(['rank', wide, none, '-p', '7']);
    expect(stdout).toBe(`2\t7\t${shown(wide)}\n`);
    expect(stderr.split('\n')[0]).toBe(`rank: ${shown(none)}: expected a readable file, got no such file`);
    const [answer, error] = (await run(['rank', wide, none, '-p', '7', '--json', '-q'])).stdout.split('\n');
    expect([JSON.parse(answer!).file, JSON.parse(error!).file]).toEqual([wide, none]);
  });
});

test('det of several: those of theorems, and an error for what is not square', async () => {
  const files = [path('diagonal'), path('wide'), path('plane')];
  const { code, stdout, stderr } = await run(['det', ...files, '-p', '101', '-q']);
  // N·Nᵀ = 7·I + J for the 57 lines of PG(2,7), so that det N = ±8·7^28.
  const size = Number((8n * 7n ** 28n) % 101n);
  const [first, second] = stdout.trim().split('\n');
  expect([code, first]).toEqual([65, `30\t101\t${files[0]}`]);
  expect([size, 101 - size].map((det) => `${det}\t101\t${files[2]}`)).toContain(second);
  expect(stderr).toBe(`det: ${files[1]}: expected a square matrix, got 2 x 3\ndet: 1 of 3 without an answer\n`);
});

test.each([
  [
    ['rank', 'a', 'b', '-p', '7', '--certificate', 'c'],
    '--certificate: expected one matrix and one modulus, got several',
  ],
  [['rank', 'a', '-p', '7,11', '--run', 'c'], '--run: expected one matrix and one modulus, got several'],
  [['rank', 'a', '-p', '7,11', '--threads', '2'], '--threads: expected one matrix and one modulus, got several'],
  [['rank', 'a', 'b', 'c'], 'expected a prime modulus: -p P, or several: -p 2,3,65521'],
  [['rank', 'a', '-', '-p', '7'], 'expected files, or - alone'],
  [['rank', 'a', '--many', '-p', '7'], '--many: expected standard input alone, got a'],
  [['rank', 'a', 'b', '-p', '7', '--jobs', '0'], '--jobs: expected an integer from 1 to 256, got 0'],
  [['rank', 'a', 'b', '-p', '7', '--jobs', '257'], '--jobs: expected an integer from 1 to 256, got 257'],
  [['rank', '--many', '-p', '7', '--input-format', 'npz'], '--many: expected input format sms, got npz'],
  [['rank', 'a', '-p', '7,9'], 'modulus 9 is not prime (smallest factor 3); nearest primes: 7 below, 11 above'],
  [['rank', 'a', '-p', '7,'], "modulus '': expected a prime in decimal digits"],
  [['det', 'a', '-p', '7,11', '--certain'], '--certain: expected one matrix, got several'],
])('%j is refused', async (words, line) => {
  expect(await run(words)).toEqual({ code: 2, stdout: '', stderr: `${words[0]}: ${line}\n` });
});
