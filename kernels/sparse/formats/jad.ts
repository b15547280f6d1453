/**
 * Jagged diagonals: rows sorted by length, the longest first, entry t of all rows that have one side by side.
 *
 *   entry t of the i-th longest row, which is row order[i], is at place diagonals[t] + i
 *
 * Neighbouring rows read neighbouring places, and nothing is padded. Source: Saad, "Krylov subspace methods on
 * supercomputers", SIAM J. Sci. Stat. Comput. 10 (1989).
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkSizes, checkValues } from './check.js';
import type { Csr } from './csr.js';
import type { Format } from './format.js';
import { WALKS } from './layout.js';

export interface Jad {
  readonly kind: 'jad';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly order: Uint32Array; // a permutation of the rows
  readonly diagonals: Uint32Array; // offsets from 0 to nnz, of lengths that never rise, each in 1 … rows
  readonly colIdx: Uint32Array; // nnz columns, strictly increasing within a row
  readonly values: Uint32Array | null; // nnz canonical residues, never 0; null: all entries are one
}

type JadParts = Omit<Jad, 'kind' | 'nnz'>;

/** Checks every claim above for residues mod p. */
export function jad(parts: JadParts, p: number): Jad {
  const { rows, cols, order, diagonals, colIdx, values } = parts;
  checkSizes('jad', rows, cols);
  const nnz = colIdx.length;
  const seen = new Uint8Array(rows);
  for (const i of order) if (i < rows) seen[i] = 1;
  if (order.length !== rows || seen.includes(0)) throw new StructureError(`jad: expected each of ${rows} rows once`);
  if (diagonals[0] !== 0 || diagonals[diagonals.length - 1] !== nnz || (values && values.length !== nnz)) {
    const [first, last] = [diagonals[0], diagonals[diagonals.length - 1]];
    throw new StructureError(
      `jad: expected offsets from 0 to ${nnz} and as many values, got offsets from ${first} to ${last}`,
    );
  }
  for (let t = 0, before = rows; t + 1 < diagonals.length; t++) {
    const length = diagonals[t + 1] - diagonals[t];
    if (length < 1 || length > before) {
      throw new StructureError(`jad: expected diagonal ${t} to have 1…${before} entries, got ${length}`);
    }
    for (let i = 0; i < length; i++) {
      const k = diagonals[t] + i;
      if (colIdx[k] >= cols) throw new StructureError(`jad: expected columns below ${cols}, got ${colIdx[k]} at ${k}`);
      if (t > 0 && colIdx[k] <= colIdx[diagonals[t - 1] + i]) {
        throw new StructureError(`jad: expected columns in order, got ${colIdx[k]} at ${k}`);
      }
    }
    before = length;
  }
  if (values) checkValues('jad', values, p);
  return jadUnchecked(parts);
}

/** The caller has just built it. */
function jadUnchecked({ rows, cols, order, diagonals, colIdx, values }: JadParts): Jad {
  return { kind: 'jad', rows, cols, nnz: colIdx.length, order, diagonals, colIdx, values };
}

export const JAD: Format<Jad> = {
  fromRows: (a) => [toJad(a)],
  forEachEntry({ order, diagonals, colIdx, values }, unit, visit) {
    for (let t = 0; t + 1 < diagonals.length; t++) {
      for (let k = diagonals[t]; k < diagonals[t + 1]; k++) {
        visit(order[k - diagonals[t]], colIdx[k], values ? values[k] : unit);
      }
    }
  },
  check: jad,
  layout(part) {
    const { order, diagonals, colIdx, values } = part;
    const offsets = rowOffsets(part);
    return { walk: WALKS.jad, columns: colIdx, values, words: [diagonals, offsets], order, offsets };
  },
  arrays: ({ order, diagonals, colIdx, values }) => [order, diagonals, colIdx, values],
  gpu: {
    prelude: 'jad',
    arrays: ({ order, diagonals, colIdx, values }) => ({
      indices: [order, diagonals, colIdx],
      values,
      extent: diagonals.length - 1,
    }),
  },
};

function toJad({ rows, cols, nnz, rowPtr, colIdx, values }: Csr): Jad {
  const order = byLength(rowPtr);
  const longest = rows === 0 ? 0 : rowPtr[order[0] + 1] - rowPtr[order[0]];
  const diagonals = new Uint32Array(longest + 1);
  for (let i = 0; i < rows; i++) for (let t = rowPtr[i + 1] - rowPtr[i]; t > 0; t--) diagonals[t]++;
  for (let t = 0; t < longest; t++) diagonals[t + 1] += diagonals[t];
  const places = (from: Uint32Array): Uint32Array => {
    const out = new Uint32Array(nnz);
    deal(order, rowPtr, diagonals, from, out);
    return out;
  };
  return jadUnchecked({ rows, cols, order, diagonals, colIdx: places(colIdx), values: values && places(values) });
}

/** Rows by decreasing length, those of one length in their order: a counting sort. */
function byLength(rowPtr: Uint32Array): Uint32Array {
  const rows = rowPtr.length - 1;
  let longest = 0;
  for (let i = 0; i < rows; i++) longest = Math.max(longest, rowPtr[i + 1] - rowPtr[i]);
  const next = new Uint32Array(longest + 2); // next[longest − length] is where the next row of that length goes
  for (let i = 0; i < rows; i++) next[longest - (rowPtr[i + 1] - rowPtr[i]) + 1]++;
  for (let l = 0; l <= longest; l++) next[l + 1] += next[l];
  const order = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) order[next[longest - (rowPtr[i + 1] - rowPtr[i])]++] = i;
  return order;
}

/** Entry t of the i-th row to place diagonals[t] + i. */
function deal(
  order: Uint32Array,
  rowPtr: Uint32Array,
  diagonals: Uint32Array,
  from: Uint32Array,
  out: Uint32Array,
): void {
  for (let i = 0; i < order.length; i++) {
    for (let k = rowPtr[order[i]], t = 0, end = rowPtr[order[i] + 1]; k < end; k++) out[diagonals[t++] + i] = from[k];
  }
}

/** Entries before the i-th row: the rows of diagonal t are the first ones, as many as it is long. */
function rowOffsets({ rows, diagonals }: Jad): Uint32Array {
  const offsets = new Uint32Array(rows + 1);
  let last = rows;
  for (let t = 0; t < diagonals.length; t++) {
    const length = t + 1 < diagonals.length ? diagonals[t + 1] - diagonals[t] : 0;
    for (; last > length; last--) offsets[last] = t; // rows length … last − 1 have t entries
  }
  for (let i = 0; i < rows; i++) offsets[i + 1] += offsets[i];
  return offsets;
}
