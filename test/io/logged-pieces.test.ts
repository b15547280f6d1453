/** Entries that go to the disk as they are read, and come back as pieces: the residues of the matrix in memory. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../kernels/sparse/sparse-matrix.js';
import { EntryLog } from '../../src/io/entry-log.js';
import { piecesOfLog } from '../../src/io/logged-pieces.js';
import { parseMatrix, readMatrix } from '../../src/io/read-matrix.js';
import { openScratch } from '../../src/io/scratch-folder.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiedemann-logged-'));
});
afterAll(() => rm(folder, { recursive: true }));

const COUNT = 12_000; // some chunks of the list
const VALUES = ['1', '-1', '7', '123456789012345678901', '-65521', '0', '2147483647', '-2147483648'];

/** Lines `row column value` at random places of the matrix's middle: other lines stay empty. */
function lines(rows: number, cols: number, isLower = false): string[] {
  const words = new CounterRandom(5, 1).fillResidues(new Uint32Array(3 * COUNT), 2 ** 31);
  return Array.from({ length: COUNT }, (_, k) => {
    let [i, j] = [5 + (words[3 * k]! % (rows - 9)), 3 + (words[3 * k + 1]! % (cols - 7))];
    if (isLower && i < j) [i, j] = [j, i];
    return `${i} ${j} ${VALUES[words[3 * k + 2]! % VALUES.length]}`;
  });
}

const byRow = (a: string, b: string): number => Number.parseInt(a, 10) - Number.parseInt(b, 10);
const coordinate = (kind: string, entries: string[]): string =>
  [`%%MatrixMarket matrix coordinate integer ${kind}`, `300 300 ${COUNT}`, ...entries, ''].join('\n');

const TEXTS: readonly [what: string, text: string][] = [
  ['rows in disorder', ['900 70 M', ...lines(900, 70), '0 0 0', ''].join('\n')],
  ['rows in order', ['900 70 M', ...lines(900, 70).sort(byRow), '0 0 0', ''].join('\n')],
  ['more columns than rows', ['70 900 M', ...lines(70, 900).sort(byRow), '0 0 0', ''].join('\n')],
  ['a symmetric matrix', coordinate('symmetric', lines(300, 300, true))],
  ['fractions', ['900 70 R', ...lines(900, 70).map((line) => `${line}/9`), '0 0 0', ''].join('\n')],
];

/** All pieces under each other. */
async function joined(pieces: Awaited<ReturnType<typeof piecesOfLog>>): Promise<ResidueMatrix> {
  const [rowPtr, colIdx, values] = [[0], [] as number[], [] as number[]];
  for (let d = 0; d + 1 < pieces.bounds.length; d++) {
    const piece = await pieces.piece(d);
    for (const end of piece.rowPtr.subarray(1)) rowPtr.push(colIdx.length + end);
    colIdx.push(...piece.colIdx);
    values.push(...piece.values);
  }
  const { rows, cols } = pieces;
  return {
    ...{ rows, cols, rowPtr: Uint32Array.from(rowPtr) },
    ...{ colIdx: Uint32Array.from(colIdx), values: Uint32Array.from(values) },
  };
}

/** For comparison: toEqual is slow on long arrays. */
const digest = ({ rows, cols, rowPtr, colIdx, values }: ResidueMatrix): string =>
  [rows, cols, rowPtr.join(), colIdx.join(), values.join()].join('\n');

/** A's lines with entries, or those of its transpose where that is taller. */
function expected(a: SparseMatrix, p: number): ResidueMatrix {
  const residues = a.values.map((v) => v % p);
  a.wide.residues(BigInt(p), String).forEach((residue, w) => {
    residues[a.wide.positions[w]!] = Number(residue);
  });
  const used = (idx: Uint32Array): number[] => {
    return [...new Set(idx.filter((_, k) => residues[k] !== 0))].sort((x, y) => x - y);
  };
  const [rows, cols] = [a.rowIdx, a.colIdx].map((idx) => new Map(used(idx).map((line, at) => [line, at])));
  const whole = a.residues(p);
  const entries: [number, number, number][] = [];
  for (let i = 0; i < a.rows; i++) {
    for (let k = whole.rowPtr[i]!; k < whole.rowPtr[i + 1]!; k++)
      entries.push([rows!.get(i)!, cols!.get(whole.colIdx[k]!)!, whole.values[k]!]);
  }
  const own = SparseMatrix.fromTriplets(rows!.size, cols!.size, entries).residues(p);
  return a.cols > a.rows ? (transpose(own) as ResidueMatrix) : own;
}

describe.each([2, 65521, 2147483647])('mod %d', (p) => {
  test.each(TEXTS)('%s', async (_, text) => {
    const bytes = Buffer.from(text);
    const scratch = openScratch(folder);
    const want = expected(await readMatrix(bytes), p);
    for (const most of [COUNT * 2, 1000]) {
      const log = new EntryLog(scratch, p, 2 ** 20);
      const left = await parseMatrix(bytes, { name: 'm', maxMemory: 2 ** 18, spill: log });
      expect([left.nnz, log.hasBegun]).toEqual([0, true]);
      const pieces = await piecesOfLog(log.finish(), p, most, 2 ** 16, scratch);
      if (most === 1000) expect(pieces.bounds.length).toBeGreaterThan(4);
      expect(digest(await joined(pieces))).toBe(digest(want));
      pieces.free();
    }
    expect(await readdir(folder)).toEqual([]);
  });
});

test('with room there is no spill', async () => {
  const log = new EntryLog(openScratch(folder), 7, 2 ** 20);
  const matrix = await parseMatrix(Buffer.from(TEXTS[0]![1]), { name: 'm', maxMemory: 2 ** 24, spill: log });
  expect([matrix.nnz, log.hasBegun]).toEqual([COUNT, false]);
});

test('lines beyond memory, and a row beyond a piece, are one line each', async () => {
  const scratch = openScratch(folder);
  expect(() => new EntryLog(scratch, 7, 1000).begin(2 ** 31 - 1, 2 ** 31 - 1, 'general')).toThrow(
    new MemoryError('scratch: the counts of 2147483647 + 2147483647 lines take 16384 MB, allowed are 0.00096'),
  );
  const log = new EntryLog(scratch, 7, 1000);
  log.takeMatrix(SparseMatrix.fromDense([[1], [2], [3]]));
  const logged = log.finish();
  await expect(piecesOfLog({ ...logged, rowCounts: Uint32Array.of(1, 5, 1) }, 7, 4, 1000, scratch)).rejects.toThrow(
    new MemoryError('scratch: line 2 has 5 entries, of which memory for a piece holds 4'),
  );
});
