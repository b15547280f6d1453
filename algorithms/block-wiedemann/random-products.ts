/**
 * Products of polynomial matrices with random constant ones, and whether a polynomial matrix is reduced for a shift:
 * what the check of an order basis is made of (basis-check.ts, whose letters these are).
 */
import type { Executor } from '../../kernels/executor.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';
import { randomNumbers } from './random-vectors.js';
import { areBelow } from './sum-products.js';
import type { WorkingField } from './working-field.js';

/** What random numbers are drawn from, by an executor that may be faster at it. */
export interface RandomSource {
  readonly executor: Pick<Executor, 'randomNumbers'>;
  readonly seed: bigint;
}

/** w of the check: q^−w is 2^−61 at most. */
export function checkWidth({ log2q }: WorkingField): number {
  return Math.ceil(61 / log2q);
}

/** Products of polynomial matrices with random ones on both sides, or on one. */
export class RandomProducts {
  private readonly engine: OrderBasisEngine;
  private readonly working: WorkingField;
  private readonly active: number; // R
  private readonly all: number;
  private readonly random: RandomSource;
  private streams = 1;

  /** The matrices have `all` rows, of which the first `active` count, and `active` columns. */
  constructor(
    engine: OrderBasisEngine,
    working: WorkingField,
    { active, all }: { readonly active: number; readonly all: number },
    random: RandomSource,
  ) {
    [this.engine, this.working, this.active, this.all, this.random] = [engine, working, active, all, random];
  }

  draw(count: number): Uint32Array {
    const { executor, seed } = this.random;
    return randomNumbers(executor, count, this.working.q, seed, this.streams++);
  }

  /**
   * The first `count` coefficients of u·p·g, each w × w; p = 1 where it is null. u : w × R, g : R × w; rows and columns
   * of p behind the first R do not count.
   */
  async between(u: Uint32Array, p: PolyMatrix | null, g: PolyMatrix, count: number): Promise<Uint32Array> {
    const { engine, active, all } = this;
    const w = checkWidth(this.working);
    const made: PolyMatrix[] = [];
    const keep = (matrix: PolyMatrix): PolyMatrix => {
      made.push(matrix);
      return matrix;
    };
    const matrix = (words: Uint32Array, rows: number, cols: number): PolyMatrix => {
      const written = keep(engine.create(rows, cols, words.length / (rows * cols)));
      engine.write(written, words);
      return written;
    };
    try {
      const left = p ? keep(engine.mul(matrix(resized(u, active, all), w, all), p)) : matrix(u, w, active);
      const product = keep(engine.mul(left, g));
      const out = new Uint32Array(count * w * w);
      out.set(await engine.read(product, 0, Math.min(count, product.length)));
      return out;
    } finally {
      for (const each of made) engine.release(each);
    }
  }

  /**
   * Conditions 2 and 3: deg p_ij ≤ ofRows_i − ofCols_j, and the coefficients there are a nonsingular matrix.
   *
   * A row of degree v has nothing at k + ofCols_j > v. The degrees of rows cut these places into intervals; each is
   * looked at by a sum of its own, in the rows that are to be 0 there.
   */
  async isReduced(p: PolyMatrix, ofRows: Int32Array, ofCols: Int32Array): Promise<boolean> {
    if (!(await this.isLeadingRegular(p, ofRows, ofCols))) return false;
    const { active } = this;
    const w = checkWidth(this.working);
    const ends = ofCols.subarray(0, active);
    const degrees = distinct(ofRows.subarray(0, active));
    for (const [t, v] of degrees.entries()) {
      const next = degrees[t + 1] ?? Number.POSITIVE_INFINITY;
      const first = Math.max(0, v - Math.max(...ends) + 1);
      const end = Math.min(p.length, next - Math.min(...ends) + 1);
      if (first >= end) continue;
      const h = this.draw((end - first) * active * w);
      keepPlaces(h, ends, w, end - 1, v, next);
      const sums = await this.coefficient(p, h, end - 1);
      if (sums.some((value, i) => value !== 0 && ofRows[Math.floor(i / w)] <= v)) return false;
    }
    return true;
  }

  /** The coefficients at the bounds are a nonsingular matrix. */
  private async isLeadingRegular(p: PolyMatrix, ofRows: Int32Array, ofCols: Int32Array): Promise<boolean> {
    const { active } = this;
    const leading = new Uint32Array(active * active);
    const [rows, cols] = [ofRows.subarray(0, active), ofCols.subarray(0, active)];
    const shifts = distinct(cols);
    for (const k of new Set(distinct(rows).flatMap((degree) => shifts.map((shift) => degree - shift)))) {
      if (k >= 0 && k < p.length) takeLeading(leading, await this.engine.read(p, k, 1), rows, cols, k);
    }
    return this.isRegular(leading);
  }

  /** R × R. To order 1 the rows that are independent have their degrees raised. Kernels look words up as codes. */
  private async isRegular(words: Uint32Array): Promise<boolean> {
    const { engine, active } = this;
    if (!areBelow(words, this.working.q)) return false;
    const matrix = engine.create(active, active, 1);
    try {
      engine.write(matrix, words);
      const degrees = new Int32Array(active);
      engine.release(await engine.sigmaBasis(matrix, degrees, 0));
      return degrees.every((degree) => degree === 1);
    } finally {
      engine.release(matrix);
    }
  }

  /** The first rows of coefficient k of p·h; h in blocks of R × w. */
  private async coefficient(p: PolyMatrix, h: Uint32Array, k: number): Promise<Uint32Array> {
    const { engine, active, all } = this;
    const w = checkWidth(this.working);
    const factor = engine.create(all, w, h.length / (active * w));
    try {
      engine.write(factor, resized(h, active * w, all * w));
      const sum = engine.residual(p, factor, k, 1);
      try {
        return (await engine.read(sum, 0, 1)).subarray(0, active * w);
      } finally {
        engine.release(sum);
      }
    } finally {
      engine.release(factor);
    }
  }
}

/** In increasing order. */
function distinct(degrees: Int32Array): number[] {
  return [...new Set(degrees)].sort((a, b) => a - b);
}

// Loops by themselves: V8 compiles each once, instead of every caller with all that it calls.

/** Factors of coefficient k of column j, from k = `last` downwards, stay where v < k + ofCols_j ≤ next; else 0. */
function keepPlaces(h: Uint32Array, ofCols: Int32Array, w: number, last: number, v: number, next: number): void {
  for (let at = 0, k = last; at < h.length; k--) {
    for (let j = 0; j < ofCols.length; j++, at += w) {
      const place = k + ofCols[j];
      if (place <= v || place > next) h.fill(0, at, at + w);
    }
  }
}

/** Entries of coefficient k in whose rows and columns k is the bound. */
function takeLeading(out: Uint32Array, words: Uint32Array, ofRows: Int32Array, ofCols: Int32Array, k: number): void {
  for (let i = 0, at = 0; i < ofRows.length; i++) {
    for (let j = 0; j < ofCols.length; j++, at++) if (ofRows[i] - ofCols[j] === k) out[at] = words[at];
  }
}

/** Blocks of `from` words as blocks of `to`, cut, or with zeros behind. */
export function resized(words: Uint32Array, from: number, to: number): Uint32Array {
  if (from === to) return words;
  const out = new Uint32Array((words.length / from) * to);
  const kept = Math.min(from, to);
  for (let r = 0; r * from < words.length; r++) out.set(words.subarray(r * from, r * from + kept), r * to);
  return out;
}
