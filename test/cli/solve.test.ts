/** `wiedemann solve`: forms of B and of the answer, no solution, files, bad input, and the library's answer. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readMatrix, solve } from '../../dist/src/index.js';
import { share } from '../share.js';
import { ownFiles } from './own-files.js';
import { type Ended, limited, run } from './run.js';

const A = '3 2 M\n1 1 2\n2 2 4\n3 1 2\n3 2 4\n0 0 0\n'; // row 3 is the sum of the others
const B_LINES = '2 1\n28 0\n30 1\n';
const BIG = '2305843009213693951'; // 2^61 - 1

/** The same B in each form, and the answer X = [[1, 1/2], [7, 0]] mod 101 in it. */
const FORMS: Readonly<Record<string, readonly [b: string, x: string]>> = {
  lines: [B_LINES, '1 51\n7 0\n'],
  'lines with fractions, comments and blanks': ['# B\n 4/2\t1\r\n\n% row 2\n28 0\n30 2/2', '1 51\n7 0\n'],
  SMS: ['3 2 M\n1 1 2\n1 2 1\n2 1 28\n3 1 30\n3 2 1\n0 0 0\n', '2 2 M\n1 1 1\n1 2 51\n2 1 7\n0 0 0\n'],
  'SMS with fractions': [
    '3 2 R\n1 1 4/2\n1 2 1\n2 1 28\n3 1 30\n3 2 1\n0 0 0\n',
    '2 2 M\n1 1 1\n1 2 51\n2 1 7\n0 0 0\n',
  ],
  'a MatrixMarket array': [
    '%%MatrixMarket matrix array integer general\n3 2\n2\n28\n30\n1\n0\n1\n',
    '%%MatrixMarket matrix array integer general\n2 2\n1\n7\n51\n0\n',
  ],
  'MatrixMarket coordinates': [
    '%%MatrixMarket matrix coordinate integer general\n3 2 5\n1 1 2\n1 2 1\n2 1 28\n3 1 30\n3 2 1\n',
    '%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 1\n1 2 51\n2 1 7\n',
  ],
};

const files = ownFiles();

const ask = (a: string, b: string, ...more: string[]): Promise<Ended> =>
  run(['solve', a, b, '-p', '101', '--quiet', ...more]);

describe('B', () => {
  // Standard input is named in every other form, and meant without a name in the rest.
  test.each(Object.entries(FORMS).map(([name, texts], i) => [name, texts, i] as const))(
    'as %s: the answer comes in the same form',
    async (_, [b, x], i) => {
      const at = files({ a: A, b, 'b.gz': gzipSync(b) });
      expect(await ask(at('a'), at('b'))).toEqual({ code: 0, stdout: x, stderr: '' });
      expect((await ask(at('a'), at('b.gz'))).stdout).toBe(x);
      for (const words of share(
        [
          ['-', '101'],
          ['-p', '101'],
        ],
        i,
        2,
      ))
        expect((await run(['solve', at('a'), ...words, '-q'], { input: b })).stdout).toBe(x);
    },
  );

  test('a number alone is its name, and A may be standard input', async () => {
    const [b, x] = FORMS['lines']!;
    const at = files({ a: A, b });
    expect((await run(['solve', at('a'), '101', '-p', '101', '-q'], { input: b })).code).toBe(65);
    expect((await run(['solve', '-', at('b'), '-p', '101', '-q'], { input: A })).stdout).toBe(x);
  });

  test.each([
    ['sms', 'SMS'],
    ['lines', 'lines'],
    ['mm', 'a MatrixMarket array'],
  ])('--format %s', async (format, form) => {
    const at = files({ a: A, b: B_LINES });
    expect((await ask(at('a'), at('b'), '--format', format)).stdout).toBe(FORMS[form]![1]);
  });

  test('--format mm keeps coordinates', async () => {
    const [b, x] = FORMS['MatrixMarket coordinates']!;
    const at = files({ a: A, b });
    expect((await ask(at('a'), at('b'), '--format', 'mm')).stdout).toBe(x);
  });

  test('what solve writes, solve and rank read', async () => {
    for (const format of ['sms', 'mm', 'lines']) {
      const at = files({ a: A, b: B_LINES });
      await ask(at('a'), at('b'), '--format', format, '--output', at('x'));
      // I·Y = X has the solution X.
      writeFileSync(at('identity'), '2 2 M\n1 1 1\n2 2 1\n0 0 0\n');
      const again = await ask(at('identity'), at('x'));
      expect(again).toEqual({ code: 0, stdout: readFileSync(at('x'), 'utf8'), stderr: '' });
    }
  });
});

