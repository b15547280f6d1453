/** rank --scratch: by pieces on the disk where memory has no room; the same rank, and nothing left in the folder. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerWithScratch } from '../../dist/src/worker/in-pieces.browser.js';
import { rank, readMatrix, SparseMatrix } from '../../src/index.js';
import { endingAt } from './ending-at.js';
import { limited, run } from './run.js';

let folder = '';
let scratch = '';
let file = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiedemann-scratch-'));
  [scratch, file] = [await mkdtemp(join(folder, 'scratch-')), join(folder, 'full.sms')];
  const { stdout } = await run(['generate', 'random', '600', '640', '300', '65521', '1', '20']);
  await writeFile(file, stdout);
});
afterAll(() => rm(folder, { recursive: true }));

// As it is read, with its residues and as block Wiedemann has it, it takes about 20 MB.
test.each([
  [
    '2000K',
    'the entries take more than memory allows',
    'wiedemann: blocks of 16 x 8, since the usual ones take about 2.',
  ],
  ['3900K', 'the entries take more than memory allows'],
  ['6500K', 'maxMemory: the matrix and its residues take about 12 MB, allowed are 6.4'],
])('by --max-memory %s where without the folder it is refused', async (bytes, reason, narrow = 'rank 580') => {
  const asked = ['rank', file, '-p', '65521', '--max-memory', bytes];
  expect((await run(asked)).code).toBe(70);
  const { code, stdout, stderr } = await run([...asked, '--scratch', scratch, '--explain', '--self-checks']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: '580\n' });
  const [why, how, next] = stderr.split('\n');
  expect(why).toBe(`wiedemann: in pieces, since otherwise ${reason}`);
  expect(how).toMatch(/^\d+ pieces of 183205 entries in \S+, by two buffers of [\d.]+ MB$/);
  expect(next).toContain(narrow);
  expect(stderr).toMatch(/\nrank 580 of 600 x 640 mod 65521 {3}verified/);
  expect(await readdir(scratch)).toEqual([]);
});

test('where there is room it changes nothing', async () => {
  const asked = ['rank', file, '-p', '65521', '--seed', '1', '--explain'];
  const lines = async (words: string[]) => (await run(words)).stderr.replace(/[\d.]+ s /g, '');
  expect(await lines([...asked, '--scratch', scratch])).toBe(await lines(asked));
});

test('a folder that is none, and a piece that has no room, are one line', async () => {
  const asked = ['rank', file, '-p', '65521', '-q', '--scratch'];
  const none = await run([...asked, join(folder, 'none')]);
  expect([none.code, none.stdout]).toEqual([74, '']);
  expect(none.stderr).toMatch(/^rank: scratch \S+none: ENOENT: no such file or directory[^\n]*\n$/);
  const small = await run([...asked, scratch, '--max-memory', '1M']);
  expect([small.code, small.stdout]).toEqual([2, '']);
  expect(small.stderr).toMatch(
    /^rank: method wiedemann: block Wiedemann by pieces takes about [\d.]+ MB, allowed are 1\n$/,
  );
  expect(await readdir(scratch)).toEqual([]);
});

test('a file of entries that cannot grow is one line', async () => {
  // A megabyte, of the two that entries take; test/slow/full-disk.test.ts has disks that are full.
  const ended = await limited(2048, ['rank', file, '-p', '65521', '--max-memory', '3900K', '--scratch', scratch]);
  expect([ended.code, ended.stdout]).toEqual([74, '']);
  expect(ended.stderr).toMatch(/^rank: scratch \S+: EFBIG: [^\n]*\n$/);
  expect(await readdir(scratch)).toEqual([]);
});

describe.each([
  ['of entries that are not in memory', '2000K', 'it goes on with as much memory for the entries as it began with, or'],
  ['of a matrix in memory', '6500K', null],
])('a kept run %s', (_, bytes, elsewhere) => {
  const dir = () => join(folder, `kept-${bytes}`);
  const asked = (...more: string[]) => {
    const kept = ['--run', dir(), '--checkpoint-interval', '0'];
    return ['rank', file, '-p', '65521', '--threads', '1', '--explain', ...kept, ...more];
  };
  const inPieces = (...more: string[]) => asked('--max-memory', bytes, '--scratch', scratch, ...more);
  const json = async (name: string) => JSON.parse(await readFile(join(dir(), name), 'utf8'));

  test('killed and stopped in its sequence it goes on from there, to the same rank with the same seed', async () => {
    const ended = { code: null, stdout: '' };
    expect(await run(inPieces(), { nodeOptions: endingAt('SIGKILL', 8, '-blocks-') })).toMatchObject(ended);
    const [{ done }, { seed }] = [await json('progress.json'), await json('manifest.json')];
    const stopped = await run(inPieces(), { nodeOptions: endingAt('SIGTERM', 5, '-blocks-') });
    expect([stopped.code, stopped.stderr]).toEqual([75, 'rank: stopped at a checkpoint; the same command goes on\n']);
    expect((await json('progress.json')).done).toBeGreaterThan(done);
    expect(await readdir(scratch)).toEqual([]);
    const { code, stdout, stderr } = await run(inPieces('--threads', '2'));
    expect([code, stdout]).toEqual([0, '580\n']);
    expect(stderr).toMatch(/^wiedemann: in pieces, as before\n\d+ pieces of /);
    expect(stderr).toContain(`seed ${seed}\n`);
    expect(stderr).not.toContain('warning');
    expect(await run(inPieces('-q'))).toMatchObject({ code: 0, stdout: '580\n' });
  });

  test('another matrix, and a run in memory, are refused', async () => {
    const text = await readFile(file, 'utf8');
    const [head, first, ...rest] = text.split('\n');
    const other = join(folder, 'other.sms');
    const [i, j, value] = first!.split(' ');
    await writeFile(other, [head, `${i} ${j} ${(Number(value) % 65520) + 1}`, ...rest].join('\n'));
    const refused = await run(inPieces('-q').map((word) => (word === file ? other : word)));
    const line = `rank: checkpoint ${dir()}: it is a run of another matrix\n`;
    expect(refused).toEqual({ code: 2, stdout: '', stderr: line });
    const inMemory = await run(asked('-q'));
    expect([inMemory.code, inMemory.stdout]).toEqual([2, '']);
    const what = elsewhere ?? 'the run was begun by pieces on a disk: --scratch goes on with it';
    expect(inMemory.stderr).toContain(what);
  });
});

test('the library: ranks of a matrix in memory by pieces, over codes and residues of 32 bits', async () => {
  const matrix = await readMatrix(file);
  for (const mod of [2, 2147483629]) {
    const asked = { mod, seed: 3 };
    const inPieces = await rank(matrix, { ...asked, scratch, maxMemory: 9.5e6, threads: 2 });
    expect(inPieces.explanation[0]).toMatch(/^wiedemann: in pieces/);
    const { value, kind } = await rank(matrix, asked);
    expect([inPieces.value, inPieces.kind, inPieces.nnz]).toEqual([value, kind, 183205]);
  }
  const { cols, rowIdx, colIdx, values } = matrix;
  const tall = SparseMatrix.fromTriplets(2 ** 31 - 1, cols, {
    rowIdx: rowIdx.map((i) => 3_000_000 * i),
    colIdx,
    values,
  });
  const found = await rank(tall, { mod: 65521, scratch, maxMemory: 9.5e6, seed: 3 });
  expect(found.explanation[0]).toMatch(/^wiedemann: in pieces/);
  expect([found.value, found.rows, found.cols, found.nnz]).toEqual([580, 2 ** 31 - 1, cols, matrix.nnz]);
  await expect(rank(matrix, { mod: 7, scratch: '' })).rejects.toThrow(/^scratch: expected the path of a directory/);
});

test('a page has no folder', () => {
  expect(() => answerWithScratch()).toThrow('scratch: here are no folders');
});
