/** A matrix in pieces on the disk: the products of the reference executor with the whole, whatever the buffers. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type MatrixPieces, takeRows } from '../../../kernels/sparse/matrix-pieces.js';
import type { ResidueMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import type { CpuPieces } from '../../../kernels/spmm/cpu-pieces.js';
import { openScratch } from '../../../src/io/scratch-folder.js';
import { filled, matrixOf } from './cases.js';
import { fieldOf } from './table.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiedemann-pieces-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** The matrix as pieces of so many rows; the second begins where the first does, without rows. */
function piecesOf(matrix: ResidueMatrix, rows: number): MatrixPieces & { asked: number } {
  const bounds = [0, ...Array.from({ length: Math.floor(matrix.rows / rows) + 1 }, (_, d) => d * rows), matrix.rows];
  return {
    ...{ rows: matrix.rows, cols: matrix.cols, nnz: matrix.colIdx.length, bounds, asked: 0 },
    piece(d) {
      this.asked++;
      return takeRows(matrix, bounds[d]!, bounds[d + 1]!);
    },
  };
}

/** Rows of the matrix, of a piece of the source, bytes of a buffer, pieces of both directions at least. */
const CUTS = [
  { rows: 0, cut: 10, buffer: 2 ** 13, least: 2 },
  { rows: 300, cut: 1000, buffer: 2 ** 20, least: 2 }, // all of it in its buffer
  { rows: 300, cut: 170, buffer: 2 ** 20, least: 4 },
  { rows: 300, cut: 90, buffer: 2 ** 15, least: 8 },
  { rows: 301, cut: 1000, buffer: 2 ** 13, least: 6 }, // halved and halved again
];

describe.each([2, 3, 256, 65521, 2147483629])('mod %d', (p) => {
  test.each(CUTS)('$rows rows, $cut at a time, by buffers of $buffer', async ({ rows, cut, buffer, least }) => {
    const [F, extension] = fieldOf(p);
    const base = await CpuExecutor.create(F);
    const executor = extension ? base.over(extension)! : base;
    const reference = new ReferenceExecutor(F, extension);
    const q = extension?.size ?? p;
    const matrix = matrixOf(rows, 120, F.p, 'mixed', (i) => (i === 50 ? 0 : i % 19));
    const pieces = piecesOf(matrix, cut);
    const a = executor.operatorInPieces(pieces, openScratch(folder), buffer) as CpuPieces;
    const expected = reference.operator(matrix);
    for (const [width, alpha, beta] of [
      [4, 1, 0],
      [4, 1, 1],
      [5, q - 1, q >> 1],
    ] as const) {
      for (const transposed of [false, true]) {
        const [length, others] = transposed ? [120, rows] : [rows, 120];
        const products = [executor, reference].map(async (on, which) => {
          const [y, x] = [filled(on, length, width, 2), filled(on, others, width, 1)];
          const map = which === 0 ? a : expected;
          await (transposed ? map.applyTransposed(y, x, alpha, beta) : map.apply(y, x, alpha, beta));
          return on.read(y);
        });
        const [got, want] = await Promise.all(products);
        expect(got).toEqual(want);
      }
    }
    expect(a.stored.pieces).toBeGreaterThanOrEqual(least);
    // Made once for each direction, and read from the disk thereafter.
    expect(pieces.asked).toBe(2 * (pieces.bounds.length - 1));
    a.free();
    base.dispose();
    expect(await readdir(folder)).toEqual([]);
  });
});

test('a row that no buffer holds is an error of one line', async () => {
  const [F] = fieldOf(65521);
  const executor = await CpuExecutor.create(F);
  const matrix = matrixOf(3, 5000, 65521, 'general', (i) => (i === 1 ? 4000 : 2));
  const a = executor.operatorInPieces(piecesOf(matrix, 10), openScratch(folder), 2 ** 14);
  const [y, x] = [executor.vector(3, 1), executor.vector(5000, 1)];
  const message = 'a matrix in pieces: row 2 with its 4000 entries takes more than a piece of 0.016 MB';
  await expect(a.apply(y, x)).rejects.toThrow(new MemoryError(message));
  a.free();
  executor.dispose();
});
