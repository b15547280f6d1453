/** Ranks over Q by the command line, and what two primes prove of them. */
import { describe, expect, test } from 'vitest';
import { SMALL, SQUARE, smallFiles } from './own-files.js';
import { run } from './run.js';

const path = smallFiles();

describe('over the rationals', () => {
  test('-p 0 is the rank over Q, where small primes see less', async () => {
    const text = '3 3 M\n1 1 6\n2 2 15\n3 3 35\n0 0 0\n';
    for (const [mod, rank] of [
      ['2', 2],
      ['5', 1],
      ['0', 3],
    ] as const) {
      expect((await run(['rank', '-p', mod, '-q'], { input: text })).stdout).toBe(`${rank}\n`);
    }
  });

  test('says what two primes prove: all of it where minors are below them', async () => {
    const large = '3 3 M\n1 1 1000000007\n1 2 1\n2 1 1000000007\n2 2 1\n3 3 999999937\n0 0 0\n';
    for (const [input, claim] of [
      [SMALL, /rank 2 of 3 x 4 over Q {3}proved/],
      [large, /rank 2 of 3 x 3 over Q {3}verified, error below 2\^-4\d/],
    ] as const) {
      const { stdout, stderr } = await run(['rank', '-p', '0', '--explain'], { input });
      expect(stdout).toBe('2\n');
      expect(stderr.match(/^mod \d{10}: rank 2$/gm)).toHaveLength(2);
      expect(stderr).toMatch(claim);
    }
    const { mod, upperBound, errorLog2 } = JSON.parse(
      (await run(['rank', '-p', '0', '--json'], { input: large })).stdout,
    );
    expect({ mod, upperBound }).toEqual({ mod: '0', upperBound: 2 });
    expect(errorLog2).toBeLessThan(-40);
  });

  test('fractions, and entries beyond a word', async () => {
    const text =
      '2 2 R\n1 1 1/3\n1 2 123456789012345678901234567890/7\n2 1 2/3\n2 2 246913578024691357802469135780/7\n0 0 0\n';
    expect((await run(['rank', '-p', '0', '-q'], { input: text })).stdout).toBe('1\n');
  });

  test('is not for minpoly, and without a certificate', async () => {
    for (const args of [
      ['minpoly', '-p', '0'],
      ['rank', '-p', '0', '--certificate', path('q.cert')],
    ]) {
      const ended = await run(args, { input: SQUARE });
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(/expected a prime.*got 0\n$/);
    }
  });
});
