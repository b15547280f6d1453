/** Reductions by a rounded quotient: right up to the bound, in the arithmetic of the hardware itself. */
import { describe, expect, test } from 'vitest';
import {
  floorQuotientBound,
  largestTableField,
  magnitudeAfterReduction,
  reduceQuotientBound,
  singleCorrectionQuotientBound,
} from '../../fields/quotients.js';

/** round(x) to nearest, ties to even, as SIMD rounds. */
const nearest = (x: number) => {
  const r = Math.round(x);
  return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r;
};
/** The f32 reduction of an i32: conversion, product and rounding as the hardware makes them. */
function reduceInFloat(a: number, p: number): number {
  const quotient = nearest(Math.fround(Math.fround(a) * Math.fround(1 / p)));
  return (a - Math.imul(quotient, p)) | 0;
}
/** Accumulators near a half-integer quotient, where rounding is hardest, up to |a| ≤ limit. */
function* hardAccumulators(p: number, limit: number): Generator<number> {
  const last = Math.floor(limit / p) - 1;
  for (let i = 0; i <= 2000; i++) {
    const k = i <= 1000 ? last - i : Math.floor((last * (i - 1000)) / 1000);
    for (let d = -2; d <= 2; d++) {
      const a = Math.floor((k + 0.5) * p) + d;
      if (a >= 0 && a <= limit) yield* [a, -a];
    }
  }
}
const INT_MAX = 2 ** 31 - 1;

describe('f32 reduction of an i32 accumulator', () => {
  test.each([2, 3, 7, 101, 509, 521, 2039, 32749, 65521])('right below 2^22·%i', (p) => {
    const limit = Math.min(INT_MAX, reduceQuotientBound * p - 1);
    const allowed = magnitudeAfterReduction(p, limit);
    let largest = 0;
    for (const a of hardAccumulators(p, limit)) {
      const r = reduceInFloat(a, p);
      if ((a - r) % p !== 0) throw new Error(`${a} reduced to ${r} mod ${p}`);
      largest = Math.max(largest, Math.abs(r));
    }
    expect(largest).toBeLessThanOrEqual(allowed);
    expect(allowed).toBeLessThanOrEqual(1.2501 * p);
    expect(largest).toBeGreaterThanOrEqual(Math.floor(p / 2)); // the accumulators above are hard indeed
  });

  test.each([2, 3, 101, 1021])('one correction is enough below 2^21·%i', (p) => {
    for (const a of hardAccumulators(p, Math.min(INT_MAX, singleCorrectionQuotientBound * p - 1)))
      if (Math.abs(reduceInFloat(a, p)) >= p) throw new Error(`${a} mod ${p} leaves ${reduceInFloat(a, p)}`);
  });

  test('far above the bound it is wrong, and refused', () => {
    const p = 3;
    expect([...hardAccumulators(p, INT_MAX)].some((a) => Math.abs(reduceInFloat(a, p)) > 1.2501 * p)).toBe(true);
    expect(() => magnitudeAfterReduction(p, INT_MAX)).toThrow('expected |a| < 2^22·3, got 2147483647');
    expect(() => magnitudeAfterReduction(p, reduceQuotientBound * p)).toThrow('got 12582912');
  });
});

describe('floor of a quotient in f32', () => {
  /** What the kernels compute: trunc(fl((x + 1/2)·fl(1/p))). */
  const floorInFloat = (x: number, p: number): number =>
    Math.trunc(Math.fround(Math.fround(x + 0.5) * Math.fround(1 / p)));

  test.each([2, 3, 5, 7, 127, 1447, 65521])('right for multiples of %i and their neighbours below 2^22', (p) => {
    const wrong = [];
    for (let multiple = 0; multiple <= floorQuotientBound; multiple += p) {
      for (const x of [multiple - 1, multiple]) {
        if (x >= 0 && x < floorQuotientBound && floorInFloat(x, p) !== Math.floor(x / p)) wrong.push(x);
      }
    }
    expect(wrong).toEqual([]);
  });

  test('codes of the largest fields, and sums of their coefficients, are below the bound', () => {
    for (let p = 2; p * p <= largestTableField; p++) {
      for (let k = 2; p ** k <= largestTableField; k++) {
        const sum = p - 1 + (k - 1) * (p - 1) ** 2;
        if (sum >= floorQuotientBound) throw new Error(`${p}^${k}: ${sum}`);
      }
    }
    expect(1449 ** 2).toBeGreaterThan(largestTableField);
  });
});
