/** Bad input and bad use: one line on stderr, nothing on stdout, the right exit code, no stack trace. */

import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generated } from './generated.js';
import { CLI, run } from './run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-bad-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const MARKET = '%%MatrixMarket matrix coordinate';

/** name, contents, what the line must say after `rank: FILE:`. */
const BAD: readonly (readonly [name: string, contents: string | Uint8Array, line: RegExp])[] = [
  ['wrong header', '3 x M\n1 1 1\n0 0 0\n', /^1: expected/],
  ['empty file', '', /^\d+: expected/],
  ['SMS cut in a triple', '2 2 M\n1 1 1\n2 2', /^3: expected/],
  ['MatrixMarket cut', `${MARKET} integer general\n2 2 3\n1 1 1\n`, /^\d+: expected/],
  ['MatrixMarket with an entry more', `${MARKET} integer general\n2 2 1\n1 1 1\n2 2 1\n`, /^4: expected/],
  ['index out of range', '2 2 M\n1 1 1\n3 1 1\n0 0 0\n', /^3: expected/],
  ['index 0', '2 2 M\n1 0 1\n0 0 0\n', /^2: expected/],
  ['negative index', '2 2 M\n-1 1 1\n0 0 0\n', /^2: expected/],
  ['a real that is no integer', `${MARKET} real general\n2 2 1\n1 1 1.5\n`, /^3: expected/],
  [
    'both halves of a symmetric matrix',
    `${MARKET} integer symmetric\n2 2 2\n2 1 1\n1 2 1\n`,
    /^4: expected entries on/,
  ],
  ['complex', `${MARKET} complex general\n2 2 1\n1 1 1 0\n`, /^1: expected/],
  ['NaN', `${MARKET} real general\n2 2 1\n1 1 nan\n`, /^3: expected/],
  ['array with an entry less', '%%MatrixMarket matrix array integer general\n2 2\n1\n2\n3\n', /^\d+: expected/],
  ['binary garbage', Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) >> 3), /^1: expected/],
  ['gzip cut short', gzipSync('2 2 M\n1 1 1\n2 2 1\n0 0 0\n').subarray(0, 25), /^\d+: expected/],
  ['gzip garbage', Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), /^\d+: expected/],
  [
    'a header of 2^31 rows and nothing behind it',
    `${MARKET} integer general\n2147483647 2147483647 2147483647\n`,
    /^\d+: expected/,
  ],
];

