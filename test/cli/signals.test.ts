/** A run that is told to end does so in order: its exit code says by which signal, and it leaves no files behind. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from './run.js';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-signals-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each([
  ['SIGHUP', 129, 'hung up'],
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
] as const)('%s', (signal, code, word) => {
  test('while reading', async () => {
    // More than a pipe holds: once it is written, somebody reads. The kill comes before the end of the input is seen.
    const input = `3 3 M\n${'1 1 1\n'.repeat(50_000)}0 0 0\n`;
    const ended = await run(['minpoly', '-p', '7'], { input, open: true, taken: (kill) => kill(signal) });
    expect(ended).toEqual({ code, stdout: '', stderr: `minpoly: ${word}\n` });
  });

  test('while computing: the file that the certificate was to replace stays, and nothing beside it', async () => {
    const { stdout: input } = await run(['generate', 'ch', '7', '7', '4']);
    const file = join(folder, 'certificate');
    writeFileSync(file, 'as it was');
    const words = ['rank', '-p', '2147483629', '--method', 'wiedemann', '--threads', '2', '--certificate', file];
    const ended = await run(words, { input, taken: (kill) => setTimeout(() => kill(signal), 700) });
    expect(ended).toEqual({ code, stdout: '', stderr: `rank: ${word}\n` });
    expect(readdirSync(folder)).toEqual(['certificate']);
    expect(readFileSync(file, 'utf8')).toBe('as it was');
  });
});

test('SIGKILL while computing leaves nothing behind either', async () => {
  const { stdout: input } = await run(['generate', 'ch', '7', '7', '4']);
  const words = ['rank', '-p', '2147483629', '--method', 'wiedemann', '--certificate', join(folder, 'never')];
  const ended = await run(words, { input, taken: (kill) => setTimeout(() => kill('SIGKILL'), 700) });
  expect(ended).toMatchObject({ code: null, stdout: '' });
  expect(readdirSync(folder).filter((name) => name !== 'certificate')).toEqual([]);
});
