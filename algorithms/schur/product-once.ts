/**
 * A product with the Schur complement S of pivots (schur-complement.ts) that is wanted once: from the rows of A as they
 * are, without the parts, orders and copies that make many products quick.
 *
 *   x : columns of A without pivots × width      S·x : rows without pivots × width, both row-major residues
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { minusInverses } from '../presolve/minus-inverses.js';
import { linesBeside, type PivotPlaces } from '../presolve/pattern.js';
import { RowSums } from '../presolve/row-sums.js';

export function productOnce(
  F: WordPrime,
  a: ResidueMatrix,
  pivots: PivotPlaces,
  x: Uint32Array,
  width: number,
): Uint32Array {
  const [others, free] = [linesBeside(pivots.rows, a.rows), linesBeside(pivots.cols, a.cols)];
  const factors = minusInverses(F, a, pivots);
  const sums = new RowSums(F, a);
  const v = sums.block();
  const part = new Uint32Array(sums.vectors * free.length);
  const y = new Uint32Array(others.length * width);
  for (let first = 0; first < width; first += sums.vectors) {
    takeColumns(x, width, first, part, sums.vectors);
    v.fill(0);
    sums.spread(part, free, v);
    sums.extend(v, pivots, factors);
    const end = Math.min(width, first + sums.vectors);
    for (let k = 0; k < others.length; k++) {
      sums.take(others[k], v);
      for (let t = first; t < end; t++) y[k * width + t] = sums.at(t - first);
    }
  }
  return y;
}

/** Columns first, first + 1, … of `width` to `count` of `out`; those that are not there are 0. */
function takeColumns(x: Uint32Array, width: number, first: number, out: Uint32Array, count: number): void {
  for (let k = 0, at = 0; at < out.length; k++) {
    for (let t = first; t < first + count; t++) out[at++] = t < width ? x[k * width + t] : 0;
  }
}
