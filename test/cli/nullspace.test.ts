/** `wiedemann nullspace`: bases and random vectors, from both sides, files that are whole or absent, bad input. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nullspace, rank as rankOf, readMatrix, SparseMatrix } from '../../dist/src/index.js';
import { generated } from './generated.js';
import { CLI, limited, run } from './run.js';

const SMALL = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n'; // rank 2
const BIG = '2305843009213693951'; // 2^61 - 1

let root = '';
let folder = ''; // of one test
let number = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wiedemann-nullspace-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** A path in a folder of the test's own. */
function own(name: string): string {
  folder = join(root, `${++number}`);
  mkdirSync(folder);
  return join(folder, name);
}

const read = (text: string): Promise<SparseMatrix> => readMatrix(new TextEncoder().encode(text));

/** A·Vᵀ mod p, for vectors as rows. */
function products(a: SparseMatrix, vectors: SparseMatrix, p: bigint): bigint[] {
  if (vectors.rows === 0) return [];
  const columns = vectors.transpose();
  const dense = Array.from({ length: a.cols * vectors.rows }, (_, k) =>
    BigInt(columns.get(Math.floor(k / vectors.rows), k % vectors.rows) as number),
  );
  return a.multiply(dense, { width: vectors.rows }).map((value) => ((value % p) + p) % p);
}

describe('a basis', () => {
  test.each(['2', '65521', BIG])('mod %s, from the right and from the left', async (p) => {
    const matrix = generated('mk', '6', '2');
    const a = await read(matrix);
    const rank = (await rankOf(a, { mod: p })).value;
    for (const [words, of] of [
      [[], a],
      [['--left'], a.transpose()],
    ] as const) {
      const { code, stdout, stderr } = await run(['nullspace', '-p', p, ...words], { input: matrix });
      expect(code).toBe(0);
      const vectors = await read(stdout);
      expect([vectors.rows, vectors.cols]).toEqual([of.cols - rank, of.cols]);
      expect(stderr).toContain(`kernel of dimension ${of.cols - rank} of ${a.rows} x ${a.cols} mod ${p}   proved`);
      expect(products(of, vectors, BigInt(p)).every((value) => value === 0n)).toBe(true);
      expect((await rankOf(vectors, { mod: p })).value).toBe(vectors.rows); // independent
    }
  });

  test('is that of the library', async () => {
    const basis = (await nullspace(await read(SMALL), { mod: 101 })).value!;
    const { stdout } = await run(['nullspace', '-p', '101', '-q'], { input: SMALL });
    expect((await read(stdout)).equals(basis)).toBe(true);
  });

  test('of no vectors is a matrix of no rows', async () => {
    const { stdout, stderr } = await run(['nullspace', '-p', '101'], { input: '2 2 M\n1 1 1\n2 2 1\n0 0 0\n' });
    expect(stdout).toBe('0 2 M\n0 0 0\n');
    expect(stderr).toMatch(/^kernel of dimension 0 of 2 x 2 mod 101 {3}proved/);
    expect((await run(['nullspace', '-p', '101', '-q'], { input: '3 0 M\n' })).stdout).toBe('0 0 M\n0 0 0\n');
    const all = await run(['nullspace', '-p', '101', '-q'], { input: '0 2 M\n' });
    expect(all.stdout).toBe('2 2 M\n1 1 1\n2 2 1\n0 0 0\n');
  });
});

test('--vectors: as many random ones, by the seed', async () => {
  const draw = (seed: string) => run(['nullspace', '-p', '101', '--vectors', '5', '--seed', seed], { input: SMALL });
  const [one, again, other] = [await draw('1'), await draw('1'), await draw('2')];
  expect(one.stdout).toBe(again.stdout);
  expect(one.stdout).not.toBe(other.stdout);
  expect(one.stderr).toMatch(/^5 random vectors of the kernel of dimension 2 of 3 x 4 mod 101/);
  const vectors = await read(one.stdout);
  expect([vectors.rows, vectors.cols]).toEqual([5, 4]);
  expect(products(await read(SMALL), vectors, 101n).every((value) => value === 0n)).toBe(true);
});

test('--json is one object on stdout; the vectors go to --output alone', async () => {
  const file = own('kernel.sms');
  const words = ['nullspace', '-p', '101', '--json'];
  const summary = await run(words, { input: SMALL });
  expect(summary).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(summary.stdout)).toMatchObject({ command: 'nullspace', dimension: 2, rank: 2, left: false });
  const filed = await run([...words, '--output', file, '--left'], { input: SMALL });
  expect(JSON.parse(filed.stdout)).toMatchObject({ dimension: 1, rank: 2, left: true, vectors: 1 });
  expect((await read(readFileSync(file, 'utf8'))).rows).toBe(1);
});

