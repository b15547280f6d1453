/** Random vectors say that a Schur complement is zero where it is, and never where it has one entry. */
import { describe, expect, test } from 'vitest';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { vanishingLog2 } from '../../../algorithms/presolve/vanishing.js';
import { generate } from '../../../data/families.js';
import { KNOWN_RANKS } from '../../../data/known-ranks.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';

const SEED = 20n;
const PRIMES = [
  37 /* twelve vectors */, 251, 32749 /* four are too few by a hair */, 65521 /* last below 2^16 */,
  65537 /* halves of 16 bits */, 2147483647 /* 63 products of them in a double */,
];

/** Rows `rank` … rows − 1 are combinations of those before, which are triangular with `rank` pivots. */
function planted(F: WordPrime, rows: number, cols: number, rank: number, seed: number) {
  const random = new CounterRandom(seed, 0);
  let drawn = 0;
  const draw = (bound: number): number => random.u32At(drawn++) % bound;
  const dense = Array.from({ length: rows }, () => new Array<number>(cols).fill(0));
  for (let k = 0; k < rank; k++) {
    dense[k]![k] = 1 + draw(F.p - 1);
    for (let t = 0; t < 5; t++) dense[k]![draw(2) === 1 && k > 0 ? draw(k) : rank + draw(cols - rank)] = draw(F.p);
  }
  for (let i = rank; i < rows; i++) {
    for (let t = 0; t < 3; t++) {
      const [of, factor] = [draw(rank), draw(F.p)];
      for (let j = 0; j < cols; j++) dense[i]![j] = F.mulAdd(factor, dense[of]![j]!, dense[i]![j]!);
    }
  }
  const places = { rows: Uint32Array.from({ length: rank }, (_, k) => k), depths: Uint32Array.of(0, rank) };
  return { dense, pivots: { ...places, cols: places.rows.slice() } };
}

const residues = (dense: number[][], p: number): ResidueMatrix => SparseMatrix.fromDense(dense).residues(p);

describe('a planted Schur complement', () => {
  test.each(PRIMES)('mod %d', (p) => {
    const F = WordPrime.of(p);
    for (const [rows, cols, rank] of [
      [300, 40, 30],
      [40, 300, 30],
      [90, 90, 70],
      [31, 40, 30],
    ] as const) {
      const { dense, pivots } = planted(F, rows, cols, rank, p);
      const zero = residues(dense, p);
      const errorLog2 = vanishingLog2(F, zero, transpose(zero) as ResidueMatrix, pivots, SEED);
      expect(errorLog2).toBeLessThanOrEqual(-60);
      // One entry of S that is not 0, in a row that no sample need be.
      const [i, j] = [rank + ((rows - rank) >> 1), cols - 1];
      dense[i]![j] = F.add(dense[i]![j]!, 1);
      const one = residues(dense, p);
      expect(vanishingLog2(F, one, transpose(one) as ResidueMatrix, pivots, SEED)).toBeNull();
    }
  });
});

test('rows longer than a double’s sum of products are summed in parts', () => {
  const F = WordPrime.of(2147483647);
  // Entries at their largest would leave 2^53 after 64 products with halves; the rows are those of the longer side.
  const row = Array.from({ length: 300 }, (_, j) => (j === 0 ? 1 : F.p - 1));
  const pivots = { rows: Uint32Array.of(0), cols: Uint32Array.of(0), depths: Uint32Array.of(0, 1) };
  for (const [last, isZero] of [
    [F.p - 1, true],
    [F.p - 2, false],
  ] as const) {
    const a = residues([...new Array<number[]>(300).fill(row), [...row.slice(0, -1), last]], F.p);
    const at = transpose(a) as ResidueMatrix;
    expect(vanishingLog2(F, a, at, pivots, SEED) !== null).toBe(isZero);
    expect(vanishingLog2(F, at, a, pivots, SEED) !== null).toBe(isZero);
  }
});

describe('of structural pivots as many as the rank, and of fewer', () => {
  const known = KNOWN_RANKS.filter(({ nnz }) => nnz <= 60_000);
  test.each(known)('$instance', ({ family, args, rank }) => {
    for (const p of [65521, 2147483629]) {
      const { rows, cols, ...arrays } = generate(family, args);
      const a = SparseMatrix.fromTriplets(rows, cols, arrays).residues(p);
      const at = transpose(a) as ResidueMatrix;
      const { matching, pivots } = structuralPivots(a, at);
      const errorLog2 = vanishingLog2(WordPrime.of(p), a, at, pivots, SEED);
      expect(errorLog2 !== null).toBe(matching.size === rank);
    }
  });

  test('both kinds are among them', () => {
    const kinds = known.map(({ family, args, rank }) => {
      const { rows, cols, ...arrays } = generate(family, args);
      const a = SparseMatrix.fromTriplets(rows, cols, arrays).residues(65521);
      const { size } = structuralPivots(a, transpose(a)).matching;
      return size === rank ? 'zero' : 'more';
    });
    expect(new Set(kinds)).toEqual(new Set(['zero', 'more']));
  });
});

test('a small prime, for which many vectors are needed, is left to the kernels', () => {
  for (const p of [2, 3, 31]) {
    const a = residues(
      [
        [1, 1],
        [1, 1],
        [1, 1],
      ],
      p,
    );
    const pivots = { rows: Uint32Array.of(0), cols: Uint32Array.of(0), depths: Uint32Array.of(0, 1) };
    expect(vanishingLog2(WordPrime.of(p), a, transpose(a) as ResidueMatrix, pivots, SEED)).toBeNull();
  }
});
