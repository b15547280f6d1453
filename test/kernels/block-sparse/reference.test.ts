/** The slow twin of the kernels on small blocks against whole matrices of integers. */
import { describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import {
  addBlockProduct,
  addTallProduct,
  dotTall,
  factorOnPattern,
  type Sign,
  solveLower,
  solveUpper,
} from '../../../kernels/block-sparse/reference.js';
import * as cases from './cases.js';

const { denseOf, expand, plusProduct, transpose, zeros } = cases;

/** Every place, a band, an arrow whose tip comes last (no fill) and one whose tip comes first (fill). */
const FACTORED = [
  ['no rows', cases.patternOf([]), true],
  ['one block', cases.patternOf([[0]]), true],
  ['dense', cases.patternWhere(4, () => true), true],
  ['a band', cases.patternWhere(6, (i, j) => Math.abs(i - j) <= 1), true],
  ['an arrow down', cases.patternWhere(5, (i, j) => i === j || i === 4 || j === 4), true],
  ['an arrow up', cases.patternWhere(5, (i, j) => i === j || i === 0 || j === 0), false],
] as const;

const MULTIPLIED = [
  ...FACTORED.map(([, pattern]) => pattern),
  cases.patternOf([[]]),
  cases.patternOf([[1, 3], [], [0, 1, 2], []]),
];

describe.each(cases.PRIMES)('mod %i', (p) => {
  const field = WordPrime.of(p);

  test.each(cases.BLOCK_SIZES)('tall blocks of width %i', (w) => {
    for (const rows of [0, 1, 37]) {
      const [x, y] = [1, 2].map((stream) => cases.randomResidues(rows * w, p, stream)) as [Uint32Array, Uint32Array];
      const m = cases.randomResidues(w * w, p, 3);
      for (const sign of [1, -1] as const) {
        const out = y.slice();
        addTallProduct(field, w, out, x, m, sign);
        expect(denseOf(out, w)).toEqual(plusProduct(denseOf(y, w), sign, denseOf(x, w), denseOf(m, w), p));
      }
      const left = rows === 0 ? zeros(w, 0) : transpose(denseOf(x, w));
      expect(denseOf(dotTall(field, w, x, y), w)).toEqual(plusProduct(zeros(w, w), 1, left, denseOf(y, w), p));
    }
  });

  test.each(cases.BLOCK_SIZES)('products with blocks of %i', (b) => {
    for (const [stream, pattern] of MULTIPLIED.entries()) {
      const a = cases.randomMatrix(pattern, b, p, stream);
      const w = 5;
      const x = cases.randomResidues(pattern.n * b * w, p, 50);
      const y = cases.randomResidues(pattern.n * b * w, p, 51);
      for (const choice of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const sign: Sign = choice & 1 ? 1 : -1;
        const [transposed, diagonal] = [(choice & 2) > 0, (choice & 4) > 0];
        const whole = expand(a, (i, j) => diagonal || i !== j);
        const out = y.slice();
        addBlockProduct(field, a, w, out, x, { sign, transposed, diagonal });
        const left = transposed ? transpose(whole) : whole;
        expect(denseOf(out, w)).toEqual(plusProduct(denseOf(y, w), sign, left, denseOf(x, w), p));
      }
    }
  });

  test.each(cases.BLOCK_SIZES)('factors and solutions with blocks of %i', (b) => {
    let factored = 0;
    for (const [stream, [, pattern, isComplete]] of FACTORED.entries()) {
      expect(pattern.holdsAllFill()).toBe(isComplete);
      const a = cases.factorable(field, pattern, b, stream);
      const factors = factorOnPattern(field, a);
      expect(factors.singular).toBe(-1);
      factored++;
      const lower = expand(factors, (i, j) => j < i);
      for (let r = 0; r < lower.length; r++) lower[r]![r] = 1n;
      const upper = expand(factors, (i, j) => j >= i);
      const size = pattern.n * b;
      const product = plusProduct(zeros(size, size), 1, lower, upper, p);
      const kept = (i: number, j: number) => pattern.find(Math.floor(i / b), Math.floor(j / b)) >= 0;
      const onPattern = product.map((row, i) => row.map((v, j) => (isComplete || kept(i, j) ? v : 0n)));
      expect(onPattern).toEqual(expand(a));
      const w = 3;
      const right = cases.randomResidues(size * w, p, 70);
      const x = right.slice();
      solveLower(field, factors, w, x);
      solveUpper(field, factors, w, x);
      const back = plusProduct(zeros(size, w), 1, upper, denseOf(x, w), p);
      expect(plusProduct(zeros(size, w), 1, lower, back, p)).toEqual(denseOf(right, w));
    }
    expect(factored).toBe(FACTORED.length);
  });
});

test('a singular pivot block is named, also where only elimination makes it so', () => {
  const field = WordPrime.of(7);
  const pattern = cases.patternWhere(2, () => true);
  const same = { b: 4, pattern, values: new Uint32Array(64) };
  for (let s = 0; s < 4; s++) for (let r = 0; r < 4; r++) same.values[s * 16 + r * 5] = 1; // (I I; I I)
  expect(factorOnPattern(field, same).singular).toBe(1);
  expect(() => solveUpper(field, factorOnPattern(field, same), 1, new Uint32Array(8))).toThrow(
    'block row 1 is singular',
  );
  expect(factorOnPattern(field, { ...same, values: new Uint32Array(64) }).singular).toBe(0);
  expect(() => factorOnPattern(field, { b: 4, pattern: cases.patternOf([[]]), values: new Uint32Array(0) })).toThrow(
    'lacks diagonal block 0',
  );
});
