/** Reverse Cuthill-McKee: every line once, the same entries, and near the diagonal where there is an order for that. */
import { describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { meanDistance, permuteLines, reverseCuthillMcKee } from '../../../kernels/sparse/reordering.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { CASES } from '../executors/cases.js';

const P = 65521;

/** 0 … count − 1 in a random order. */
function shuffled(count: number, seed: number): number[] {
  const random = new CounterRandom(seed, 3);
  const order = Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const j = random.residueAt(i, i + 1);
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** The widest distance of an entry from the diagonal. */
function bandwidth({ rows, rowPtr, colIdx }: ResidueMatrix): number {
  let most = 0;
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]!; k < rowPtr[i + 1]!; k++) most = Math.max(most, Math.abs(colIdx[k]! - i));
  }
  return most;
}

function entriesOf({ rows, rowPtr, colIdx, values }: ResidueMatrix): [number, number, number][] {
  return Array.from({ length: rows }, (_, i) => i).flatMap((i) =>
    Array.from({ length: rowPtr[i + 1]! - rowPtr[i]! }, (_, t) => rowPtr[i]! + t).map((k): [number, number, number] => [
      i,
      colIdx[k]!,
      values[k]!,
    ]),
  );
}

describe.each([false, true])('symmetric: %s', (symmetric) => {
  test.each(CASES.filter(({ matrix }) => !symmetric || matrix(P).rows === matrix(P).cols))(
    '$name: each line once, and the entries where their lines are',
    ({ matrix }) => {
      const a = matrix(P);
      const { rows, cols } = reverseCuthillMcKee(a, symmetric);
      expect([...rows].sort((s, t) => s - t)).toEqual(Array.from({ length: a.rows }, (_, i) => i));
      expect([...cols].sort((s, t) => s - t)).toEqual(Array.from({ length: a.cols }, (_, j) => j));
      if (symmetric) expect(rows).toEqual(cols);
      const moved = entriesOf(a).map(([i, j, v]): [number, number, number] => [rows.indexOf(i), cols.indexOf(j), v]);
      const expected = SparseMatrix.fromTriplets(a.rows, a.cols, moved).residues(P);
      expect(permuteLines(a, { rows, cols })).toEqual(expected);
    },
  );
});

test('a path whose vertices are shuffled is a path again', () => {
  const n = 500;
  const at = shuffled(n, 1);
  // One direction of each edge: the pattern is taken with its transpose.
  const a = SparseMatrix.fromTriplets(
    n,
    n,
    at.slice(1).map((v, i) => [at[i]!, v, 1 + (i % 5)] as const),
  ).residues(P);
  expect(bandwidth(a)).toBeGreaterThan(100);
  expect(bandwidth(permuteLines(a, reverseCuthillMcKee(a, true)))).toBe(1);
});

test('a shuffled grid comes near the diagonal, components one after another', () => {
  const [width, height, copies] = [30, 12, 3];
  const n = width * height * copies;
  const at = shuffled(n, 2);
  const entries: [number, number, number][] = [];
  for (let v = 0; v < n; v++) {
    const [x, y] = [v % width, Math.floor(v / width) % height];
    for (const w of [v, x + 1 < width ? v + 1 : v, y + 1 < height ? v + width : v]) {
      entries.push([at[v]!, at[w]!, 1]);
      if (w !== v) entries.push([at[w]!, at[v]!, 2]);
    }
  }
  const a = SparseMatrix.fromTriplets(n, n, entries).residues(P);
  const reordered = permuteLines(a, reverseCuthillMcKee(a, true));
  // A level has at most as many vertices as the shorter side, and entries lie in two levels side by side.
  expect(bandwidth(reordered)).toBeLessThan(2 * height + 1);
  expect(meanDistance(reordered)).toBeLessThan(meanDistance(a) / 20);
});

test('rows and columns that are shuffled apart come near the diagonal again', () => {
  const [rows, cols] = [300, 450];
  const [rowAt, colAt] = [shuffled(rows, 3), shuffled(cols, 4)];
  const entries: [number, number, number][] = [];
  for (let i = 0; i < rows; i++) {
    for (let t = 0; t < 4; t++) entries.push([rowAt[i]!, colAt[Math.min(cols - 1, Math.floor(1.5 * i) + t)]!, 1 + t]);
  }
  const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(P);
  expect(meanDistance(a)).toBeGreaterThan(90);
  expect(meanDistance(permuteLines(a, reverseCuthillMcKee(a, false)))).toBeLessThan(6);
});
