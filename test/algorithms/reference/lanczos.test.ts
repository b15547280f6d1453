import { expect, test } from 'vitest';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { scalarLanczos } from '../../../algorithms/reference/lanczos.js';
import { applyRows, denseRows, sparseRows } from '../../../algorithms/reference/rows.js';
import { projectivePlane } from '../../../data/families/projective-plane.js';
import { random } from '../../../data/families/random.js';
import type { Triplets } from '../../../data/triplets.js';
import { BigPrime } from '../../../fields/big-prime.js';
import { ExtensionField } from '../../../fields/extension.js';
import type { Field } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const fromFamily = (triplets: Triplets): SparseMatrix =>
  SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);

/** Elements but zero by their codes. */
function drawNonzero<E>(count: number, stream: number, q: number, element: (code: number) => E): E[] {
  const codes = new CounterRandom(5n, stream).fillResidues(new Uint32Array(count), q - 1);
  return Array.from(codes, (code) => element(code + 1));
}

const diagonal = <E>(elements: readonly E[]): Map<number, E>[] => elements.map((value, i) => new Map([[i, value]]));

function check<E>(F: Field<E>, matrix: SparseMatrix, p: number, element: (code: number) => E, q: number): void {
  const { rows, cols } = matrix;
  const compressed = matrix.residues(p);
  const a = sparseRows(F, compressed);
  const scaling = { d: drawNonzero(rows, 0, q, element), e: diagonal(drawNonzero(cols, 1, q, element)) };
  const start = drawNonzero(cols, 2, q, element);
  const b = applyRows(F, a, drawNonzero(cols, 3, q, element));
  const found = scalarLanczos(F, a, cols, scaling, start, b);
  expect(found.isComplete).toBe(true);
  expect(found.dimension).toBe(denseRank(F, denseRows(F, compressed)));
  expect(applyRows(F, a, found.x)).toEqual(b);
}

const MATRICES: readonly [string, SparseMatrix][] = [
  ['1 x 1', SparseMatrix.fromDense([[3]])],
  ['wide', fromFamily(random(12, 30, 4, 101, 1))],
  ['tall', fromFamily(random(30, 12, 4, 101, 1))],
  ['of low rank', fromFamily(random(40, 40, 4, 101, 1, 15))],
];

test.each(MATRICES)('%s: the solution that elimination allows, and the dimension is the rank', (_, matrix) => {
  for (const p of [65521, 2147483629]) check(WordPrime.of(p), matrix, p, (code) => code, p);
  const big = new BigPrime(2147483629n);
  check(big, matrix, 2147483629, (code) => big.from(code), 2147483629);
  check(ExtensionField.of(2, 14), matrix, 2, (code) => code, 2 ** 14);
});

test('the points of a plane are orthogonal to each other mod 7, and its diagonals mend it', () => {
  const matrix = fromFamily(projectivePlane(7));
  check(ExtensionField.of(7, 5), matrix, 7, (code) => code, 7 ** 5);
  const F = WordPrime.of(7);
  const a = sparseRows(F, matrix.residues(7));
  const ones = new Array<number>(57).fill(1);
  const start = drawNonzero(57, 2, 7, (code) => code);
  const found = scalarLanczos(F, a, 57, { d: ones, e: diagonal(ones) }, start, ones);
  expect(found.isComplete && found.dimension === denseRank(F, denseRows(F, matrix.residues(7)))).toBe(false);
});
