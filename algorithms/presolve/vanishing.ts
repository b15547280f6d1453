/**
 * Whether the Schur complement S of structural pivots is zero, by random vectors in plain numbers: where peeling finds
 * as many pivots as the rank is, as in chessboard complexes, a rank needs no more, neither kernels nor threads
 * (test/bench/RESULTS.md#pivots-alone).
 *
 *   v : uniform at the columns without pivots, and at the others, in the pivots' order, so that their rows vanish on v
 *   S·x : the products of the rows without pivots with v (schur/schur-complement.ts)
 *   of a wide matrix the same of the transpose, whose v is shorter
 *
 * S·x = 0 for a uniform x has probability at most 1/p unless S = 0, so that w vectors err with p^−w, and a product that
 * is not 0 proves S ≠ 0. Vectors are taken in turns, each a pass over A. There is a turn more than the error asks for,
 * so that an error of memory during one of them makes no claim wrong.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { minusInverses } from './minus-inverses.js';
import { linesBeside, type PivotPlaces, reversePivots } from './pattern.js';

/** Rows that are looked at as soon as what they need of v is known: mostly one of them shows that S is not zero. */
const EARLY = 64;

/** Numbers a row of v: as many vectors where p < 2^16, or half of them, each as two halves of 16 bits. */
const LANES = 4;

/** log2 of the error that a claim may have, and turns for it at most: kernels take more vectors sooner. */
const WANTED_LOG2 = -60;
const MOST_TURNS = 3;

/**
 * log2 of the probability that S is not zero; null where it is not, or where p is small and many vectors are needed.
 * `at` is the transpose of `a`.
 */
export function vanishingLog2(
  F: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: PivotPlaces,
  seed: bigint,
): number | null {
  return a.cols > a.rows ? vanishing(F, at, reversePivots(pivots), seed) : vanishing(F, a, pivots, seed);
}

function vanishing(F: WordPrime, a: ResidueMatrix, { rows, cols }: PivotPlaces, seed: bigint): number | null {
  const vectors = F.isU16 ? LANES : LANES / 2;
  const turns = Math.ceil(-WANTED_LOG2 / (vectors * Math.log2(F.p)));
  if (turns > MOST_TURNS) return null;
  const place = new Int32Array(a.cols).fill(-1);
  markPlaces(cols, place);
  const [others, free] = [linesBeside(rows, a.rows), linesBeside(cols, a.cols)];
  const early = someByNeed(a, others, place);
  const factors = new Uint32Array(rows.length);
  const drawn = new Uint32Array(vectors * free.length);
  const v = new Uint32Array(LANES * a.cols);
  const sums = new RowSums(F, a);
  for (let turn = 0; turn <= turns; turn++) {
    new CounterRandom(deriveSeed(seed, 'vanishing', turn), 0).fillResidues(drawn, F.p);
    if (turn > 0) v.fill(0);
    spread(drawn, free, v, F.isU16);
    let known = 0; // pivots whose entries of v are
    const extendTo = (count: number): void => {
      const next = { rows: rows.subarray(known, count), cols: cols.subarray(known, count) };
      if (turn === 0) factors.set(minusInverses(F, a, next), known);
      extend(sums, next.rows, next.cols, factors.subarray(known, count), v);
      known = count;
    };
    for (const { row, need } of turn === 0 ? early : []) {
      extendTo(Math.max(known, need));
      if (!isOrthogonal(sums, Uint32Array.of(row), v)) return null;
    }
    extendTo(rows.length);
    if (!isOrthogonal(sums, others, v)) return null;
  }
  return -turns * vectors * Math.log2(F.p);
}

/** Some rows without pivots, and how many pivots v has to know for each, those of few first. */
function someByNeed({ rowPtr, colIdx }: ResidueMatrix, others: Uint32Array, place: Int32Array) {
  const count = Math.min(EARLY, others.length);
  const some = Array.from({ length: count }, (_, k) => {
    const row = others[Math.floor((k * others.length) / count)];
    const need = 1 + colIdx.subarray(rowPtr[row], rowPtr[row + 1]).reduce((most, j) => Math.max(most, place[j]), -1);
    return { row, need };
  });
  return some.sort((x, y) => x.need - y.need);
}

