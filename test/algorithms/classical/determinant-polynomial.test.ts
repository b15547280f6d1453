import { describe, expect, test } from 'vitest';
import { degreesOfDeterminant } from '../../../algorithms/classical/classical-rank.js';
import { codegree } from '../../../algorithms/classical/codegree.js';
import { determinantInPlace, determinantPolynomial } from '../../../algorithms/classical/determinant-polynomial.js';
import { GeometricPoints } from '../../../algorithms/classical/geometric-points.js';
import { denseDeterminant } from '../../../algorithms/reference/dense-elimination.js';
import { evaluate, multiply, trim } from '../../../algorithms/reference/polynomial.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { ExtensionField } from '../../../fields/extension.js';
import type { Field } from '../../../fields/field.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { Team } from '../../../kernels/threads/team.js';

const FIELDS: Field<number>[] = [
  WordPrime.of(2),
  WordPrime.of(3),
  WordPrime.of(7),
  WordPrime.of(101),
  WordPrime.of(65521),
  WordPrime.of(2147483647),
  new ExtensionField(2, 5),
  new ExtensionField(3, 3),
];

/** det of a matrix of polynomials by expansion along the first row. */
function expand(F: Field<number>, m: readonly (readonly number[])[][]): number[] {
  if (m.length === 0) return [F.one];
  const sum: number[] = [];
  m[0].forEach((entry, j) => {
    const minor = expand(
      F,
      m.slice(1).map((row) => row.filter((_, column) => column !== j)),
    );
    multiply(F, trim(F, entry), minor).forEach((c, i) => {
      sum[i] = F.add(sum[i] ?? 0, j % 2 === 0 ? c : F.neg(c));
    });
  });
  return trim(F, sum);
}

/**
 * A random s × s matrix of polynomials of `length` coefficients, as blocks and as polynomials; row r divided by
 * z^shift[r].
 */
function randomMatrix(F: Field<number>, s: number, length: number, seed: number, valuation: number[] = []) {
  const random = new CounterRandom(seed, s);
  const blocks = random.fillResidues(new Uint32Array(s * s * length), Number(F.order));
  for (let r = 0; r < s; r++) {
    for (let k = 0; k < Math.min(length, valuation[r] ?? 0); k++) blocks.fill(0, (k * s + r) * s, (k * s + r + 1) * s);
  }
  const entry = (i: number, j: number): number[] => Array.from({ length }, (_, k) => blocks[(k * s + i) * s + j]);
  const polynomials = Array.from({ length: s }, (_, i) => Array.from({ length: s }, (_, j) => entry(i, j)));
  return { blocks, polynomials };
}

describe('points in geometric progression', () => {
  test('values are those of Horner, and interpolation takes them back, up to all nonzero elements', () => {
    for (const F of FIELDS) {
      const engine = new NaiveEngine(F);
      const most = Math.min(40, Number(F.order) - 1);
      for (const count of new Set([1, Math.ceil(most / 2), most])) {
        const points = new GeometricPoints(F, count);
        const random = new CounterRandom(8, count);
        for (const [width, length] of [
          [1, count],
          [3, 5],
          [2, 1],
        ]) {
          const blocks = random.fillResidues(new Uint32Array(width * length), Number(F.order));
          const polynomial = (i: number): number[] => Array.from({ length }, (_, j) => blocks[j * width + i]);
          // f = z takes the values that are the points
          const at: number[] = [];
          points.evaluate(engine, Uint32Array.of(0, 1), 1, (first, scaled) =>
            scaled.forEach((v, k) => {
              at[first + k] = F.mul(v, points.unscale(first + k));
            }),
          );
          expect(new Set(at).size).toBe(count);
          points.evaluate(engine, blocks, width, (first, scaled) => {
            expect(first).toBe(0);
            for (let k = 0; k < count; k++) {
              for (let i = 0; i < width; i++) {
                const value = F.mul(scaled[k * width + i], points.unscale(k));
                expect(value).toBe(evaluate(F, polynomial(i), at[k]));
              }
            }
          });
          if (width === 1) {
            const values = Uint32Array.from(at, (x) => evaluate(F, polynomial(0), x));
            expect([...points.interpolate(engine, values)]).toEqual(polynomial(0));
          }
        }
      }
    }
  });

  test('more points than nonzero elements are refused', () => {
    expect(GeometricPoints.fits(WordPrime.of(7), 6)).toBe(true);
    expect(() => new GeometricPoints(WordPrime.of(7), 7)).toThrow(
      'geometric points: expected at most 6 of them, got 7',
    );
  });
});

