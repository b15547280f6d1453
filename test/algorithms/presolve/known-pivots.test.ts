/** Pivots that are known of the same places are those that a search finds, and others are searched for. */
import { expect, test } from 'vitest';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { KnownPivots } from '../../../algorithms/presolve/known-pivots.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';

const never = (): boolean => false;

/** Entries 6, which are 0 mod 2 and 3, and 1. */
const { rows, cols, rowIdx, colIdx } = generate('random', [300, 260, 4, 65521, 5]);
const values = rowIdx.map((_, k) => (k % 3 === 0 ? 6 : 1));
const matrix = SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values: Int32Array.from(values) });

test('the same places modulo other primes: found once', () => {
  const known = new KnownPivots();
  const [a, b, c] = [101, 65521, 3].map((p) => matrix.residues(p));
  const first = known.find(a!, transpose(a!), never);
  expect(first).toEqual(structuralPivots(a!, transpose(a!)));
  expect(known.find(b!, transpose(b!), never)).toBe(first);
  const other = known.find(c!, transpose(c!), never);
  expect(other).toEqual(structuralPivots(c!, transpose(c!)));
  expect(other.matching).not.toEqual(first.matching);
  // Both are known by then.
  expect(known.find(a!, transpose(a!), never)).toBe(first);
  expect(known.find(c!, transpose(c!), never)).toBe(other);
});

test('pivots that were enough once are asked again whether they are, and searched on where they are not', () => {
  const a = matrix.residues(101);
  const at = transpose(a);
  const whole = structuralPivots(a, at);
  const some = structuralPivots(a, at, () => true);
  expect(some.matching.size).toBeLessThan(whole.matching.size);
  const known = new KnownPivots();
  const early = known.find(a, at, () => true);
  expect(early).toEqual(some);
  expect(known.find(a, at, () => true)).toBe(early);
  const found = known.find(a, at, never);
  expect(found).toEqual(whole);
  // The whole search is the one that is known from then on, whatever is enough.
  for (const enough of [true, false]) expect(known.find(a, at, () => enough)).toBe(found);
});

test.each([
  ['chessboard', 'ch', [5, 5, 2]],
  ['matching', 'mk', [9, 3]],
  ['random', 'random', [400, 300, 6, 65521, 1, 20]],
] as const)('a %s matrix is presolved as without them, mod every prime', (_, name, args) => {
  const { rows, cols, ...triplets } = generate(name, args as unknown as number[]);
  const matrix = SparseMatrix.fromTriplets(rows, cols, triplets);
  const known = new KnownPivots();
  for (const p of [65521, 2, 3, 5, 2147483629]) {
    const F = WordPrime.of(p);
    const of = (more: object) => {
      const { seconds: _, ...presolved } = presolve(F, matrix.residues(p), estimatesOver(F), { seed: 7n, ...more });
      return presolved;
    };
    expect(of({ known })).toEqual(of({}));
  }
});