/** Products of rows of A with v, a row at a time. */
class RowSums {
  readonly #field: WordPrime;
  readonly #a: ResidueMatrix;
  readonly #sums = new Float64Array(LANES);
  readonly #run: number;

  constructor(F: WordPrime, a: ResidueMatrix) {
    this.#field = F;
    this.#a = a;
    // Products that a double adds exactly to a residue.
    this.#run = F.isU16 ? F.productsBeforeReduction('f64') - 1 : F.halfProducts;
  }

  /** The products with row i, in `LANES` numbers. */
  take(i: number, v: Uint32Array): void {
    const { rowPtr, colIdx, values } = this.#a;
    addProducts(rowPtr[i], rowPtr[i + 1], colIdx, values, v, this.#field.p, this.#run, this.#sums);
  }

  /** Whether all of them are 0. */
  areZero(): boolean {
    const sums = this.#sums;
    if (this.#field.isU16) return sums[0] + sums[1] + sums[2] + sums[3] === 0;
    return this.#whole(0) + this.#whole(2) === 0;
  }

  /** Row j of v becomes they, times a factor. */
  store(v: Uint32Array, j: number, factor: number): void {
    const F = this.#field;
    for (let lane = 0; lane < LANES; lane++) {
      if (F.isU16) v[LANES * j + lane] = F.mul(this.#sums[lane], factor);
      else {
        storeHalves(v, LANES * j + lane, F.mul(this.#whole(lane), factor));
        lane++;
      }
    }
  }

  /** high·2^16 + low */
  #whole(lane: number): number {
    const F = this.#field;
    return F.mulAdd(this.#sums[lane], 65536 % F.p, this.#sums[lane + 1]);
  }
}

function storeHalves(v: Uint32Array, at: number, value: number): void {
  v[at] = value >>> 16;
  v[at + 1] = value & 65535;
}

/** v at the pivots' columns, in their order; it is 0 there before. */
function extend(sums: RowSums, rows: Uint32Array, cols: Uint32Array, factors: Uint32Array, v: Uint32Array): void {
  for (let k = 0; k < rows.length; k++) {
    sums.take(rows[k], v);
    sums.store(v, cols[k], factors[k]);
  }
}

function isOrthogonal(sums: RowSums, rows: Uint32Array, v: Uint32Array): boolean {
  for (let k = 0; k < rows.length; k++) {
    sums.take(rows[k], v);
    if (!sums.areZero()) return false;
  }
  return true;
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** The place of each column's pivot. */
function markPlaces(cols: Uint32Array, place: Int32Array): void {
  for (let k = 0; k < cols.length; k++) place[cols[k]] = k;
}

/** What was drawn to the columns without pivots. */
function spread(drawn: Uint32Array, free: Uint32Array, v: Uint32Array, areWhole: boolean): void {
  for (let k = 0, next = 0; k < free.length; k++) {
    for (let lane = 0; lane < LANES; lane += areWhole ? 1 : 2) {
      if (areWhole) v[LANES * free[k] + lane] = drawn[next++];
      else storeHalves(v, LANES * free[k] + lane, drawn[next++]);
    }
  }
}

/**
 * The canonical sums of entries times rows of v. A sum s stays within the exact doubles, and floor(fl(s/p)) is the
 * quotient: s/p is 1/p or more below the next integer n, and rounding moves it by less, as n ≤ s/p + 1.
 */
function addProducts(
  begin: number,
  end: number,
  colIdx: Uint32Array,
  values: Uint32Array,
  v: Uint32Array,
  p: number,
  run: number,
  sums: Float64Array,
): void {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  for (let e = begin; e < end; ) {
    const stop = Math.min(end, e + run);
    for (; e < stop; e++) {
      const at = LANES * colIdx[e];
      const value = values[e];
      s0 += value * v[at];
      s1 += value * v[at + 1];
      s2 += value * v[at + 2];
      s3 += value * v[at + 3];
    }
    s0 -= Math.floor(s0 / p) * p;
    s1 -= Math.floor(s1 / p) * p;
    s2 -= Math.floor(s2 / p) * p;
    s3 -= Math.floor(s3 / p) * p;
  }
  sums[0] = s0;
  sums[1] = s1;
  sums[2] = s2;
  sums[3] = s3;
}
