/** Structural pivots are structural: on them the matrix is triangular with a nonzero diagonal, whatever its values. */
import { describe, expect, test } from 'vitest';
import { type Matching, orderByDepth, type Pattern, swapSides } from '../../../algorithms/presolve/pattern.js';
import { peel, peelingLists } from '../../../algorithms/presolve/peeling.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { generate } from '../../../data/families.js';
import { KNOWN_RANKS } from '../../../data/known-ranks.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';

function family(name: string, args: readonly (number | string)[]): ResidueMatrix {
  const { rows, cols, rowIdx, colIdx, values } = generate(name, args as number[]);
  return SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values }).residues(2147483629);
}

function triplets(rows: number, cols: number, places: readonly (readonly [number, number])[]): ResidueMatrix {
  return SparseMatrix.fromTriplets(
    rows,
    cols,
    places.map(([i, j]) => [i, j, 1] as const),
  ).residues(65521);
}

const diagonal = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, k) => [from + k, from + k] as const);

/** What Pivots claims, entry by entry. */
function expectTriangular(a: Pattern, matching: Matching): void {
  const { rows, cols, depths } = orderByDepth(a, matching);
  expect(new Set(rows).size).toBe(matching.size);
  expect(new Set(cols).size).toBe(matching.size);
  const place = new Int32Array(a.cols).fill(-1);
  cols.forEach((j, k) => {
    place[j] = k;
  });
  let depth = 0;
  let wrong = 0;
  rows.forEach((i, k) => {
    while (depths[depth + 1] <= k) depth++;
    let diagonal = 0;
    for (let e = a.rowPtr[i]; e < a.rowPtr[i + 1]; e++) {
      const l = place[a.colIdx[e]];
      if (l === k) diagonal++;
      // Everything else that a row needs belongs to a smaller depth.
      else if (l >= depths[depth]) wrong++;
    }
    if (diagonal !== 1) wrong++;
  });
  expect(wrong).toBe(0);
  expect(depths.at(-1)).toBe(matching.size);
}

/** Of both peelings, each to its end: the one that is full, else larger, else less deep. */
function bestOfBoth(a: ResidueMatrix, at: ResidueMatrix): Matching {
  const [byColumns, byRows] = [peel(a, at), swapSides(peel(at, a))];
  if (byColumns.size === Math.min(a.rows, a.cols) || byColumns.size > byRows.size) return byColumns;
  if (byColumns.size < byRows.size) return byRows;
  const [columnsDeep, rowsDeep] = [byColumns, byRows].map((found) => orderByDepth(a, found).depths.length);
  return rowsDeep < columnsDeep ? byRows : byColumns;
}

function expectAllTriangular(a: ResidueMatrix): void {
  const at = transpose(a);
  const { matching } = structuralPivots(a, at);
  expect(matching).toEqual(bestOfBoth(a, at));
  expect(structuralPivots(at, a).matching).toEqual(bestOfBoth(at, a));
  for (const found of [matching, peel(a, at), swapSides(peel(at, a))]) {
    expectTriangular(a, found);
    expectTriangular(at, swapSides(found));
    expect(matching.size).toBeGreaterThanOrEqual(found.size);
  }
}

describe('pivots are triangular with a nonzero diagonal, and never more than the rank', () => {
  test.each(KNOWN_RANKS.filter(({ nnz }) => nnz <= 300_000))('$instance', ({ family: name, args, rank }) => {
    const a = family(name, args);
    expectAllTriangular(a);
    expect(structuralPivots(a, transpose(a)).matching.size).toBeLessThanOrEqual(rank);
  });

  test.each([
    ['random', [300, 300, 3, 65521, 1]],
    ['random', [200, 500, 20, 65521, 2]],
    ['random', [500, 200, 8, 65521, 3]],
    ['power-law', [400, 400, 65521, 4]],
  ] as const)('%s %j', (name, args) => expectAllTriangular(family(name, args)));
});

test('a peeling that has to find more pivots than there are ends without any', () => {
  for (const args of [
    [300, 300, 3, 65521, 1],
    [200, 500, 20, 65521, 2],
    [500, 200, 8, 65521, 3],
  ]) {
    const a = family('random', args);
    const at = transpose(a);
    const whole = peel(a, at);
    expect(peel(a, at, peelingLists(a), whole.size)).toEqual(whole);
    expect(peel(a, at, peelingLists(a), whole.size + 1)).toBeNull();
    expect(peel(a, at, peelingLists(a), Math.min(a.rows, a.cols) + 1)).toBeNull();
  }
});

test.each([255, 256, 257])('columns of %i entries are counted to their end', (n) => {
  const column = Array.from({ length: n }, (_, i) => [i, 0] as const);
  const hook = triplets(n, n, [...column, ...diagonal(1, n)]);
  for (const a of [hook, transpose(hook)]) expect(peel(a, transpose(a)).size).toBe(n);
  const alone = triplets(n, 1, column);
  expect(peel(alone, transpose(alone)).size).toBe(1);
});

describe('how many there are', () => {
  test.each([
    ['nothing', triplets(0, 0, []), 0],
    ['no entries', triplets(3, 2, []), 0],
    ['one entry', triplets(3, 2, [[1, 1]]), 1],
    [
      'a diagonal',
      triplets(
        3,
        3,
        [0, 1, 2].map((i) => [i, i] as const),
      ),
      3,
    ],
    [
      'a triangle',
      triplets(
        4,
        4,
        [0, 1, 2, 3].flatMap((i) => [0, 1, 2, 3].filter((j) => j <= i).map((j) => [i, j] as const)),
      ),
      4,
    ],
    // Every 2 × 2 block of ones is a cycle: one pivot of a full block, however large.
    [
      'a full block',
      triplets(
        5,
        7,
        [0, 1, 2, 3, 4].flatMap((i) => [0, 1, 2, 3, 4, 5, 6].map((j) => [i, j] as const)),
      ),
      1,
    ],
    [
      'a cycle of 5',
      triplets(
        5,
        5,
        [0, 1, 2, 3, 4].flatMap((i) => [[i, i] as const, [i, (i + 1) % 5] as const]),
      ),
      4,
    ],
  ] as const)('of %s', (_, a, count) => {
    expectAllTriangular(a);
    expect(structuralPivots(a, transpose(a)).matching.size).toBe(count);
  });

  test('of boundary matrices: nearly the rank, and all of it where the search for more stopped short', () => {
    for (const [name, args, least] of [
      ['mk', [11, 4], 10020],
      ['ch', [7, 7, 4], 22884],
      ['ch', [7, 7, 3], 6516],
      ['kneser', [8, 3], 14402],
    ] as const) {
      const a = family(name, args);
      expect(structuralPivots(a, transpose(a)).matching.size).toBeGreaterThanOrEqual(least);
    }
  });
});

test('a matching with a cycle is refused', () => {
  const a = triplets(2, 2, [
    [0, 0],
    [0, 1],
    [1, 0],
    [1, 1],
  ]);
  for (const order of [Uint32Array.of(0, 1), Uint32Array.of(1, 0)]) {
    const cycle: Matching = { colOf: Int32Array.of(0, 1), rowOf: Int32Array.of(0, 1), order, size: 2 };
    expect(() => orderByDepth(a, cycle)).toThrow(/expected no cycle/);
  }
});