describe('det F(z)', () => {
  test('agrees with the expansion by minors', () => {
    for (const F of FIELDS) {
      const engine = new NaiveEngine(F);
      for (const [s, length] of [
        [1, 1],
        [1, 4],
        [2, 3],
        [3, 2],
        [4, 4],
      ]) {
        const degree = s * (length - 1);
        if (!GeometricPoints.fits(F, degree + 1)) continue;
        const { blocks, polynomials } = randomMatrix(F, s, length, 5);
        const expected = expand(F, polynomials);
        const found = determinantPolynomial(engine, F, blocks, s, degree);
        expect(found.length).toBe(degree + 1);
        expect(trim(F, [...found])).toEqual(expected);
      }
    }
  });

  test('the fast engine and its determinant kernel give the same polynomial as the naive one', async () => {
    const team = await Team.create(1);
    for (const p of [101, 65521, 2147483647]) {
      const F = WordPrime.of(p);
      for (const [s, length] of [
        [1, 30],
        [5, 9],
        [8, 8],
      ]) {
        const { blocks } = randomMatrix(F, s, length, 6, [1, 0, 2]);
        const degree = s * (length - 1);
        const fast = new PolyEngine(team, F);
        expect(determinantPolynomial(fast, F, blocks, s, degree)).toEqual(
          determinantPolynomial(new NaiveEngine(F), F, blocks, s, degree),
        );
        expect(codegree(fast, blocks, s, degree)).toBe(codegree(new NaiveEngine(F), blocks, s, degree));
        fast.dispose();
      }
    }
    await team.dispose();
  });

  test('the dense determinant takes row exchanges into account', () => {
    const random = new CounterRandom(2, 2);
    for (const F of FIELDS) {
      for (const s of [0, 1, 2, 5, 9]) {
        const a = random.fillResidues(new Uint32Array(s * s), Number(F.order), 100 * s);
        if (s > 1) a[0] = 0;
        const rows = Array.from({ length: s }, (_, i) => [...a.subarray(i * s, (i + 1) * s)]);
        expect(determinantInPlace(F, a, s)).toBe(denseDeterminant(F, rows));
      }
    }
  });
});

describe('codegree without points', () => {
  test('is the order of det F at 0, whatever the local structure', () => {
    for (const F of FIELDS) {
      for (const valuation of [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 1],
        [3, 0, 1],
        [0, 4, 2],
      ]) {
        for (let seed = 0; seed < 6; seed++) {
          const { blocks, polynomials } = randomMatrix(F, 3, 6, seed, valuation);
          const det = expand(F, polynomials);
          if (det.length === 0) continue;
          expect(codegree(new NaiveEngine(F), blocks, 3, 15)).toBe(det.findIndex((c) => c !== 0));
        }
      }
    }
  });

  test('a singular matrix is refused instead of searched for ever', () => {
    const F = WordPrime.of(7);
    const blocks = Uint32Array.of(1, 2, 2, 4, 0, 0, 0, 0); // rows (1, 2) and (2, 4)
    expect(() => codegree(new NaiveEngine(F), blocks, 2, 2)).toThrow('expected a nonsingular matrix');
  });

  test('degree and codegree agree where both ways are open, also when deg ≥ p closes one', () => {
    // diag(z²(z + 1)^2, z^3 + z, z + 2) mod 7 and in GF(7³): degree 8 ≥ 7, codegree 3
    const entries = [
      [0, 0, 1, 2, 1],
      [0, 1, 0, 1, 0],
      [2, 1, 0, 0, 0],
    ];
    const blocks = new Uint32Array(9 * 5);
    entries.forEach((f, i) => {
      f.forEach((c, k) => {
        blocks[9 * k + 4 * i] = c;
      });
    });
    const generator = { degree: 8, coefficients: blocks };
    for (const F of [WordPrime.of(7), new ExtensionField(7, 3)] as Field<number>[]) {
      expect(degreesOfDeterminant(new NaiveEngine(F), F, generator, 3)).toEqual({
        degree: 8,
        codegree: 3,
        interpolated: F.degree > 1,
        nilpotent: true, // codegree 3 with two zero eigenvalues
      });
    }
  });
});
