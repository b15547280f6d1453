/** Whether the first rows span, against the greatest common divisor of the last column's polynomials. */
import { expect, test } from 'vitest';
import { determinantOf } from '../../../algorithms/block-wiedemann/small-matrix.js';
import { othersSpan } from '../../../algorithms/block-wiedemann/spanning.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';

/** Lowest coefficient first, no zero last. */
type Polynomial = readonly number[];

function remainder(F: WordPrime, a: Polynomial, b: Polynomial): Polynomial {
  const rest = [...a];
  const inverse = F.inv(b.at(-1)!);
  for (let top = rest.length - 1; top >= b.length - 1; top--) {
    const factor = F.mul(rest[top]!, inverse);
    b.forEach((value, k) => {
      const at = top - b.length + 1 + k;
      rest[at] = F.sub(rest[at]!, F.mul(factor, value));
    });
  }
  return trimmed(rest);
}

const trimmed = (a: Polynomial): Polynomial => a.slice(0, a.findLastIndex((value) => value !== 0) + 1);

function degreeOfGcd(F: WordPrime, polynomials: readonly Polynomial[]): number {
  let [gcd, ...others] = polynomials.map(trimmed);
  for (let other of others) {
    while (other.length > 0) [gcd, other] = [other, remainder(F, gcd!, other)];
  }
  return gcd!.length - 1;
}

// Of one column: k[x] / (its entries) is what the other rows miss, and its dimension is the divisor's degree.
test.each([2, 3, 7, 65521])('mod %i, one column of matrices with rows of unequal degrees', async (p) => {
  const F = WordPrime.of(p);
  const random = new CounterRandom(9n, p % 100);
  const seen = { true: 0, false: 0 };
  for (let turn = 0, next = 0; turn < 300; turn++) {
    const draw = (below: number): number => random.residueAt(next++, below);
    const m = 1 + draw(4);
    const degrees = Array.from({ length: m + 1 }, () => draw(7));
    const top = Math.max(...degrees);
    // Entry j of row i, of degree δ_i at most; every third matrix has a common divisor x − r in its last column.
    const rows = degrees.map((degree) =>
      Array.from({ length: m + 1 }, () => Array.from({ length: degree + 1 }, () => draw(p))),
    );
    if (turn % 3 === 0) {
      const r = draw(p);
      for (const row of rows) row[m] = divisible(F, row[m]!, r);
    }
    const last = rows.map((row) => row[m]!);
    const leading = Uint32Array.from(rows.flatMap((row, i) => row.map((entry) => entry[degrees[i]!]!)));
    if (determinantOf(F, leading, m + 1) === F.zero) continue; // not row-reduced
    const blocks = new Uint32Array((top + 1) * (m + 1));
    last.forEach((entry, i) => {
      entry.forEach((value, k) => {
        blocks[k * (m + 1) + i] = value;
      });
    });
    const spans = await othersSpan(new NaiveEngine(F), { m: m + 1, degrees, width: 1, blocks }, 3);
    expect(spans, `turn ${turn}`).toBe(degreeOfGcd(F, last) === 0);
    seen[`${spans}`]++;
  }
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(20);
});

/** The same without its value at r, so that x − r divides it. */
function divisible(F: WordPrime, a: Polynomial, r: number): number[] {
  const value = a.reduceRight((sum, coefficient) => F.add(F.mul(sum, r), coefficient), 0);
  return a.map((coefficient, k) => (k === 0 ? F.sub(coefficient, value) : coefficient));
}
