/**
 * SELL-C-σ: rows sorted by length within windows of σ rows, then cut into slices of C rows, each as long as its
 * longest: entry t of slot s is at place firsts[s] + C·t, where the slots of a slice follow each other.
 *
 * σ = 1 sorts nothing: sliced ELLPACK with slices of a fixed height. Places that a shorter row leaves free are not
 * looked at. Source: Monakov, Lokhmotov, Avetisyan 2010; Kreutzer et al. 2014.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkSizes } from './check.js';
import type { Csr } from './csr.js';
import type { Format } from './format.js';
import { WALKS } from './layout.js';

export type SliceHeight = 4 | 32;
type SellName = `sell-${SliceHeight}` | `slices-${SliceHeight}`;

export interface Sell<N extends SellName = SellName> {
  readonly kind: N;
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly height: SliceHeight; // C
  readonly order: Uint32Array; // a permutation of the rows: order[s] is in slot s
  readonly firsts: Uint32Array; // of slot s, where its entries begin; one more at the end
  readonly offsets: Uint32Array; // entries before slot s; one more at the end
  readonly colIdx: Uint32Array; // columns, strictly increasing within a row; any at free places
  readonly values: Uint32Array | null; // canonical residues, never 0 but at free places; null: all entries are one
}

/** Rows that are sorted together as a rule: of 2^14, X and Y rows stay close (sliced-ell-slices.ts). */
const WINDOW = 2 ** 14;

/** Checks every claim above for residues mod p. */
function check(part: Sell, p: number): void {
  const { kind, rows, cols, nnz, height, order, firsts, offsets, colIdx, values } = part;
  checkSizes(kind, rows, cols);
  const seen = new Uint8Array(rows);
  for (const i of order) if (i < rows) seen[i] = 1;
  if (order.length !== rows || seen.includes(0))
    throw new StructureError(`${kind}: expected each of ${rows} rows once`);
  if (firsts.length !== rows + 1 || offsets.length !== rows + 1 || offsets[0] !== 0 || offsets[rows] !== nnz) {
    throw new StructureError(`${kind}: expected ${rows + 1} places and offsets up to ${nnz}`);
  }
  for (let s = 0, slice = 0; s < rows; s++) {
    if (s % height === 0 && s > 0) slice = firsts[s];
    if (firsts[s] !== slice + (s % height)) throw new StructureError(`${kind}: expected slot ${s} beside the others`);
    const length = offsets[s + 1] - offsets[s];
    const next = s + height - (s % height); // the slice behind this one
    const end = next < rows ? firsts[next] : colIdx.length;
    let last = -1;
    for (let t = 0; t < length; t++) {
      const k = firsts[s] + height * t;
      if (k >= end) throw new StructureError(`${kind}: expected rows within their slice, got ${length} in slot ${s}`);
      if (colIdx[k] >= cols || colIdx[k] <= last) {
        throw new StructureError(`${kind}: expected columns in order below ${cols}, got ${colIdx[k]} at ${k}`);
      }
      if (values && (values[k] === 0 || values[k] >= p)) {
        throw new StructureError(`${kind}: expected values in 1…${p - 1}, got ${values[k]} at entry ${k}`);
      }
      last = colIdx[k];
    }
  }
}

/** `sorts`: whether windows are of more than one row. */
function sellOf<N extends SellName>(kind: N, height: SliceHeight, sorts: boolean): Format<Sell<N>> {
  return {
    fromRows: (a, _p, { window = WINDOW } = {}) => [toSell(a, kind, height, sorts ? window : 1)],
    forEachEntry({ rows, order, firsts, offsets, colIdx, values }, unit, visit) {
      for (let s = 0; s < rows; s++) {
        for (let t = 0, k = firsts[s]; t < offsets[s + 1] - offsets[s]; t++, k += height) {
          visit(order[s], colIdx[k], values ? values[k] : unit);
        }
      }
    },
    check,
    layout: ({ order, firsts, offsets, colIdx, values }) => ({
      ...{ walk: WALKS.slices, columns: colIdx, values },
      ...{ words: [firsts, offsets, Math.log2(height)], order, offsets },
    }),
    arrays: ({ order, firsts, offsets, colIdx, values }) => [order, firsts, offsets, colIdx, values],
    gpu: {
      prelude: 'sell',
      arrays: ({ order, firsts, offsets, colIdx, values }) => ({
        indices: [order, firsts, offsets, colIdx],
        ...{ values, extent: height },
      }),
    },
  };
}

export const SELL_4 = sellOf('sell-4', 4, true);
export const SELL_32 = sellOf('sell-32', 32, true);
export const SLICES_4 = sellOf('slices-4', 4, false);
export const SLICES_32 = sellOf('slices-32', 32, false);

function toSell<N extends SellName>(a: Csr, kind: N, height: SliceHeight, window: number): Sell<N> {
  const { rows, cols, nnz, rowPtr, colIdx: columns, values: from } = a;
  const order = orderOf(rowPtr, window);
  const [firsts, offsets] = [new Uint32Array(rows + 1), new Uint32Array(rows + 1)];
  let places = 0;
  for (let s = 0; s < rows; s += height) {
    let longest = 0;
    for (let r = s; r < Math.min(rows, s + height); r++) {
      const length = rowPtr[order[r] + 1] - rowPtr[order[r]];
      firsts[r] = places + r - s;
      offsets[r + 1] = offsets[r] + length;
      longest = Math.max(longest, length);
    }
    places += height * longest;
  }
  firsts[rows] = places;
  const put = (words: Uint32Array): Uint32Array => {
    const out = new Uint32Array(places);
    deal(order, rowPtr, firsts, height, words, out);
    return out;
  };
  return { kind, rows, cols, nnz, height, order, firsts, offsets, colIdx: put(columns), values: from && put(from) };
}

/** Rows by falling length within windows; a stable sort keeps neighbours of one length together. */
function orderOf(rowPtr: Uint32Array, window: number): Uint32Array {
  const order = Uint32Array.from({ length: rowPtr.length - 1 }, (_, i) => i);
  if (window === 1) return order;
  const length = (i: number): number => rowPtr[i + 1] - rowPtr[i];
  for (let first = 0; first < order.length; first += window) {
    order.subarray(first, first + window).sort((i, j) => length(j) - length(i) || i - j);
  }
  return order;
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function deal(
  order: Uint32Array,
  rowPtr: Uint32Array,
  firsts: Uint32Array,
  height: number,
  from: Uint32Array,
  to: Uint32Array,
): void {
  for (let s = 0; s < order.length; s++) {
    for (let k = rowPtr[order[s]], at = firsts[s], end = rowPtr[order[s] + 1]; k < end; k++, at += height)
      to[at] = from[k];
  }
}