describe('the file', () => {
  /** A kernel of some megabytes: 4 rows, 2·10^5 columns. */
  const wide = (): SparseMatrix => {
    const n = 200_000;
    const rowIdx = Uint32Array.from({ length: n }, (_, j) => j % 4);
    return SparseMatrix.fromTriplets(4, n, {
      rowIdx,
      colIdx: rowIdx.map((_, j) => j),
      values: rowIdx.map((i) => i + 1),
    });
  };

  function written(path: string): string {
    const { rows, cols, rowIdx, colIdx, values } = wide();
    const lines = Array.from(rowIdx, (i, k) => `${i + 1} ${colIdx[k]! + 1} ${values[k]}\n`);
    writeFileSync(path, `${rows} ${cols} M\n${lines.join('')}0 0 0\n`);
    return path;
  }

  test('of several batches has all vectors, each of the kernel', async () => {
    const file = own('kernel.sms');
    const matrix = written(join(folder, 'wide.sms'));
    const ended = await run(['nullspace', matrix, '-p', '101', '--output', file]);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    const kernel = await readMatrix(file);
    expect([kernel.rows, kernel.cols]).toEqual([199_996, 200_000]);
    const { rowPtr, colIdx, values } = kernel.toCsr();
    for (let k = 0; k < kernel.rows; k += 1999) {
      const sums = [0, 0, 0, 0];
      for (let at = rowPtr[k]!; at < rowPtr[k + 1]!; at++) {
        const i = colIdx[at]! % 4;
        sums[i] = sums[i]! + (i + 1) * Number(values[at]);
      }
      expect(sums.map((sum) => sum % 101)).toEqual([0, 0, 0, 0]);
    }
    expect(readdirSync(folder).sort()).toEqual(['kernel.sms', 'wide.sms']);
  });

  test('stays as it was where the disk is full half-way: exit 74', async () => {
    const file = own('kernel.sms');
    writeFileSync(file, 'old');
    const matrix = written(join(folder, 'wide.sms'));
    const ended = await limited(1000, ['nullspace', matrix, '-p', '101', '--output', file]);
    expect(ended).toMatchObject({ code: 74, stdout: '' });
    expect(ended.stderr).toContain('--output');
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['kernel.sms', 'wide.sms']);
  });

  test('is not there where a signal ends the run half-way: exit 143', async () => {
    const file = own('kernel.sms');
    const matrix = written(join(folder, 'wide.sms'));
    // Behind the second piece of the text; a trial file of one page comes first, before the work.
    const text = `
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const { writeFileSync } = fs;
      let pieces = 0;
      fs.writeFileSync = (file, text, ...more) => {
        writeFileSync(file, text, ...more);
        if (text.length > 4096 && ++pieces === 2) process.kill(process.pid, 'SIGTERM');
      };
      syncBuiltinESMExports();`;
    const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(text)}`];
    const { code } = await run(['nullspace', matrix, '-p', '101', '--output', file], { nodeOptions });
    expect(code).toBe(143);
    expect(readdirSync(folder)).toEqual(['wide.sms']);
  });

  test('is not made where the run cannot begin', async () => {
    const file = own('kernel.sms');
    for (const [words, code, said] of [
      [['nullspace', join(folder, 'none'), '-p', '101'], 65, 'no such file'],
      [['nullspace', join(folder, 'none'), '-p', '100'], 2, '100'],
      [['nullspace', join(folder, 'none'), '-p', '0'], 2, 'expected a prime modulus, got 0'],
      [
        ['nullspace', join(folder, 'none'), '-p', '101', '--vectors', 'all'],
        2,
        '--vectors: expected an integer in decimal digits, got all',
      ],
      [['nullspace', join(folder, 'none'), '-p', '101', '--no-verify'], 2, "unknown option '--no-verify'"],
    ] as const) {
      const ended = await run([...words, '--output', file]);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toContain(said);
      expect(existsSync(file)).toBe(false);
    }
    const cut = await run(['nullspace', '-p', '101', '--output', file], { input: SMALL.replace('0 0 0\n', '') });
    expect(cut.code).toBe(65);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is never the matrix', async () => {
    const matrix = own('small.sms');
    writeFileSync(matrix, SMALL);
    const ended = await run(['nullspace', matrix, '-p', '101', '--output', matrix]);
    expect(ended).toMatchObject({ code: 73, stdout: '' });
    expect(readFileSync(matrix, 'utf8')).toBe(SMALL);
  });

  test('a reader who has seen enough ends the run well', async () => {
    own('');
    const matrix = written(join(folder, 'wide.sms'));
    const script = '"$0" "$1" nullspace "$2" -p 101 -q | head -1';
    const child = spawn('bash', ['-c', `${script}; exit \${PIPESTATUS[0]}`, process.execPath, CLI, matrix]);
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '199996 200000 M\n', stderr: '' });
  });
});
