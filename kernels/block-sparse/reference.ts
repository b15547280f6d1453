/**
 * The kernels on small blocks, element by element: the slow twin that faster ones are compared with.
 *
 *   Y, X, Z : tall, w columns, row-major        M : a block of w x w        A : blocks of b x b on a pattern, row-major
 *
 *   Y ± X·M      X^T·Z      Y ± A·X      Y ± A^T·X      A = L·U on the pattern      L·X = B      U·X = B
 *
 * L has identities on its diagonal, which are not stored; the inverses of the diagonal blocks of U are kept beside it.
 * Row i of the factors, for k < i in increasing order: L_ik = A_ik·U_kk^-1, then A_ij −= L_ik·U_kj for stored j > k.
 * So (L·U)_ij = A_ij at every stored place, and L·U = A where the pattern holds all fill.
 *
 * Source: Afanasyev, Potapov 2014 (the six kernels); Saad, Iterative Methods for Sparse Linear Systems, 2003, section
 * 10.3 (factors on the pattern).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { StructureError } from '../errors/structure-error.js';
import type { BlockPattern } from './block-pattern.js';

export type Sign = 1 | -1;

export interface BlockMatrix {
  readonly b: number;
  readonly pattern: BlockPattern;
  readonly values: Uint32Array; // b·b residues a block, in the order of the pattern
}

export interface BlockFactors extends BlockMatrix {
  /** U_ii^-1, b·b residues each. */
  readonly inverses: Uint32Array;
  /** The first block row whose pivot block is singular, where factoring ended; −1 where there is none. */
  readonly singular: number;
}

/** Y ± (rows x depth)·(depth x width), from the given offsets; a transposed X is stored depth x rows. */
function accumulate(
  field: WordPrime,
  [rows, depth, width]: readonly [number, number, number],
  y: Uint32Array,
  x: Uint32Array,
  m: Uint32Array,
  sign: Sign,
  transposed = false,
): void {
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < width; c++) {
      let sum = 0;
      for (let d = 0; d < depth; d++)
        sum = field.mulAdd(x[transposed ? d * rows + r : r * depth + d]!, m[d * width + c]!, sum);
      const at = r * width + c;
      y[at] = sign > 0 ? field.add(y[at]!, sum) : field.sub(y[at]!, sum);
    }
}

/** Y ← Y ± X·M */
export function addTallProduct(
  field: WordPrime,
  w: number,
  y: Uint32Array,
  x: Uint32Array,
  m: Uint32Array,
  sign: Sign,
): void {
  accumulate(field, [y.length / w, w, w], y, x, m, sign);
}

/** X^T·Z */
export function dotTall(field: WordPrime, w: number, x: Uint32Array, z: Uint32Array): Uint32Array {
  const out = new Uint32Array(w * w);
  accumulate(field, [w, x.length / w, w], out, x, z, 1, true);
  return out;
}

/** Y ← Y ± A·X, or Y ± A^T·X, with or without the diagonal blocks of A. */
export function addBlockProduct(
  field: WordPrime,
  { b, pattern, values }: BlockMatrix,
  w: number,
  y: Uint32Array,
  x: Uint32Array,
  { sign, transposed, diagonal }: { readonly sign: Sign; readonly transposed: boolean; readonly diagonal: boolean },
): void {
  for (let i = 0; i < pattern.n; i++)
    for (let s = pattern.rowPtr[i]!; s < pattern.rowPtr[i + 1]!; s++) {
      const j = pattern.colIdx[s]!;
      if (i === j && !diagonal) continue;
      const [to, from] = transposed ? [j, i] : [i, j];
      const block = blockOf(values, s, b * b);
      accumulate(field, [b, b, w], blockOf(y, to, b * w), block, blockOf(x, from, b * w), sign, transposed);
    }
}