test('command line and library give the same solution, mod a word and beyond', async () => {
  const { stdout: matrix } = await run(['generate', 'mk', '7', '2']);
  const a = await readMatrix(new TextEncoder().encode(matrix));
  const b = a.multiply(Array.from({ length: a.cols }, (_, j) => j % 5)).map(String);
  const at = files({ a: matrix, b: `${b.join('\n')}\n` });
  for (const mod of ['3', '65521', BIG]) {
    const { value } = await solve(a, b, { mod });
    const { stdout } = await run(['solve', at('a'), at('b'), '-p', mod, '-q']);
    expect(stdout).toBe(`${Array.from<number | bigint, string>(value!, String).join('\n')}\n`);
  }
});

test('the summary is a line of stderr, and --json one object', async () => {
  const at = files({ a: A, b: B_LINES });
  const words = ['solve', at('a'), at('b'), '-p', '101', '--seed', '5'];
  const { stderr } = await run(words);
  expect(stderr).toMatch(/^2 solutions of 3 x 2 mod 101 {3}proved {3}[\d.]+ s on 1 thread {3}seed 5\n$/);
  const json = await run([...words, '--json']);
  expect(json).toMatchObject({ code: 0, stderr: '' });
  const outcome = JSON.parse(json.stdout);
  expect(outcome).toMatchObject({
    schema: 1,
    command: 'solve',
    rightSides: 2,
    solution: [
      ['1', '51'],
      ['7', '0'],
    ],
  });
  const filed = await run([...words, '--json', '--output', at('x')]);
  expect(JSON.parse(filed.stdout)).not.toHaveProperty('solution');
  expect(readFileSync(at('x'), 'utf8')).toBe(FORMS['lines']![1]);
});

test('--random depends on the seed alone', async () => {
  const at = files({ a: '1 3 M\n1 1 1\n1 2 1\n0 0 0\n', b: '5\n' });
  const draw = async (seed: string): Promise<string> => {
    const { stdout } = await ask(at('a'), at('b'), '--random', '--seed', seed);
    const [x, y] = stdout.split('\n').map(Number);
    expect((x! + y!) % 101).toBe(5);
    return stdout;
  };
  expect(await draw('1')).toBe(await draw('1'));
  expect(new Set([await draw('1'), await draw('2'), await draw('3')]).size).toBe(3);
});

describe('no solution: exit 3', () => {
  const bad = '2 1\n28 0\n30 2\n'; // column 2: 1 + 0 is not 2

  test.each(['101', BIG])('mod %s, said in one line, nothing on stdout, no file', async (p) => {
    const at = files({ a: A, b: bad });
    const ended = await run(['solve', at('a'), at('b'), '-p', p, '--output', at('x')]);
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toMatch(
      /^solve: no solution: column 2 of \S+\/b is outside the column space mod \d+, proved\n$/,
    );
    expect(existsSync(at('x'))).toBe(false);
  });

  test('--inconsistency writes u, in the form of B or that of --format', async () => {
    const at = files({ a: A, b: bad });
    const ended = await ask(at('a'), at('b'), '--inconsistency', at('u'));
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    const u = readFileSync(at('u'), 'utf8').trim().split('\n').map(Number);
    // u·A = 0, u·b ≠ 0
    expect([2 * u[0]! + 2 * u[2]!, 4 * u[1]! + 4 * u[2]!].map((x) => x % 101)).toEqual([0, 0]);
    expect((u[0]! + 2 * u[2]!) % 101).not.toBe(0);
    const printed = await ask(at('a'), at('b'), '--inconsistency', '-', '--format', 'sms');
    expect(printed.stdout).toMatch(/^3 1 M\n[\s\S]*\n0 0 0\n$/);
  });

  test('--json has the column and u, and the exit code stays', async () => {
    const at = files({ a: A, b: bad });
    const { code, stdout } = await ask(at('a'), at('b'), '--json');
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toMatchObject({ inconsistent: { column: 2, certificate: expect.any(Array) } });
  });

  test('a file for u stays as it was where there is a solution', async () => {
    const at = files({ a: A, b: B_LINES, u: 'old' });
    expect((await ask(at('a'), at('b'), '--inconsistency', at('u'))).code).toBe(0);
    expect(readFileSync(at('u'), 'utf8')).toBe('old');
    expect(readdirSync(at('.')).sort()).toEqual(['a', 'b', 'u']);
  });
});

