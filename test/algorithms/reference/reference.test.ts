import { describe, expect, test } from 'vitest';
import { berlekampMassey } from '../../../algorithms/reference/berlekamp-massey.js';
import { detBig, minpolyBig, rankBig } from '../../../algorithms/reference/big-modulus.js';
import {
  denseDeterminant,
  denseMinpoly,
  denseRank,
  krylovMinpoly,
} from '../../../algorithms/reference/dense-elimination.js';
import { divide, evaluate, gcd, lcm, monic, multiply } from '../../../algorithms/reference/polynomial.js';
import { denseRows, sparseRows } from '../../../algorithms/reference/rows.js';
import { scalarWiedemannRank } from '../../../algorithms/reference/scalar-wiedemann.js';
import { eliminateSparse, sparseRankReference } from '../../../algorithms/reference/sparse-elimination.js';
import { generate } from '../../../data/families.js';
import { BigPrime } from '../../../fields/big-prime.js';
import { ExtensionField } from '../../../fields/extension.js';
import type { Field } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { EXPECTED, noise } from '../expected/matrices.js';

describe('PARI/GP and the slow twins agree', () => {
  for (const { shape, p, rank, det, minpoly } of EXPECTED) {
    test(`n = ${shape[0]}, fill ${shape[1]}, mod ${p}`, () => {
      const matrix = noise(shape);
      if (BigInt(p) < 2n ** 31n) {
        const F = WordPrime.of(Number(p));
        const residues = matrix.residues(Number(p));
        const dense = denseRows(F, residues);
        expect(denseRank(F, dense)).toBe(rank);
        expect(denseDeterminant(F, dense)).toBe(Number(det));
        expect(denseMinpoly(F, dense)).toEqual(minpoly.map(Number));
        expect(eliminateSparse(F, sparseRows(F, residues), residues.cols)).toMatchObject({
          rank,
          determinant: Number(det),
        });
      }
      expect(rankBig(matrix, BigInt(p))).toBe(rank);
      expect(detBig(matrix, BigInt(p))).toBe(BigInt(det));
      expect(minpolyBig(matrix, BigInt(p))).toEqual(minpoly.map(BigInt));
    });
  }
});

describe('sparse elimination', () => {
  test('rank of a planted product, every shape, in F_p and in an extension', () => {
    const random = new CounterRandom(7, 0);
    let next = 0;
    for (const F of [WordPrime.of(2), WordPrime.of(65521), new ExtensionField(3, 4)] as Field<number>[]) {
      for (const [rows, cols] of [
        [0, 0],
        [0, 4],
        [4, 0],
        [1, 1],
        [20, 13],
        [13, 20],
      ]) {
        const dense = Array.from({ length: rows }, () =>
          Array.from({ length: cols }, () =>
            random.u32At(next++) % 4 === 0 ? random.residueAt(next++, Number(F.order)) : 0,
          ),
        );
        if (rows === 20) dense[7] = dense[3].map((x, j) => F.add(x, F.mul(2 % Number(F.order), dense[5][j])));
        const sparse = dense.map((row) => new Map(row.flatMap((x, j) => (x === 0 ? [] : [[j, x] as const]))));
        expect(sparseRankReference(F, sparse)).toBe(denseRank(F, dense));
      }
    }
  });

  test('the determinant of permutations is their sign', () => {
    const F = WordPrime.of(101);
    for (const { permutation, sign } of [
      { permutation: [0, 1, 2], sign: 1 },
      { permutation: [1, 0, 2], sign: 100 },
      { permutation: [1, 2, 0], sign: 1 },
      { permutation: [3, 0, 1, 2], sign: 100 },
      { permutation: [1, 0, 3, 2], sign: 1 },
    ]) {
      const rows = permutation.map((j) => new Map([[j, 1]]));
      expect(eliminateSparse(F, rows, rows.length).determinant).toBe(sign);
    }
    expect(eliminateSparse(F, [], 0).determinant).toBe(1);
  });

  test('the entries that are held are counted, those of the factors too', () => {
    const F = WordPrime.of(65521);
    const { rows: n, cols, ...entries } = generate('random', [40, 40, 5, 65521, 1]);
    const matrix = sparseRows(F, SparseMatrix.fromTriplets(n, cols, entries).residues(65521));
    for (const lower of [undefined, matrix.map(() => new Map<number, number>())]) {
      const held: number[] = [];
      const { rows, rank } = eliminateSparse(F, matrix, cols, (count) => void held.push(count), lower);
      const sizes = (of: readonly ReadonlyMap<number, number>[]) => of.reduce((sum, row) => sum + row.size, 0);
      expect(held[0]).toBe(sizes(matrix));
      expect(rank).toBe(n); // so that the last pivot's row is added to none
      expect(held.at(-1)).toBe(sizes(rows) + sizes(lower ?? []));
      expect(Math.max(...held)).toBeGreaterThan(held[0]!);
    }
  });

  test('what a minimal polynomial holds is its vectors and their combinations', () => {
    const F = WordPrime.of(65521);
    const held: number[] = [];
    const n = 6;
    const cycle = (x: readonly number[]): number[] => x.map((_, i) => x[(i + 1) % n]!);
    expect(krylovMinpoly(F, n, cycle, (count) => held.push(count))).toHaveLength(n + 1);
    expect(held).toEqual([12, 19, 27, 36, 46, 57, 69]);
  });

  test('the caller may stop it between pivots', () => {
    const matrix = noise([30, 13, 6]);
    let calls = 0;
    const stop = (): void => {
      if (++calls === 5) throw new Error('stopped');
    };
    expect(() => rankBig(matrix, 65521n, stop)).toThrow('stopped');
  });
});

