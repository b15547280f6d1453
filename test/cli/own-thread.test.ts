/**
 * Small files are answered without a thread of the engine's, with the same outcomes; what is long goes to one all the
 * same.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { share } from '../share.js';
import { CLI, run } from './run.js';

let folder = '';
let hook = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-own-'));
  hook = join(folder, 'hook.cjs');
  // Told as the program ends: the threads it has started, its waits in milliseconds, and the files it has loaded.
  writeFileSync(
    hook,
    `const { isMainThread } = require('node:worker_threads');
     const { writeFileSync } = require('node:fs');
     let threads = 0;
     const waits = [];
     const { setTimeout: wait } = globalThis;
     globalThis.setTimeout = (f, milliseconds, ...words) => (waits.push(milliseconds), wait(f, milliseconds, ...words));
     if (isMainThread) {
       process.on('worker', () => threads++);
       process.on('exit', () => {
         writeFileSync(process.env.TOLD, JSON.stringify({ threads, waits, files: Object.keys(require.cache) }));
       });
     }`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The program's end, how many threads it has started, how long it has waited, and the names of its files. */
async function watched(args: readonly string[], input = '') {
  const told = join(folder, 'told.json');
  const ended = await run(args, { input, nodeOptions: ['--require', hook], env: { TOLD: told } });
  const { threads, waits, files } = JSON.parse(readFileSync(told, 'utf8')) as {
    threads: number;
    waits: number[];
    files: string[];
  };
  return { ...ended, threads, waits, files: files.map((file) => basename(file)) };
}

function outcomeOf(stdout: string): object {
  const { seconds, ...outcome } = JSON.parse(stdout) as Record<string, unknown>;
  expect(seconds).toBeDefined();
  return outcome;
}

/** n x n, entry (i, j) as `entry` says; 0 is left out. */
function square(n: number, entry: (i: number, j: number) => number): string {
  const lines = [`${n} ${n} M`];
  for (let i = 1; i <= n; i++) {
    for (let j = 1; j <= n; j++) if (entry(i, j) !== 0) lines.push(`${i} ${j} ${entry(i, j)}`);
  }
  return `${lines.join('\n')}\n0 0 0\n`;
}

const TRIANGLE = square(6, (i, j) => (i <= j ? i + j : 0)); // pivots alone
// With a Schur complement.
const SCATTERED = square(40, (i, j) => ((i * i * 7 + j * j * 13 + i * j) % 17 === 0 ? 1 + ((i * j) % 5) : 0));
const SINGULAR = square(40, (i, j) => ((i + 2 * j) % 5 === 0 ? (i % 7) * (j % 3) : 0));

const MATRICES = { triangle: TRIANGLE, scattered: SCATTERED, singular: SINGULAR };

const QUESTIONS: readonly (readonly string[])[] = [
  ...['2', '65521', '2147483629', '0', '2305843009213693951'].map((p) => ['rank', '-p', p]),
  ...['hybrid', 'elimination', 'wiedemann'].map((method) => ['rank', '-p', '65521', '--method', method]),
  ['rank', '-p', '7', '--at-least', '3'],
  ['rank', '-p', '7', '--no-verify', '--method', 'wiedemann'],
  ...['2', '2305843009213693951'].flatMap((p) => [
    ['minpoly', '-p', p],
    ['det', '-p', p],
  ]),
];

describe('the outcome is that of the thread', () => {
  const cases = Object.entries(MATRICES).flatMap(([name, matrix], at) =>
    share(QUESTIONS, at, 3).map((words) => ({ name, matrix, words, asked: words.join(' ') })),
  );

  test.each(cases)('$name: $asked', async ({ matrix, words: [verb, ...options] }) => {
    const file = join(folder, 'small.sms');
    writeFileSync(file, matrix);
    const seeded = [...options, '--seed', '17', '--json'];
    const here = await watched([verb!, file, ...seeded]);
    const there = await watched([verb!, '-', ...seeded], matrix);
    expect([here.code, here.threads, there.code, there.threads]).toEqual([0, 0, 0, 1]);
    expect(outcomeOf(here.stdout)).toEqual(outcomeOf(there.stdout));
  });

  test('of a certificate, to the letter', async () => {
    const file = join(folder, 'small.sms');
    writeFileSync(file, SCATTERED);
    const texts = ['here', 'there'].map((name) => join(folder, name));
    const [here, there] = await Promise.all([
      run(['rank', file, '65521', '--seed', '3', '--certificate', texts[0]!]),
      run(['rank', '-', '65521', '--seed', '3', '--certificate', texts[1]!], { input: SCATTERED }),
    ]);
    expect([here.code, there.code]).toEqual([0, 0]);
    expect(readFileSync(texts[0]!, 'utf8')).toBe(readFileSync(texts[1]!, 'utf8'));
  });
});

