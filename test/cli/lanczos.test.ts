/** `--method lanczos`: the answers of elimination, the same on threads, on the reference and on a GPU; wrong usage. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nullspace, SparseMatrix, solve } from '../../dist/src/index.js';
import { gpuMissing, SELDOM_POLLS } from '../gpu.js';
import { generated } from './generated.js';
import { type Ended, run } from './run.js';

process.env['NODE_OPTIONS'] = SELDOM_POLLS;

let folder = '';
const path = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-lanczos-'));
  const stdout = generated('pg', '7');
  writeFileSync(path('pg.sms'), stdout);
  writeFileSync(path('ones'), '1\n'.repeat(57)); // every line has 8 points: A·1 = 1 mod 7
  writeFileSync(path('unit'), `1\n${'0\n'.repeat(56)}`);
  writeFileSync(path('trefethen.sms'), generated('trefethen', '300'));
  writeFileSync(path('b'), Array.from({ length: 300 }, (_, i) => `${i % 17} ${i % 5}\n`).join(''));
});
afterAll(() => rmSync(folder, { recursive: true }));

const KERNELS = ['product', 'dots', 'update', 'answer'];
const kernelsIn = (stderr: string): (string | undefined)[] => {
  const lines = [...stderr.matchAll(/^lanczos: (\w+) [\d.e-]+ ms, [\d.e+-]+ GB\/s, \d+ % of the copy's$/gm)];
  expect(stderr.match(/^lanczos: a copy of V moves [\d.e+-]+ GB\/s$/gm)).toHaveLength(1);
  return lines.map(([, kernel]) => kernel);
};

const solveBy = (a: string, b: string, p: string, ...more: string[]): Promise<Ended> =>
  run(['solve', path(a), path(b), '-p', p, ...more]);

test.each(['101', '65521', '2147483629'])('a nonsingular system mod %s: the X of elimination', async (p) => {
  const expected = await solveBy('trefethen.sms', 'b', p, '-q');
  const { code, stdout, stderr } = await solveBy('trefethen.sms', 'b', p, '--method', 'lanczos', '--explain');
  expect(code).toBe(0);
  expect(stdout).toBe(expected.stdout);
  expect(stderr).toMatch(/^lanczos: blocks of \d+ columns over GF\(\d+\), rank 300 or more\nlanczos: runs \d/);
  expect(stderr).toMatch(/singular blocks \d+, runs that they ended \d+, answers refused \d+\n/);
  expect(kernelsIn(stderr)).toEqual(KERNELS);
  expect(stderr).toContain(`300 x 300 mod ${p}   proved`);
});

describe('a plane whose points are orthogonal to each other', () => {
  test('solutions and refutations', async () => {
    const solved = await solveBy('pg.sms', 'ones', '7', '--method', 'lanczos', '--random', '--seed', '4');
    expect(solved).toMatchObject({ code: 0, stderr: expect.stringContaining('proved') });
    const u = path('u');
    const refuted = await solveBy('pg.sms', 'unit', '7', '--method', 'lanczos', '--inconsistency', u);
    expect(refuted).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('proved') });
    expect((await run(['solve', path('pg.sms'), path('unit'), '-p', '7', '-q'])).code).toBe(3);
  });

  test('kernel vectors: the same for the same seed, whatever multiplies', async () => {
    const ask = (...more: string[]): Promise<Ended> =>
      run([
        'nullspace',
        path('pg.sms'),
        '-p',
        '7',
        '-q',
        '--method',
        'lanczos',
        '--vectors',
        '20',
        '--seed',
        '5',
        ...more,
      ]);
    const first = await ask();
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/^20 57 M\n/);
    expect(await ask('--threads', '2')).toEqual(first);
    expect(await ask('--device', 'reference')).toEqual(first);
    if (gpuMissing === null) expect(await ask('--device', 'gpu')).toEqual(first);
  });
});

test('a system on the GPU has every word of the CPU, and on two threads that of one', async () => {
  const ask = (...more: string[]) => solveBy('trefethen.sms', 'b', '65521', '-q', '--method', 'lanczos', ...more);
  const one = await ask('--threads', '1');
  expect(one.code).toBe(0);
  expect(await ask('--threads', '2')).toEqual(one);
  if (gpuMissing === null) expect(await ask('--device', 'gpu')).toEqual(one);
});

test('mod 2: blocks of 64 columns of bits, the same words from threads, the reference and a GPU', async () => {
  // More rows than one thread takes alone.
  writeFileSync(path('bits.sms'), generated('random', '9000', '8900', '4', '2', '1'));
  const ask = (file: string, ...more: string[]): Promise<Ended> =>
    run([
      ...['nullspace', path(file), '-p', '2', '-q', '--left', '--method', 'lanczos', '--vectors', '3'],
      ...['--seed', '5', ...more],
    ]);
  const long = await ask('bits.sms', '--threads', '1');
  expect(long.code).toBe(0);
  expect(long.stdout).toMatch(/^3 9000 M\n/);
  expect(await ask('bits.sms', '--threads', '2')).toEqual(long);
  const short = await ask('pg.sms', '--threads', '1');
  expect(short.code).toBe(0);
  expect(await ask('pg.sms', '--device', 'reference')).toEqual(short);
  if (gpuMissing === null) expect(await ask('pg.sms', '--device', 'gpu')).toEqual(short);

  writeFileSync(path('ones300'), '1\n'.repeat(300));
  const { code, stderr } = await solveBy('trefethen.sms', 'ones300', '2', '--method', 'lanczos', '--explain');
  expect([0, 3]).toContain(code);
  expect(code).toBe((await solveBy('trefethen.sms', 'ones300', '2', '-q')).code);
  expect(stderr).toMatch(/^lanczos: blocks of 64 columns of bits, rank \d+ or more\nlanczos: runs \d/);
});

test.each([
  [['nullspace', 'pg.sms', '--method', 'wiedemann'], "method: expected auto, elimination, lanczos, got 'wiedemann'"],
  [['rank', 'pg.sms', '--method', 'lanczos'], "method: expected auto, elimination, hybrid, wiedemann, got 'lanczos'"],
])('%j is wrong usage', async ([verb, file, ...more], message) => {
  const { code, stdout, stderr } = await run([verb!, path(file!), '-p', '7', ...more]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
});

test('beyond 2^31 and without room it is refused', async () => {
  const beyond = await solveBy('pg.sms', 'ones', '2305843009213693951', '--method', 'lanczos');
  expect(beyond).toMatchObject({ code: 2, stderr: expect.stringContaining('expected a prime below 2^31') });
  const cramped = await solveBy('pg.sms', 'ones', '7', '--method', 'lanczos', '--max-memory', '100000');
  expect(cramped).toMatchObject({ code: 2, stderr: expect.stringContaining('block Lanczos takes about') });
});

test('the library: vectors without rank or dimension, and a basis with both', async () => {
  const a = SparseMatrix.fromDense([
    [1, 1, 0],
    [0, 1, 1],
  ]);
  const found = await nullspace(a, { mod: 101, method: 'lanczos', vectors: 3 });
  expect(found).toMatchObject({ kind: 'proved', rank: null, dimension: null, upperBound: 1, method: 'block-lanczos' });
  expect(found.value!.rows).toBe(3);
  const left = await nullspace(a.transpose(), { mod: 101, method: 'lanczos', vectors: 3, left: true });
  expect(left).toMatchObject({ kind: 'proved', cols: 2, upperBound: 1 });
  expect(left.value!.cols).toBe(3);
  expect((await solve(a, [1, 2], { mod: 101, method: 'lanczos' })).kind).toBe('proved');
  const basis = await nullspace(a, { mod: 101, method: 'lanczos' });
  expect(basis).toMatchObject({ kind: 'proved', rank: 2, dimension: 1, vectors: 1, method: 'block-lanczos' });
  expect([...basis.freeLines]).toEqual([0]);
  expect([...basis.value!.entries()]).toEqual([
    [0, 0, 1],
    [0, 1, 100],
    [0, 2, 1],
  ]);
});
