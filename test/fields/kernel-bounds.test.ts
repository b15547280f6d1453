/**
 * The bounds that kernels ask for, at their edge: so many of the largest terms fit, one more does not. In exact
 * integers.
 */
import { describe, expect, test } from 'vitest';
import { magnitudeAfterReduction, reduceQuotientBound } from '../../fields/quotients.js';
import {
  boundBeforeCorrection,
  byteSplitTermsBeforeReduction,
  digitProductsBeforeReduction,
  elementsBeforeReduction,
  entriesBeforeReduction,
  gpuByteTermsBeforeReduction,
  gpuDigitTermsBeforeFolding,
  gpuTermsBeforeFolding,
  halfProductsBeforeReduction,
  i16SumTerms,
  largestBalancedSum,
  largestByteSum,
  largestI32Sum,
  pairsBeforeReduction,
  productsBeforeFolding,
  runBeforeCorrection,
} from '../../fields/reduction.js';

const U16_PRIMES = [2, 3, 7, 101, 257, 2039, 32749, 65521 /* last below 2^16 */];
const U32_PRIMES = [65537, 16777259, 1073741827, 2147483629, 2147483647 /* 2^31 − 1 */].map(BigInt);
const ALL_PRIMES = [...U16_PRIMES.map(BigInt), ...U32_PRIMES];
const I16_MAX = 2 ** 15 - 1;
const I32_MAX = 2n ** 31n - 1n;
const U32_MAX = 2n ** 32n - 1n;

/** `count` terms fit, beside what is carried, and one more does not. */
function expectEdge(count: number, fits: (terms: bigint) => boolean): void {
  expect(fits(BigInt(count))).toBe(true);
  expect(fits(BigInt(count) + 1n)).toBe(false);
}

/** The residue of least magnitude. */
const balance = (x: number, p: number): number => {
  const r = ((x % p) + p) % p;
  return r > p / 2 ? r - p : r;
};

describe.each(U16_PRIMES)('sums in i32 by bytes, p = %i', (p) => {
  const half = Math.floor(p / 2);
  const limit = BigInt(largestI32Sum(p));
  const onDevice = magnitudeAfterReduction(p, 256 * (p - 1)); // what `balance` of u16.as.ts leaves of v and 256·v
  const term = BigInt(largestByteSum(p) * onDevice);

  test('largestByteSum is attained and not exceeded', () => {
    let largest = 0;
    for (let x = 0; x < p; x++) largest = Math.max(largest, (x & 255) + (x >> 8));
    expect(largestByteSum(p)).toBe(largest);
  });

  test('the largest sum is one that a single correction makes canonical', () => {
    expect(limit <= I32_MAX).toBe(true);
    expect(magnitudeAfterReduction(p, Number(limit))).toBeLessThan(p);
    expect(largestBalancedSum(p)).toBe(magnitudeAfterReduction(p, Number(limit)));
  });

  test('a term is the product, both factors fit 16 bits, and it is within its bound', () => {
    expect(onDevice).toBeLessThanOrEqual(I16_MAX);
    expect(onDevice).toBeGreaterThanOrEqual(half);
    const step = Math.max(1, p >> 9);
    for (let v = -half; v <= half; v += step) {
      const shifted = balance(256 * v, p);
      for (let x = 0; x < p; x += step) {
        const value = (x & 255) * v + (x >> 8) * shifted;
        if ((value - x * v) % p !== 0) throw new Error(`${x}·${v}`);
        if (BigInt(Math.abs(value)) > term) throw new Error(`${x}·${v}: ${value} beyond the bound`);
      }
    }
  });

  test('products by bytes', () => {
    for (const carried of [0, p, largestBalancedSum(p) + p]) {
      expectEdge(byteSplitTermsBeforeReduction(p, carried), (t) => t * term + BigInt(carried) <= limit);
    }
    expect(byteSplitTermsBeforeReduction(p, Number(I32_MAX) + 1)).toBe(0);
  });

  test('pairs of balanced residues', () => {
    const h = BigInt(magnitudeAfterReduction(p, p));
    expect(Number(h)).toBeLessThanOrEqual(I16_MAX);
    const carried = largestBalancedSum(p) + p;
    expectEdge(pairsBeforeReduction(p, carried), (t) => t * 2n * h * h + BigInt(carried) <= limit);
  });

  test.each([1, 2, 4])('entries of a row in %i runs, each reduced or not', (runs) => {
    const { units, general } = entriesBeforeReduction(p, runs);
    const run = BigInt(units) * BigInt(p - 1);
    // The largest sum behind so many runs: a run that reduces begins at p − 1.
    let sum = 0n;
    for (let k = 0; k < runs; k++) {
      const reduced = BigInt(p - 1) + run;
      const plain = sum + run;
      sum = reduced > plain ? reduced : plain;
      expect(sum <= limit).toBe(true);
      expect(Number(sum) / p).toBeLessThan(reduceQuotientBound / 2);
    }
    expect(sum + BigInt(general) * term <= limit).toBe(true);
    const share = [2n ** 30n, 2n ** 20n * BigInt(p)].reduce((a, b) => (a < b ? a : b));
    expectEdge(units, (t) => t * BigInt(runs) * BigInt(p - 1) <= share);
    expectEdge(general, (t) => share + BigInt(p) + t * term <= limit);
  });

  test('digits of factors', () => {
    const terms = digitProductsBeforeReduction(p);
    const sums = (t: bigint): bigint => {
      const digits = t * 255n * BigInt(p - 1);
      return digits + (digits >> 8n);
    };
    expect(sums(BigInt(terms)) <= I32_MAX).toBe(true);
    expect(Number(sums(BigInt(terms))) / p).toBeLessThan(2 ** 15);
    if (p === 65521) expect(sums(BigInt(terms) + 1n) <= I32_MAX).toBe(false);
    else expect(terms).toBe(128); // where the quotient ends it
  });
});