test('pivots alone need no kernels, and none are loaded', async () => {
  const file = join(folder, 'triangle.sms');
  writeFileSync(file, TRIANGLE);
  const { stdout, threads, files } = await watched(['rank', file, '65521', '-q']);
  expect({ stdout, threads }).toEqual({ stdout: '6\n', threads: 0 });
  expect(files.some((name) => name.startsWith('answer-'))).toBe(true);
  expect(files.filter((name) => /^(runner|wasm-module|certify|serve\.node)/.test(name))).toEqual([]);
});

test('what is refused before a question is asked waits for no thread', async () => {
  const file = join(folder, 'small.sms');
  writeFileSync(file, TRIANGLE);
  const { code, stdout, stderr, threads, waits } = await watched(['rank', file, '65521', '--run', file]);
  expect({ code, stdout, threads }).toEqual({ code: 74, stdout: '', threads: 0 });
  expect(stderr).toBe(`rank: ${file}: expected a folder, got a path with a file in it\n`);
  expect(Math.max(0, ...waits)).toBeLessThan(1000);
});

describe('a small file that is long', () => {
  /** n x n with n and n − 1 entries on two diagonals, packed: a few kilobytes. */
  const band = (n: number): Uint8Array => {
    const lines = Array.from(
      { length: n },
      (_, i) => `${i + 1} ${i + 1} ${1 + (i % 5)}\n${i + 1} ${((i + 1) % n) + 1} 1\n`,
    );
    return gzipSync(`${n} ${n} M\n${lines.join('')}0 0 0\n`);
  };

  const diagonal = (n: number): Uint8Array => {
    const lines = Array.from({ length: n }, (_, i) => `${i + 1} ${i + 1} ${1 + (i % 7)}\n`);
    return gzipSync(`${n} ${n} M\n${lines.join('')}0 0 0\n`);
  };

  test('is answered by a thread', async () => {
    const file = join(folder, 'diagonal.sms.gz');
    writeFileSync(file, diagonal(6000));
    const { code, stdout, threads } = await watched(['minpoly', file, '-p', '65521', '-q']);
    // (x − 1)·…·(x − 7)
    expect({ code, threads, lines: stdout.split('\n').length - 1 }).toEqual({ code: 0, threads: 1, lines: 8 });
  });

  test('of more entries than such a file mostly has too', async () => {
    const file = join(folder, 'band.sms.gz');
    writeFileSync(file, band(20_000));
    const { code, stdout, threads } = await watched(['rank', file, '-p', '65521', '-q']);
    expect({ code, stdout, threads }).toEqual({ code: 0, stdout: '20000\n', threads: 1 });
  });

  test('is interrupted: exit 130', async () => {
    const file = join(folder, 'long.sms.gz');
    writeFileSync(file, band(40_000));
    // The second of work begins where signals are caught, however long a process takes to start.
    const text = `import { writeSync } from 'node:fs';
      process.on('newListener', (name) => { if (name === 'SIGINT') writeSync(3, 'caught'); });`;
    const preload = `data:text/javascript,${encodeURIComponent(text)}`;
    const words = ['--import', preload, CLI, 'minpoly', file, '-p', '2147483629'];
    const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'] });
    child.stdio[3]!.once('data', () => setTimeout(() => child.kill('SIGINT'), 1000));
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect({ code, output }).toEqual({ code: 130, output: 'minpoly: interrupted\n' });
  });
});
