/** The slow twins of solve and nullspace: by law over a table of fields, shapes and ranks, and by eye. */
import { describe, expect, test } from 'vitest';
import { denseDeterminant, denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { ReferenceFactors } from '../../../algorithms/reference/factors.js';
import { applyRows, type SparseRow, transposeRows } from '../../../algorithms/reference/rows.js';
import { BigPrime } from '../../../fields/big-prime.js';
import { ExtensionField } from '../../../fields/extension.js';
import type { Field } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';

const PRIMES = [2, 3, 5, 7, 101, 65521, 2147483629];

/** rows, cols, rank at most */
const SHAPES = [
  [0, 0, 0],
  [0, 3, 0],
  [3, 0, 0],
  [1, 1, 1],
  [5, 5, 0],
  [7, 7, 7],
  [9, 9, 5],
  [6, 13, 4],
  [13, 6, 6],
] as const;

/** A product of random rows × r and r × cols factors, sparse where the shapes allow it. */
function planted<E>(F: Field<E>, [rows, cols, r]: readonly number[], random: CounterRandom): SparseRow<E>[] {
  let next = 0;
  const element = (): E => (random.u32At(next++) % 3 === 0 ? F.from(random.u32At(next++)) : F.zero);
  const [left, right] = [
    Array.from({ length: rows! }, () => Array.from({ length: r! }, element)),
    Array.from({ length: r! }, () => Array.from({ length: cols! }, element)),
  ];
  return left.map((row) => {
    const out: SparseRow<E> = new Map();
    for (let j = 0; j < cols!; j++) {
      const value = row.reduce((sum, x, k) => F.add(sum, F.mul(x, right[k]![j]!)), F.zero);
      if (!F.equals(value, F.zero)) out.set(j, value);
    }
    return out;
  });
}

const dense = <E>(F: Field<E>, rows: readonly SparseRow<E>[], cols: number): E[][] =>
  rows.map((row) => Array.from({ length: cols }, (_, j) => row.get(j) ?? F.zero));

const FIELDS: readonly Field<unknown>[] = [
  ...PRIMES.map((p) => WordPrime.of(p)),
  new ExtensionField(3, 4),
  new BigPrime(2n ** 89n - 1n),
] as never;

describe.each(FIELDS.map((F) => [`${F.order}`, F] as const))('over GF(%s)', (_, F) => {
  test.each(SHAPES)('%i x %i of rank at most %i: solved or refuted, and the kernel whole', (...shape) => {
    const [rows, cols] = shape;
    const random = new CounterRandom(rows * 100 + cols, F.bits);
    const a = planted(F, shape, random);
    const at = transposeRows(a, cols);
    const factors = new ReferenceFactors(F, a, cols);
    const rank = denseRank(F, dense(F, a, cols));
    expect(factors.rank).toBe(rank);
    if (rows === cols) expect(factors.determinant).toEqual(denseDeterminant(F, dense(F, a, cols)));
    let next = 10_000;
    const element = () => F.from(random.u32At(next++));
    const vector = (length: number): unknown[] => Array.from({ length }, element);
    for (const transposed of [false, true]) {
      const [m, mt, [height, width]] = transposed ? [at, a, [cols, rows]] : [a, at, [rows, cols]];
      const solve = transposed ? factors.solveTransposed.bind(factors) : factors.solve.bind(factors);
      // B = A·X has a solution; a random b has one exactly where the rank of (A | b) is no larger.
      const image = applyRows(F, m, vector(width));
      const noise = vector(height);
      for (const [B, random] of [
        [image.map((value) => [value, F.zero]), undefined],
        [image.map((value, i) => [value, noise[i]]), element],
      ] as const) {
        const { solution, inconsistent } = solve(B, { random, s: 2 });
        const joined = dense(F, m, width).map((row, i) => [...row, ...B[i]!]);
        expect(solution !== null).toBe(denseRank(F, joined) === rank);
        if (solution !== null) {
          for (let t = 0; t < 2; t++) {
            const column = solution.map((row) => row[t]!);
            expect(applyRows(F, m, column)).toEqual(B.map((row) => row[t]));
          }
          continue;
        }
        const { column, certificate } = inconsistent!;
        expect(column).toBe(1);
        expect(applyRows(F, mt, certificate)).toEqual(new Array(width).fill(F.zero));
        const product = certificate.reduce((sum, u, i) => F.add(sum, F.mul(u, B[i]![1]!)), F.zero);
        expect(F.equals(product, F.zero)).toBe(false);
      }
      const vectors = [...factors.vectors(transposed)];
      const free = transposed ? factors.freeRows : factors.freeCols;
      expect(vectors.length).toBe(width - rank);
      expect(denseRank(F, dense(F, vectors, width))).toBe(width - rank);
      vectors.forEach((vector, k) => {
        const full = Array.from({ length: width }, (_, j) => vector.get(j) ?? F.zero);
        expect(applyRows(F, m, full)).toEqual(new Array(height).fill(F.zero));
        expect(free.map((j) => full[j])).toEqual(free.map((_, l) => (l === k ? F.one : F.zero)));
      });
    }
  });
});

test('by eye: a system, one without solution, a kernel', () => {
  const F = WordPrime.of(7);
  const a = [
    new Map([
      [0, 1],
      [1, 2],
    ]),
    new Map([
      [0, 3],
      [1, 4],
    ]),
  ];
  expect(new ReferenceFactors(F, a, 2).solve([[5], [4]]).solution).toEqual([[1], [2]]);
  const singular = [
    new Map([
      [0, 1],
      [1, 2],
    ]),
    new Map([
      [0, 2],
      [1, 4],
    ]),
  ];
  expect(new ReferenceFactors(F, singular, 2).solve([[1], [3]]).inconsistent?.column).toBe(0);
  // x + 2y = 0
  const [vector] = new ReferenceFactors(F, singular, 2).vectors(false);
  expect(F.add(vector!.get(0)!, F.mul(2, vector!.get(1)!))).toBe(0);
});

test('random solutions fill a coset of the kernel', () => {
  const F = WordPrime.of(2);
  const a = [
    new Map([
      [0, 1],
      [1, 1],
      [2, 1],
    ]),
  ];
  const factors = new ReferenceFactors(F, a, 3);
  const random = new CounterRandom(1, 1);
  let next = 0;
  const seen = new Set(
    Array.from({ length: 60 }, () => {
      const { solution } = factors.solve([[1]], { random: () => random.residueAt(next++, 2) });
      return solution!.flat().join('');
    }),
  );
  expect([...seen].sort()).toEqual(['001', '010', '100', '111']);
});

test('the caller may stop it', () => {
  const F = WordPrime.of(101);
  const a = planted(F, [20, 20, 20], new CounterRandom(5, 5));
  const stop = (after: number) => () => {
    if (--after === 0) throw new Error('stopped');
  };
  expect(() => new ReferenceFactors(F, a, 20, stop(5))).toThrow('stopped');
  const factors = new ReferenceFactors(F, a, 20, stop(25));
  expect(() => factors.solve(a.map(() => [0]))).toThrow('stopped');
});
