/**
 * Products of a matrix's rows with a few vectors, in plain numbers: without kernels, threads or anything stored, for
 * what is multiplied once or twice.
 *
 *   A : rows × cols over F_p      v : cols × vectors, in a block of LANES numbers a row
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { PivotPlaces } from './pattern.js';

/** Numbers a row of v: as many vectors where p < 2^16, or half of them, each as two halves of 16 bits. */
const LANES = 4;

/** The sums of a row are held until those of the next are taken. */
export class RowSums {
  readonly vectors: number; // that are taken at once
  readonly #field: WordPrime;
  readonly #a: ResidueMatrix;
  readonly #sums = new Float64Array(LANES);
  readonly #run: number;

  constructor(F: WordPrime, a: ResidueMatrix) {
    this.vectors = F.isU16 ? LANES : LANES / 2;
    this.#field = F;
    this.#a = a;
    // Products that a double adds exactly to a residue.
    this.#run = F.isU16 ? F.productsBeforeReduction('f64') - 1 : F.halfProducts;
  }

  /** v = 0 */
  block(): Uint32Array {
    return new Uint32Array(LANES * this.#a.cols);
  }

  /** The rows of `data`, of `vectors` residues each, to these rows of v. */
  spread(data: Uint32Array, rows: Uint32Array, v: Uint32Array): void {
    if (this.#field.isU16) spreadWhole(data, rows, v);
    else spreadHalves(data, rows, v);
  }

  /** The products with row i. */
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

  /**
   * v at the pivots' columns, in their order, such that their rows vanish on it, where it is 0 before and known at the
   * columns that they need; `factors` are those of minusInverses.
   */
  extend(v: Uint32Array, { rows, cols }: PivotPlaces, factors: Uint32Array): void {
    for (let k = 0; k < rows.length; k++) {
      this.take(rows[k], v);
      this.#store(v, cols[k], factors[k]);
    }
  }

  /** Row j of v becomes the sums, times a factor. */
  #store(v: Uint32Array, j: number, factor: number): void {
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

// Loops of their own: kernels/sparse/residue-matrix.ts.

function spreadWhole(data: Uint32Array, rows: Uint32Array, v: Uint32Array): void {
  for (let k = 0, next = 0; k < rows.length; k++) {
    for (let lane = 0; lane < LANES; lane++) v[LANES * rows[k] + lane] = data[next++];
  }
}

function spreadHalves(data: Uint32Array, rows: Uint32Array, v: Uint32Array): void {
  for (let k = 0, next = 0; k < rows.length; k++) {
    for (let lane = 0; lane < LANES; lane += 2) storeHalves(v, LANES * rows[k] + lane, data[next++]);
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