test('p = 65521 holds 128 terms by bytes', () => {
  expect(byteSplitTermsBeforeReduction(65521)).toBe(128);
});

test('sums of 16 bits reduce by one rounded product, at every sum that is allowed', () => {
  // What kernels/residues/i16-sums.as.ts does with a lane: q15mulr rounds s·c/2^15, half upwards.
  const reduce = (s: number, p: number): number => {
    const q = Math.floor((s * Math.round(2 ** 15 / p) + 2 ** 14) / 2 ** 15);
    const r = s - q * p;
    return Math.abs(r) < p ? (r + p) % p : Number.NaN;
  };
  for (const p of [2, 3, 5, 7, 101, 181, 2039, 16381, 32749]) {
    for (const factor of [1, Math.floor(p / 2)]) {
      expectEdge(i16SumTerms(p, factor), (t) => t * BigInt((p - 1) * factor) <= BigInt(I16_MAX));
    }
    const largest = i16SumTerms(p, 1) * (p - 1);
    const bad = [];
    for (let s = -largest; s <= largest; s++) if (reduce(s, p) !== ((s % p) + p) % p) bad.push(s);
    expect(bad).toEqual([]);
  }
});

describe.each(ALL_PRIMES)('sums in 64 bits, p = %s', (p) => {
  const largest = (p - 1n) ** 2n;

  test('products beside a folded sum', () => {
    const terms = productsBeforeFolding(p);
    if (terms === Number.MAX_SAFE_INTEGER) expect(largest * BigInt(terms) + U32_MAX < 2n ** 64n).toBe(true);
    else expectEdge(terms, (t) => t * largest + U32_MAX < 2n ** 64n);
  });

  test('a signed sum that is corrected by K stays within i64, and ends where REDC is right', () => {
    const { run, K } = runBeforeCorrection(p);
    const most = p === 2n ? 2n ** 32n : 2n ** 32n * p;
    expect(K).toBe(run * p * p);
    expect(K <= most).toBe(true);
    // The highest start is −1: behind a run the sum is below K, and K less it is in [−K, 0) again.
    const high = -1n + run * largest;
    expect(high < K && high - K < 0n).toBe(true);
    expect(BigInt.asIntN(64, -K)).toBe(-K);
    expect(BigInt.asIntN(64, high)).toBe(high);
    const more = (run + 1n) * p * p;
    expect(more > 2n ** 63n || more > most || run === 2n ** 28n).toBe(true);
  });

  test('an unsigned sum that is corrected by K takes one more product', () => {
    const K = boundBeforeCorrection(p);
    expect(K % (p * p)).toBe(0n);
    expect(K <= 2n ** 63n && K + p * p > 2n ** 63n).toBe(true);
    const sum = K - 1n + largest;
    expect(BigInt.asUintN(64, sum)).toBe(sum);
    expect(sum - K < K).toBe(true);
  });
});

