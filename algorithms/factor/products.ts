/**
 * Products on the host, in plain loops: the check of what factors have given, by other means than theirs.
 *
 *   A : rows × cols, as compressed rows     X : cols × s, B : rows × s, residues row-major
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

/** A·X */
export function multiply(F: WordPrime, { rows, rowPtr, colIdx, values }: ResidueMatrix, x: Uint32Array, s: number) {
  const out = new Uint32Array(rows * s);
  addProducts(F, rowPtr, colIdx, values, x, s, out);
  return out;
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function addProducts(
  F: WordPrime,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  x: Uint32Array,
  s: number,
  out: Uint32Array,
): void {
  for (let i = 0; i + 1 < rowPtr.length; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const value = values[k];
      for (let j = 0, from = colIdx[k] * s, to = i * s; j < s; j++, from++, to++) {
        out[to] = F.add(out[to], F.mul(value, x[from]));
      }
    }
  }
}

/** Whether uᵀ·A = 0. */
export function vanishesOn(F: WordPrime, u: Uint32Array, { cols, rowPtr, colIdx, values }: ResidueMatrix): boolean {
  const sums = new Uint32Array(cols);
  for (let i = 0; i < u.length; i++) {
    if (u[i] === 0) continue;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      sums[colIdx[k]] = F.add(sums[colIdx[k]], F.mul(u[i], values[k]));
    }
  }
  return sums.every((sum) => sum === 0);
}

/**
 * Whether Σ v_j·(row j of A) = 0 over entries first … end − 1 of v; `sums` is zero before and after.
 *
 * Sums are doubles below 2^53. Where so few products fit in one that reductions were frequent, products are reduced:
 * of residues 2^22 fit.
 */
export function isZeroSum(
  F: WordPrime,
  a: ResidueMatrix,
  index: Uint32Array,
  v: Uint32Array,
  first: number,
  end: number,
  sums: Float64Array,
): boolean {
  // One less: a residue is carried.
  const products = F.productsBeforeReduction('f64') - 1;
  const [add, together] = products < FEW ? [addReduced, F.additionsBeforeReduction('f64') - 1] : [addWhole, products];
  for (let e = first; e < end; e += together) {
    if (e > first) reduce(F, sums);
    add(F, a, index, v, e, Math.min(e + together, end), sums);
  }
  const { rowPtr, colIdx } = a;
  let isZero = true;
  for (let e = first; e < end; e++) {
    for (let k = rowPtr[index[e]], last = rowPtr[index[e] + 1]; k < last; k++) {
      const sum = sums[colIdx[k]];
      if (sum === 0) continue;
      if (sum % F.p !== 0) isZero = false;
      sums[colIdx[k]] = 0;
    }
  }
  return isZero;
}

/** Products in a sum that one pass of reductions over all sums is worth. */
const FEW = 2 ** 10;

function addWhole(
  _: WordPrime,
  { rowPtr, colIdx, values }: ResidueMatrix,
  index: Uint32Array,
  v: Uint32Array,
  first: number,
  end: number,
  sums: Float64Array,
): void {
  for (let e = first; e < end; e++) {
    const factor = v[e];
    for (let k = rowPtr[index[e]], last = rowPtr[index[e] + 1]; k < last; k++) sums[colIdx[k]] += factor * values[k];
  }
}

function addReduced(
  F: WordPrime,
  { rowPtr, colIdx, values }: ResidueMatrix,
  index: Uint32Array,
  v: Uint32Array,
  first: number,
  end: number,
  sums: Float64Array,
): void {
  for (let e = first; e < end; e++) {
    const factor = v[e];
    for (let k = rowPtr[index[e]], last = rowPtr[index[e] + 1]; k < last; k++) {
      sums[colIdx[k]] += F.mul(factor, values[k]);
    }
  }
}

function reduce({ p }: WordPrime, sums: Float64Array): void {
  for (let j = 0; j < sums.length; j++) sums[j] %= p;
}

/** X − Y */
export function subtract(F: WordPrime, x: Uint32Array, y: Uint32Array): Uint32Array {
  return x.map((value, k) => F.sub(value, y[k]));
}
