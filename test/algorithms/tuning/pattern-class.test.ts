/** Classes of patterns: the same for matrices that are alike, another one where a storage could serve one alone. */
import { expect, test } from 'vitest';
import { patternClass } from '../../../algorithms/tuning/pattern-class.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const P = 65521;

/** n × n, entries at (i, places of i), all of one value. */
function matrixOf(n: number, places: (i: number) => readonly number[], value = 3) {
  const entries = Array.from({ length: n }, (_, i) => places(i).map((j) => [i, j % n, value] as const)).flat();
  return SparseMatrix.fromTriplets(n, n, entries).residues(P);
}

const banded = (i: number) => [i, i + 5, i + 10];
const CLASS = patternClass(matrixOf(1000, banded), P);

test('a matrix that is alike has the same class', () => {
  expect(patternClass(matrixOf(1010, banded, 9), P)).toBe(CLASS);
  expect(
    patternClass(
      matrixOf(1000, (i) => [i, i + 5, i + 13]),
      P,
    ),
  ).toBe(CLASS);
});

test.each([
  ['a size', matrixOf(1300, banded)],
  ['values', matrixOf(1000, banded, 1)],
  ['the places', matrixOf(1000, (i) => [i * 37, i * 41 + 5, i * 43 + 11])],
  ['a long row', matrixOf(1000, (i) => (i === 7 ? Array.from({ length: 40 }, (_, j) => 3 * j) : banded(i)))],
  ['a long column', matrixOf(1000, (i) => (i < 60 ? [0, i + 5, i + 10] : banded(i)))],
  ['blocks', matrixOf(1000, (i) => Array.from({ length: 4 }, (_, j) => (i - (i % 4) + j) % 1000))],
])('%s makes another class', (_, matrix) => {
  expect(patternClass(matrix, P)).not.toBe(CLASS);
});

test('an empty matrix has one', () => {
  expect(patternClass(SparseMatrix.fromDense([[0]]).residues(P), P)).toMatch(/^1 1 0 0 0 u0 b1 /);
});
