/**
 * Compressed rows sorted by length within windows of rows: the i-th of them is row order[i] and owns entries
 * rowPtr[i] … rowPtr[i + 1] − 1.
 *
 * A loop over a short row ends where a processor's prediction of branches does not expect it, unless the row before was
 * as long. Sorted, rows of one length follow each other; a window's rows of X and Y stay in a core's own caches.
 * Source: Kreutzer et al. 2014 (σ of SELL-C-σ).
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkOffsets, checkSizes, checkValues } from './check.js';
import type { Csr } from './csr.js';
import type { Format } from './format.js';
import { WALKS } from './layout.js';
import type { ProductSizes } from './product-sizes.js';

export interface CsrSorted {
  readonly kind: 'csr-sorted';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly order: Uint32Array; // a permutation of the rows
  readonly rowPtr: Uint32Array; // rows + 1 offsets, nondecreasing, from 0 to nnz
  readonly colIdx: Uint32Array; // nnz columns, strictly increasing within a row
  readonly values: Uint32Array | null; // nnz canonical residues, never 0; null: all entries are one
}

/** Rows that are sorted together as a rule. */
const WINDOW = 2 ** 10;

/** Checks every claim above for residues mod p. */
function check({ kind, rows, cols, order, rowPtr, colIdx, values }: CsrSorted, p: number): void {
  checkSizes(kind, rows, cols);
  const seen = new Uint8Array(rows);
  for (const i of order) if (i < rows) seen[i] = 1;
  if (order.length !== rows || seen.includes(0)) {
    throw new StructureError(`${kind}: expected each of ${rows} rows once`);
  }
  checkOffsets(kind, rowPtr, rows, colIdx.length);
  order.forEach((i, at) => {
    checkColumns(kind, colIdx.subarray(rowPtr[at], rowPtr[at + 1]), cols, i);
  });
  if (values && values.length !== colIdx.length) {
    throw new StructureError(`${kind}: expected ${colIdx.length} values, got ${values.length}`);
  }
  if (values) checkValues(kind, values, p);
}

export const CSR_SORTED: Format<CsrSorted> = {
  fromRows: (a, _p, sizes) => [toCsrSorted(a, sizes)],
  forEachEntry({ order, rowPtr, colIdx, values }, unit, visit) {
    for (let at = 0; at < order.length; at++) {
      for (let k = rowPtr[at]; k < rowPtr[at + 1]; k++) visit(order[at], colIdx[k], values ? values[k] : unit);
    }
  },
  check,
  layout: ({ order, rowPtr, colIdx, values }) => ({
    ...{ walk: WALKS.listedRuns, columns: colIdx, values },
    ...{ words: [rowPtr], order, offsets: rowPtr },
  }),
  arrays: ({ order, rowPtr, colIdx, values }) => [order, rowPtr, colIdx, values],
  gpu: {
    prelude: 'coo-s',
    arrays: ({ order, rowPtr, colIdx, values }) => ({ indices: [order, rowPtr, colIdx], values, extent: 0 }),
  },
};

export function toCsrSorted(a: Csr, { window = WINDOW }: ProductSizes = {}): CsrSorted {
  const { rows, cols, nnz, rowPtr: from, colIdx, values } = a;
  const order = new Uint32Array(rows);
  sortWindows(from, window, order);
  const rowPtr = new Uint32Array(rows + 1);
  const columns = new Uint32Array(nnz);
  dealRows(order, from, colIdx, rowPtr, columns);
  const own = values && new Uint32Array(nnz);
  if (own) dealRows(order, from, values, rowPtr, own);
  return { kind: 'csr-sorted', rows, cols, nnz, order, rowPtr, colIdx: columns, values: own };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** Window by window, rows by length, those of one length in their order. */
function sortWindows(rowPtr: Uint32Array, window: number, order: Uint32Array): void {
  const keys = new Float64Array(Math.min(window, order.length)); // length · window + row: below 2^53
  for (let first = 0; first < order.length; first += window) {
    const count = Math.min(window, order.length - first);
    for (let i = 0; i < count; i++) keys[i] = (rowPtr[first + i + 1] - rowPtr[first + i]) * window + i;
    const sorted = keys.subarray(0, count).sort();
    for (let i = 0; i < count; i++) order[first + i] = first + (sorted[i] % window);
  }
}

function dealRows(
  order: Uint32Array,
  rowPtr: Uint32Array,
  from: Uint32Array,
  outPtr: Uint32Array,
  out: Uint32Array,
): void {
  let to = 0;
  for (let i = 0; i < order.length; i++) {
    for (let k = rowPtr[order[i]], end = rowPtr[order[i] + 1]; k < end; k++) out[to++] = from[k];
    outPtr[i + 1] = to;
  }
}