describe('bad data: exit 65', () => {
  test.each(BAD)('%s', async (name, contents, line) => {
    const file = join(folder, `${name.replace(/\W+/g, '-')}.txt`);
    writeFileSync(file, contents);
    const { code, stdout, stderr } = await run(['rank', file, '-p', '65521']);
    expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
    expect(stderr.startsWith(`rank: ${file}:`)).toBe(true);
    expect(stderr.slice(`rank: ${file}:`.length)).toMatch(line);
    expect(stderr.split('\n')).toHaveLength(2);
  });

  test('a directory and a missing file', async () => {
    for (const file of [folder, join(folder, 'missing.sms')]) {
      const { code, stdout, stderr } = await run(['rank', file, '-p', '65521']);
      expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
      expect(stderr.startsWith(`rank: ${file}:`)).toBe(true);
      expect(stderr.split('\n')).toHaveLength(2);
    }
  });

  test('a directory as standard input, also of many matrices', () => {
    const stdin = openSync(folder, 'r');
    try {
      for (const more of [[], ['--many']]) {
        const ended = spawnSync(process.execPath, [CLI, 'rank', '-', '-p', '7', ...more], {
          encoding: 'utf8',
          stdio: [stdin, 'pipe', 'pipe'],
        });
        expect([ended.status, ended.stdout, ended.stderr]).toEqual([
          65,
          '',
          'rank: <stdin>: expected a readable file, got a directory\n',
        ]);
      }
    } finally {
      closeSync(stdin);
    }
  });

  test('the verb is no part of a line but at its beginning, and of no file name', async () => {
    for (const name of ['a rank: b.sms', 'rank: b.sms']) {
      const stderr = `rank: ${name}: expected a readable file, got no such file\n`;
      expect(await run(['rank', name, '-p', '7'])).toEqual({ code: 65, stdout: '', stderr });
      const many = await run(['rank', name, '-p', '7,11']);
      expect([many.code, many.stderr.split('\n')[0]]).toEqual([65, stderr.trim()]);
    }
  });

  test.each([
    ['', "''", 'no such file'],
    ['package.json/a.sms', 'package.json/a.sms', 'no such folder'],
  ])('%j is no file, and the line says which', async (name, told, got) => {
    const stderr = `rank: ${told}: expected a readable file, got ${got}\n`;
    expect(await run(['rank', name, '-p', '7'])).toEqual({ code: 65, stdout: '', stderr });
  });

  test('standard input is named, and a fraction without a residue is found', async () => {
    const bad = await run(['rank', '-p', '65521'], { input: '2 2 M\n1 9 1\n' });
    expect(bad).toMatchObject({ code: 65, stdout: '' });
    expect(bad.stderr).toMatch(/^rank: <stdin>:2: expected .*\n$/);
    const fraction = await run(['rank', '-p', '7'], { input: '1 1 R\n1 1 1/7\n0 0 0\n' });
    expect(fraction).toMatchObject({ code: 65, stdout: '' });
    expect(fraction.stderr).toMatch(/^rank: <stdin>: entry \(1, 1\) = 1\/7: expected .*\n$/);
  });

  test('a rectangular matrix has no determinant and no minimal polynomial', async () => {
    for (const verb of ['det', 'minpoly']) {
      const { code, stdout, stderr } = await run([verb, '-p', '65521'], { input: '2 3 M\n1 1 1\n0 0 0\n' });
      expect({ code, stdout }).toEqual({ code: 65, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^${verb}: .*square.*2 x 3\n$`));
    }
  });

  test('a header of 2^31 costs no memory', async () => {
    const input = `${MARKET} integer general\n2147483647 2147483647 2147483647\n`;
    const { code } = await run(['rank', '-p', '65521'], { input, nodeOptions: ['--max-old-space-size=64'] });
    expect(code).toBe(65);
  });
});

describe('usage: exit 2', () => {
  const small = '1 1 M\n1 1 1\n0 0 0\n';
  test.each([
    [
      ['rank', '-p', '65520'],
      /^rank: modulus 65520 is not prime \(smallest factor 2\); nearest primes: 65519 below, 65521 above\n$/,
    ],
    [['rank', '-p', '1'], /^rank: modulus 1/],
    [['rank', '-p', 'seven'], /^rank: modulus 'seven'/],
    [['rank'], /^rank: expected a prime modulus/],
    [['rank', '-', '7', '-p', '11'], /^rank: expected one modulus/],
    [['minpoly', '-', '7', 'more'], /^minpoly: too many arguments/],
    [['rank', '-', '7', 'more'], /^rank: expected a prime modulus: -p P, or several/],
    [['rank', '-p', '7', '--threads', '0'], /^rank: threads: expected/],
    [['rank', '-p', '7', '--threads', 'two'], /^rank: --threads: expected/],
    [['rank', '-p', '7', '--block', '4y2'], /^rank: --block: expected/],
    [['rank', '-p', '7', '--block', '0'], /^rank: block: expected/],
    [['rank', '-p', '7', '--seed', '-1'], /^rank: seed: expected/],
    [['rank', '-p', '7', '--formula', 'magic'], /^rank: formula: expected/],
    [['rank', '-p', '7', '--device', 'abacus'], /^rank: device: expected/],
    [
      ['rank', '-p', '7', '--method', 'magic'],
      /^rank: method: expected auto, elimination, hybrid, wiedemann, got 'magic'/,
    ],
    [['rank', '-p', '7', '--method', 'hybrid', '--formula', 'classical'], /^rank: formula classical: expected/],
    [['rank', '-p', '2305843009213693951', '--method', 'hybrid'], /^rank: method hybrid: expected a prime below 2/],
    [['rank', '-p', '7', '--at-least', 'many'], /^rank: --at-least: expected/],
    [['rank', '-p', '7', '--max-memory', 'much'], /^rank: --max-memory: expected/],
    [['rank', '-p', '7', '--max-memory', '0'], /^rank: maxMemory: expected/],
    [
      ['rank', '-p', '7', '--method', 'wiedemann', '--max-memory', '2K'],
      /^rank: method wiedemann: block Wiedemann takes about 0\.0035 MB, allowed are 0\.0019\n/,
    ],
    [['rank', '-p', '7', '--self-checks', '--formula', 'classical'], /^rank: selfChecks: expected formula shifted/],
    [['rank', '-p', '0', '--self-checks'], /^rank: selfChecks: expected a prime below 2\^31, got 0/],
    [['rank', '-p', '0', '--scratch', '.'], /^rank: scratch: expected a prime below 2\^31, got 0/],
    [['rank', '-p', '7', '--scratch', '.', '--storage', 'csr'], /^rank: scratch: expected storage auto, got 'csr'/],
    [['rank', '--frobnicate'], /^rank: unknown option/],
    [['minpoly', '-p', '7', '--format', 'roman'], /^minpoly: --format: expected/],
    [['generate', 'bibd', '9'], /^generate: bibd: expected/],
    [['generate', 'nothing'], /^generate: expected one of/],
    [['divide'], /^wiedemann: unknown command/],
  ])('%j', async (args, line) => {
    const { code, stdout, stderr } = await run(args, { input: small });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
    expect(stderr.split('\n')).toHaveLength(2);
  });
});

describe('other ends', () => {
  test('an unknown option of a device: every name there is', async () => {
    const { stderr } = await run(['rank', '-p', '7', '--device', 'abacus'], { input: '1 1 M\n0 0 0\n' });
    expect(stderr).toBe("rank: device: expected one of auto, cpu, gpu, reference, got 'abacus'\n");
  });

  test('interrupted while reading, and while computing: exit 130', async () => {
    const waiting = spawn(process.execPath, [CLI, 'rank', '-p', '7'], { stdio: 'pipe' });
    const code = new Promise((resolve) => waiting.on('close', resolve));
    // More than a pipe holds: once it is written, somebody reads.
    waiting.stdin.write(`3 3 M\n${'1 1 1\n'.repeat(50_000)}`, () => waiting.kill('SIGINT'));
    expect(await code).toBe(130);

    const matrix = generated('ch', '7', '7', '4');
    const busy = await run(['rank', '-p', '2147483629', '--method', 'wiedemann', '--threads', '2'], {
      input: matrix,
      taken: (kill) => setTimeout(() => kill('SIGINT'), 500),
    });
    expect(busy).toMatchObject({ code: 130, stdout: '' });
    expect(busy.stderr).toBe('rank: interrupted\n');
  });

  test('a reader that stops early ends generate quietly', async () => {
    const child = spawn(process.execPath, [CLI, 'generate', 'bibd', '60', '3'], { stdio: 'pipe' });
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    child.stdout.once('data', () => child.stdout.destroy());
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  test('nobody reading stderr changes nothing', async () => {
    const child = spawn(process.execPath, [CLI, 'rank', '-', '7'], { stdio: 'pipe' });
    child.stderr.destroy();
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    setTimeout(() => child.stdin.end('1 1 M\n1 1 1\n0 0 0\n'), 200);
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, stdout }).toEqual({ code: 0, stdout: '1\n' });
  });

  test('a compute thread that dies ends the run with an error, not a hang: exit 70', async () => {
    // Node announces every thread it starts; this preload ends the second compute thread-to-be shortly after.
    const hook = join(folder, 'kill-a-thread.mjs');
    writeFileSync(
      hook,
      `import { isMainThread } from 'node:worker_threads';
       let started = 0;
       if (isMainThread) process.on('worker', (w) => { if (++started === 2) setTimeout(() => w.terminate(), 1000); });`,
    );
    const matrix = generated('ch', '7', '7', '4');
    const { code, stdout, stderr } = await run(
      ['rank', '-p', '2147483629', '--method', 'wiedemann', '--threads', '2'],
      {
        input: matrix,
        nodeOptions: ['--import', hook],
      },
    );
    expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
    expect(stderr).toMatch(/^rank: compute thread 1 ended: .*\n$/);
  });
});