describe('bad input: one line, and no file', () => {
  test.each([
    ['B too short', '1\n2\n', [], 65, 'expected right sides of 3 rows, got 2'],
    ['B too long', '1\n2\n3\n4\n', [], 65, 'expected right sides of 3 rows, got 4'],
    ['B ragged', '1 2\n3\n4 5\n', [], 65, 'b:2: expected 2 numbers, as in the first row, got 1'],
    [
      'B ragged the other way',
      '1 2\n3 4 5\n4 5\n',
      [],
      65,
      'b:2: expected 2 numbers, as in the first row, got one more',
    ],
    ['a word in B', '1\ntwo\n3\n', [], 65, "b:2: expected an integer or a fraction a/b, got 'two'"],
    ['B empty', '', [], 65, "b:1: expected a header '%%MatrixMarket matrix …' or 'rows cols M' or a line of numbers"],
    ['a matrix cut off', '3 1 M\n1 1 1\n', [], 65, "b:3: expected '0 0 0' behind the entries"],
    [
      'an array cut off',
      '%%MatrixMarket matrix array integer general\n3 1\n1\n2\n',
      [],
      65,
      'expected 3 entries, got 2',
    ],
    ['a denominator divisible by p', '1\n1/101\n2\n', [], 65, 'right sides: entry (2, 1) = 1/101'],
    ['a denominator 0', '1\n1/0\n2\n', [], 65, 'b:2: expected an integer or a fraction a/b'],
    ['a modulus that is no prime', '1\n2\n3\n', ['-p', '100'], 2, '100'],
    ['over Q a form', '1\n2\n3\n', ['-p', '0', '--format', 'mm'], 2, '--format mm: it has no fractions'],
    ['coordinates', '1\n2\n3\n', ['-p', '0', '--coordinates', '0'], 2, '--coordinates: expected numbers from 1 on'],
    ['coordinates mod p', '1\n2\n3\n', ['--coordinates', '1'], 2, 'coordinates: expected modulus 0, got 101'],
    ['a method not here', '1\n2\n3\n', ['--method', 'hybrid'], 2, 'method hybrid'],
    [
      'a form',
      '1\n2\n3\n',
      ['--format', 'xml'],
      2,
      '--format: expected sms, mm, lines, pari, sage, magma, json, got xml',
    ],
    ['a method', '1\n2\n3\n', ['--method', 'magic'], 2, 'method: expected auto'],
    ['memory', '1\n2\n3\n', ['--max-memory', '600'], 70, 'right sides and solutions take about'],
    ['a folder that is not there', '1\n2\n3\n', ['--output', '/no/folder/x'], 73, '--output /no/folder/x'],
    ['a folder', '1\n2\n3\n', ['--inconsistency', '/tmp'], 73, '--inconsistency /tmp: a directory'],
  ])('%s', async (_, b, more, code, words) => {
    const at = files({ a: A, b });
    const ended = await ask(at('a'), at('b'), '--output', at('x'), ...more);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(words);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(readdirSync(at('.')).sort()).toEqual(['a', 'b']);
  });

  test('a missing file, two standard inputs, the files themselves', async () => {
    const at = files({ a: A, b: B_LINES });
    const table: [string[], number, string][] = [
      [[at('none'), at('b')], 65, 'no such file'],
      [[at('a'), at('none')], 65, 'no such file'],
      [['-', '-'], 2, 'expected a FILE for A or for B'],
      [[at('a'), at('b'), '--output', at('a')], 73, 'the matrix itself'],
      [[at('a'), at('b'), '--output', at('b')], 73, 'the right sides themselves'],
      [[at('a'), at('b'), '--json', '--inconsistency', '-'], 2, 'expected no --json'],
    ];
    for (const [words, code, said] of table) {
      const ended = await run(['solve', ...words, '-p', '101', '-q'], { input: '' });
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toContain(said);
    }
    expect((await run(['solve', at('a'), at('b')])).stderr).toContain('expected a prime modulus: -p P');
    expect(readFileSync(at('a'), 'utf8') + readFileSync(at('b'), 'utf8')).toBe(A + B_LINES);
  });

  test('a file that is full half-way stays as it was: exit 74', async () => {
    const n = 4000;
    const at = files({ b: `${n} 1 M\n0 0 0\n`, a: `${n} ${n} M\n0 0 0\n`, x: 'old' });
    const ended = await limited(9, ['solve', at('a'), at('b'), '-p', '101', '--format', 'lines', '--output', at('x')]);
    expect(ended.code).toBe(74);
    expect(readFileSync(at('x'), 'utf8')).toBe('old');
    expect(readdirSync(at('.')).sort()).toEqual(['a', 'b', 'x']);
  });
});

test('an output that exists is replaced', async () => {
  const at = files({ a: A, b: B_LINES, x: 'old, and longer than what replaces it' });
  expect((await ask(at('a'), at('b'), '--output', at('x'))).stdout).toBe('');
  expect(readFileSync(at('x'), 'utf8')).toBe(FORMS['lines']![1]);
});