describe('scalar Wiedemann', () => {
  test('its rank is that of elimination over large fields, and never above it over small ones', () => {
    for (const shape of [
      [16, 9, 3],
      [30, 13, 6],
    ] as const) {
      for (const p of [2, 3, 7, 65521, 2147483629]) {
        const residues = noise(shape).residues(p);
        const F = WordPrime.of(p);
        const rows = sparseRows(F, residues);
        const random = new CounterRandom(11, p);
        const rank = sparseRankReference(F, rows);
        const found = scalarWiedemannRank(F, rows, residues.cols, (i) => random.residueAt(i, p), 3);
        expect(found).toBeLessThanOrEqual(rank);
        if (p > 1000) expect(found).toBe(rank);
        const K = ExtensionField.covering(p, 2 ** 14);
        const large = scalarWiedemannRank(K, sparseRows(K, residues), residues.cols, (i) =>
          random.residueAt(i, Number(K.order)),
        );
        expect(large).toBe(rank);
      }
    }
    const F = new BigPrime(2n ** 127n - 1n);
    const rows = sparseRows(F, noise([16, 9, 3]).residuesBig(F.modulus));
    const random = new CounterRandom(3, 0);
    expect(scalarWiedemannRank(F, rows, 16, (i) => F.from(random.bigResidueAt(i, F.modulus)))).toBe(10);
  });
});

describe('Berlekamp-Massey', () => {
  test('by eye: Fibonacci, geometric, zero, a late first term', () => {
    const F = WordPrime.of(101);
    expect(berlekampMassey(F, [0, 1, 1, 2, 3, 5, 8])).toEqual([100, 100, 1]); // z² − z − 1
    expect(berlekampMassey(F, [1, 3, 9, 27])).toEqual([98, 1]);
    expect(berlekampMassey(F, [0, 0, 0, 0])).toEqual([1]);
    expect(berlekampMassey(F, [0, 0, 5, 0, 0, 0])).toEqual([0, 0, 0, 1]); // z³
    expect(berlekampMassey(F, [])).toEqual([1]);
  });

  test('a random recurrence comes back from 2·N terms, unless the sequence satisfies a shorter one', () => {
    for (const F of [WordPrime.of(2), WordPrime.of(65521), new ExtensionField(3, 5)] as Field<number>[]) {
      const random = new CounterRandom(5, F.bits);
      for (let trial = 0; trial < 20; trial++) {
        const N = trial;
        const f = [...random.fillResidues(new Uint32Array(N), Number(F.order), trial * 1000), 1];
        const s = [...random.fillResidues(new Uint32Array(N), Number(F.order), trial * 1000 + 500)];
        while (s.length < 2 * N) {
          let next = 0;
          for (let j = 0; j < N; j++) next = F.sub(next, F.mul(f[j], s[s.length - N + j]));
          s.push(next);
        }
        expect(divide(F, f, berlekampMassey(F, s)).remainder).toEqual([]);
      }
    }
  });
});

describe('polynomials', () => {
  const F = WordPrime.of(7);
  test('by eye: (z − 1)(z − 2) and (z − 1)(z − 3) mod 7', () => {
    const [f, g] = [
      [2, 4, 1],
      [3, 3, 1],
    ];
    expect(multiply(F, [6, 1], [5, 1])).toEqual(f);
    expect(gcd(F, f, g)).toEqual([6, 1]);
    expect(lcm(F, f, g)).toEqual(multiply(F, f, [4, 1]));
    expect(evaluate(F, f, 2)).toBe(0);
    expect(evaluate(F, f, 3)).toBe(2);
    expect(monic(F, [4, 2, 0])).toEqual([2, 1]);
    expect(gcd(F, [], [])).toEqual([]);
    expect(() => divide(F, f, [0])).toThrow('expected a nonzero polynomial');
  });

  test('division by law: f = quotient·g + remainder', () => {
    const random = new CounterRandom(1, 1);
    for (let trial = 0; trial < 50; trial++) {
      const f = [...random.fillResidues(new Uint32Array(trial % 9), 7, trial * 100)];
      const g = [...random.fillResidues(new Uint32Array(trial % 5), 7, trial * 100 + 50), 3];
      const { quotient, remainder } = divide(F, f, g);
      expect(remainder.length).toBeLessThan(g.length);
      for (let x = 0; x < 7; x++) {
        const value = F.add(F.mul(evaluate(F, quotient, x), evaluate(F, g, x)), evaluate(F, remainder, x));
        expect(value).toBe(evaluate(F, f, x));
      }
    }
  });
});

test('a matrix that is not square has no determinant and no minimal polynomial', () => {
  const matrix = SparseMatrix.fromTriplets(2, 3, [[0, 0, 1]]);
  expect(() => detBig(matrix, 2n ** 61n - 1n)).toThrow('det: expected a square matrix, got 2 x 3');
  expect(() => minpolyBig(matrix, 2n ** 61n - 1n)).toThrow('minpoly: expected a square matrix, got 2 x 3');
});
