/** `--method block-lu`: the answers of elimination on every device, one line where there is none, wrong usage. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OptionError, SparseMatrix, solve } from '../../dist/src/index.js';
import { gpuMissing } from '../gpu.js';
import { type Ended, run } from './run.js';

const N = 150;

let folder = '';
const path = (name: string): string => join(folder, name);

/** Entries (i, j, value), 0-based, as SMS. */
function write(name: string, n: number, entries: readonly (readonly number[])[]): void {
  const lines = entries.map(([i, j, value]) => `${i! + 1} ${j! + 1} ${value}\n`);
  writeFileSync(path(name), `${n} ${n} M\n${lines.join('')}0 0 0\n`);
}

/** Rows with 1, 5 and 3 around the diagonal. */
function tridiagonal(n: number): number[][] {
  return Array.from({ length: n }, (_, i) => [
    [i, i, 5],
    ...(i > 0 ? [[i, i - 1, 1]] : []),
    ...(i < n - 1 ? [[i, i + 1, 3]] : []),
  ]).flat();
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-block-lu-'));
  write('band.sms', N, tridiagonal(N));
  const corners = [
    [0, N - 1, 2],
    [N - 1, 0, 7],
  ];
  write('cycle.sms', N, [...tridiagonal(N), ...corners]);
  write(
    'reversed.sms',
    64,
    Array.from({ length: 64 }, (_, i) => [i, 63 - i, 1]),
  );
  writeFileSync(path('wide.sms'), '2 3 M\n1 1 1\n0 0 0\n');
  writeFileSync(path('b'), Array.from({ length: N }, (_, i) => `${i % 17} ${i % 5}\n`).join(''));
  writeFileSync(path('ones64'), '1\n'.repeat(64));
  writeFileSync(path('ones2'), '1\n1\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

const solveBy = (a: string, b: string, ...more: string[]): Promise<Ended> =>
  run(['solve', path(a), path(b), '--method', 'block-lu', ...more]);

describe.each(['band', 'cycle'])('a %s', (name) => {
  test.each(['101', '2147483629'])('the X of elimination, mod %s', async (p) => {
    const expected = await run(['solve', path(`${name}.sms`), path('b'), '-p', p, '-q', '--method', 'elimination']);
    const { code, stdout, stderr } = await solveBy(`${name}.sms`, 'b', '-p', p, '--explain');
    expect(code).toBe(0);
    expect(stdout).toBe(expected.stdout);
    const how = name === 'band' ? 'without fill' : 'with fill, corrected';
    expect(stderr).toMatch(new RegExp(`^block LU: \\d+ blocks of 4 x 4 in 38 block rows, ${how}\n`));
    expect(stderr).toContain(`${N} x ${N} mod ${p}   proved`);
  });

  test.skipIf(gpuMissing)('the same on a GPU and on the reference', async () => {
    const [cpu, gpu, reference] = await Promise.all(
      ['cpu', 'gpu', 'reference'].map((device) => solveBy(`${name}.sms`, 'b', '-p', '65519', '-q', '--device', device)),
    );
    expect(cpu!.code).toBe(0);
    expect([gpu, reference]).toEqual([cpu, cpu]);
  });
});

test('a singular pivot block is one line and exit code 70', async () => {
  const { code, stdout, stderr } = await solveBy('reversed.sms', 'ones64', '-p', '101', '-q');
  expect({ code, stdout }).toEqual({ code: 70, stdout: '' });
  const rows = [4, 8, 16, 32].map((b) => `row 0 of blocks of ${b}`).join(', ');
  expect(stderr).toBe(`solve: no solution was found, and none refuted: block-lu: a pivot block is singular: ${rows}\n`);
});

test('wrong usage is one line and exit code 2', async () => {
  const band = SparseMatrix.fromDense([[1]]);
  const method = 'block-lu';
  await expect(solve(band, [1], { mod: 101, method, random: true })).rejects.toThrow(OptionError);
  const bad: [string, string, string[]][] = [
    ['wide.sms', 'ones2', ['-p', '101']],
    ['band.sms', 'b', ['-p', '101', '--random']],
    ['band.sms', 'b', ['-p', '2147483659']],
    ['band.sms', 'b', ['-p', '0']],
    ['band.sms', 'b', ['-p', '101', '--max-memory', '100k']],
  ];
  const ended = await Promise.all(bad.map(([a, b, more]) => solveBy(a, b, ...more)));
  for (const { code, stdout, stderr } of ended) {
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^solve: .*method.*\n$/);
  }
});