/** A = L·U on the pattern, which has every diagonal block. */
export function factorOnPattern(field: WordPrime, { b, pattern, values }: BlockMatrix): BlockFactors {
  const { n, rowPtr, colIdx, diagonal } = pattern;
  if (diagonal.includes(-1))
    throw new StructureError(`factorOnPattern: the pattern lacks diagonal block ${diagonal.indexOf(-1)}`);
  const size = b * b;
  const out = values.slice();
  const inverses = new Uint32Array(n * size);
  const shape = [b, b, b] as const;
  for (let i = 0; i < n; i++) {
    for (let s = rowPtr[i]!; s < diagonal[i]!; s++) {
      const k = colIdx[s]!;
      const factor = new Uint32Array(size);
      accumulate(field, shape, factor, blockOf(out, s, size), blockOf(inverses, k, size), 1);
      out.set(factor, s * size);
      for (let t = diagonal[k]! + 1; t < rowPtr[k + 1]!; t++) {
        const at = pattern.find(i, colIdx[t]!);
        if (at >= 0) accumulate(field, shape, blockOf(out, at, size), factor, blockOf(out, t, size), -1);
      }
    }
    const inverse = invertBlock(field, b, blockOf(out, diagonal[i]!, size));
    if (inverse === null) return { b, pattern, values: out, inverses, singular: i };
    inverses.set(inverse, i * size);
  }
  return { b, pattern, values: out, inverses, singular: -1 };
}

/** X with L·X = B, in place of B. */
export function solveLower(field: WordPrime, { b, pattern, values }: BlockFactors, w: number, x: Uint32Array): void {
  const { n, rowPtr, colIdx, diagonal } = pattern;
  for (let i = 0; i < n; i++)
    for (let s = rowPtr[i]!; s < diagonal[i]!; s++)
      accumulate(field, [b, b, w], blockOf(x, i, b * w), blockOf(values, s, b * b), blockOf(x, colIdx[s]!, b * w), -1);
}

/** X with U·X = B, in place of B; the factors have no singular block. */
export function solveUpper(field: WordPrime, factors: BlockFactors, w: number, x: Uint32Array): void {
  const { b, pattern, values, inverses, singular } = factors;
  if (singular >= 0) throw new StructureError(`solveUpper: the pivot block of block row ${singular} is singular`);
  const { n, rowPtr, colIdx, diagonal } = pattern;
  for (let i = n - 1; i >= 0; i--) {
    const row = blockOf(x, i, b * w);
    for (let s = diagonal[i]! + 1; s < rowPtr[i + 1]!; s++)
      accumulate(field, [b, b, w], row, blockOf(values, s, b * b), blockOf(x, colIdx[s]!, b * w), -1);
    const right = row.slice();
    row.fill(0);
    accumulate(field, [b, b, w], row, blockOf(inverses, i, b * b), right, 1);
  }
}

function blockOf(values: Uint32Array, index: number, size: number): Uint32Array {
  return values.subarray(index * size, (index + 1) * size);
}

/** The inverse by Gauss and Jordan with exchanges of rows, or null: then the columns are dependent. */
function invertBlock(field: WordPrime, b: number, block: Uint32Array): Uint32Array | null {
  const rows = Array.from({ length: b }, (_, i) => {
    const row = new Uint32Array(2 * b); // (A | I)
    row.set(block.subarray(i * b, (i + 1) * b));
    row[b + i] = 1;
    return row;
  });
  for (let c = 0; c < b; c++) {
    const found = rows.findIndex((row, r) => r >= c && row[c] !== 0);
    if (found < 0) return null;
    [rows[c], rows[found]] = [rows[found]!, rows[c]!];
    const pivot = rows[c]!;
    const scale = field.inv(pivot[c]!);
    for (let j = 0; j < 2 * b; j++) pivot[j] = field.mul(scale, pivot[j]!);
    for (const [r, row] of rows.entries()) {
      const times = field.neg(row[c]!);
      if (r !== c) for (let j = 0; j < 2 * b; j++) row[j] = field.mulAdd(times, pivot[j]!, row[j]!);
    }
  }
  const inverse = new Uint32Array(b * b);
  for (const [r, row] of rows.entries()) inverse.set(row.subarray(b), r * b);
  return inverse;
}