describe.each(U32_PRIMES)('2^16 < p = %s', (p) => {
  test('a sum of 2^31 products has fewer folds than p − 1', () => {
    const run = BigInt(Math.min(2 ** 16, productsBeforeFolding(p)));
    expect(run >= 4n).toBe(true);
    expect(2n ** 31n / run + 2n < p - 1n).toBe(true);
  });

  test('products of balanced residues and halves in f64', () => {
    const term = (p / 2n) * 2n ** 15n;
    const terms = halfProductsBeforeReduction(p);
    const [rest, high] = [p / 2n + 2n, p / 2n + 2n]; // what reduceDouble leaves of the two sums
    const sum = BigInt(terms) * term + rest + 2n ** 16n * high + (p - 1n);
    expect(sum <= 2n ** 53n - p).toBe(true);
    expectEdge(terms, (t) => t * term + (2n ** 16n + 3n) * p < 2n ** 53n);
    // The digits: low in [−2^15, 2^15), so high is at most this, and its sums are the smaller ones.
    expect((p / 2n + 2n ** 15n) / 2n ** 16n <= 2n ** 15n).toBe(true);
  });
});

test.each([
  [2, 2],
  [2, 8],
  [2, 21],
  [3, 2],
  [3, 13],
  [5, 9],
  [127, 3],
  [1447, 2],
])('elements of GF(%i^%i) in a sum of 64 bits: no coefficient reaches the next one', (p, k) => {
  const bits = BigInt(Math.floor(64 / k));
  expectEdge(elementsBeforeReduction(p, k), (t) => (t + 1n) * BigInt(p - 1) < 2n ** bits);
  expect(bits * BigInt(k) <= 64n).toBe(true);
});

describe.each([...U16_PRIMES, 65537, 2147483647])('sums of the GPU, p = %i', (p) => {
  const m = BigInt(p - 1);

  test('terms beside a folded value', () => {
    if (p > 2 ** 16) {
      expectEdge(gpuTermsBeforeFolding(p), (t) => 65535n + t * 65535n + 65535n <= I32_MAX);
      return;
    }
    // lo begins below p; sums_value adds 256 times a residue to it.
    expectEdge(gpuTermsBeforeFolding(p), (t) => m + t * 255n * m + 256n * m <= U32_MAX);
    for (const x of [0, 1, p >> 1, p - 1]) expect(p - x).toBeLessThanOrEqual(255 * (p - 1)); // an entry −1
  });

  test('products of digits beside a folded value', () => {
    // 11, 10 and 10 bits of one factor, 16 and 15 of the other; the end brings s00 five bits of s01, times 2^11.
    expectEdge(gpuDigitTermsBeforeFolding(), (t) => 65535n + t * 65535n * 2047n + 31n * 2048n <= U32_MAX);
    const t = BigInt(gpuDigitTermsBeforeFolding());
    expect(t * 65535n * 1023n <= U32_MAX && 32768n + t * 32767n * 2047n <= U32_MAX).toBe(true);
  });

  test('terms of products of bytes', () => {
    const square = 255n ** 2n;
    expectEdge(gpuByteTermsBeforeReduction(p), (t) =>
      p > 2 ** 16 ? t * 4n * square * (1n + 256n) <= U32_MAX : t * 2n * square + 256n * m <= U32_MAX,
    );
  });
});
