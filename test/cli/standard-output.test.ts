/** An answer that cannot be written whole: exit 74, one line; a reader that has gone is no error. */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CLI, type Ended, limited, run } from './run.js';

let folder = '';
let matrix = '';
let certificate = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-output-'));
  matrix = join(folder, 'matrix.sms');
  certificate = join(folder, 'certificate');
  writeFileSync(matrix, '2 2 M\n1 1 1\n2 2 3\n0 0 0\n');
  await run(['rank', matrix, '7', '--certificate', certificate]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Words for the verbs, with stand-ins for the files made above. */
const VERBS = [
  ['rank', 'MATRIX', '7'],
  ['rank', 'MATRIX', '7', '--json'],
  ['rank', 'MATRIX', '7', '--certificate', '-'],
  ['minpoly', 'MATRIX', '7'],
  ['det', 'MATRIX', '7'],
  ['verify', 'CERTIFICATE', 'MATRIX'],
  ['verify', 'CERTIFICATE', 'MATRIX', '--json'],
  ['info', 'MATRIX'],
  ['generate'],
  ['generate', 'bibd', '20', '3'],
  ['--version'],
  ['--help'],
];

const named = (words: readonly string[]): string[] =>
  words.map((word) => (word === 'MATRIX' ? matrix : word === 'CERTIFICATE' ? certificate : word));

function ended(words: readonly string[], stdout: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', stdout, 'pipe'] });
    let stderr = '';
    child.stderr!.on('data', (chunk) => {
      stderr += chunk;
    });
    child.on('close', (code) => resolve({ code, stdout: '', stderr }));
  });
}

const verbOf = ([word]: readonly string[]): string => (word!.startsWith('-') ? 'wiedemann' : word!);

test.skipIf(!existsSync('/dev/full')).each(VERBS.map((words) => ({ words })))(
  '$words > /dev/full',
  async ({ words }) => {
    const full = openSync('/dev/full', 'w');
    try {
      const stderr = `${verbOf(words)}: standard output: no space left on the disk\n`;
      expect(await ended(named(words), full)).toEqual({ code: 74, stdout: '', stderr });
    } finally {
      closeSync(full);
    }
  },
);

test.each(VERBS.map((words) => ({ words })))('$words into a file that may have no bytes', async ({ words }) => {
  const file = openSync(join(folder, 'output'), 'w');
  try {
    const stderr = `${verbOf(words)}: standard output: larger than files may be\n`;
    expect(await limited(0, named(words), file)).toEqual({ code: 74, stdout: '', stderr });
  } finally {
    closeSync(file);
  }
});

test.each(['sms', 'matrixmarket'])('%s into a file that ends half-way', async (format) => {
  const path = join(folder, format);
  const file = openSync(path, 'w');
  try {
    const { code, stderr } = await limited(100, ['generate', 'bibd', '30', '3', '--format', format], file);
    expect({ code, stderr }).toEqual({ code: 74, stderr: 'generate: standard output: larger than files may be\n' });
    expect(statSync(path).size).toBe(51200);
  } finally {
    closeSync(file);
  }
});

test.each(VERBS.map((words) => ({ words })))('$words for a reader that has gone', async ({ words }) => {
  const child = spawn(process.execPath, [CLI, ...named(words)], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect({ code, stderr: stderr.replace(/^(?:rank|det|minimal polynomial).* mod 7 .*\n$/, '') }).toEqual({
    code: 0,
    stderr: '',
  });
});

test('a certificate is written although nobody reads the rank', async () => {
  const file = join(folder, 'alone');
  const child = spawn(process.execPath, [CLI, 'rank', matrix, '7', '-q', '--certificate', file], { stdio: 'pipe' });
  child.stdout.destroy();
  expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  expect(statSync(file).size).toBeGreaterThan(100);
});
