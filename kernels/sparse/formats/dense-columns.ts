/**
 * Dense columns apart: the columns in which half of the rows or more have an entry, without an index an entry. The
 * value of row i in the t-th of m such columns is at place i·m + t, 0 where there is no entry.
 *
 * It holds all value classes together, since zeros are values; what is in no such column stays compressed rows. Long
 * rows a plan takes apart by itself (kernels/sparse/long-rows.ts), and sliced ELLPACK in segments.
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkPlaces, checkResidues, checkSizes } from './check.js';
import { type Csr, csrUnchecked } from './csr.js';
import { type Format, requireValues, type Stored } from './format.js';
import { WALKS } from './layout.js';

export interface DenseColumns {
  readonly kind: 'dense-columns';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly colIdx: Uint32Array; // m columns, strictly increasing, at least one
  readonly values: Uint32Array; // rows·m canonical residues
}

/** The share of the rows that have an entry in a column that is dense. */
const DENSE = 1 / 2;

/** Checks every claim above for residues mod p. */
function check({ kind, rows, cols, nnz, colIdx, values }: DenseColumns, p: number): void {
  checkSizes(kind, rows, cols);
  const m = colIdx.length;
  if (m === 0 || values.length !== rows * m) {
    throw new StructureError(`${kind}: expected ${rows}·m values, m from 1 on, got ${values.length} and ${m} columns`);
  }
  colIdx.forEach((j, t) => {
    if (j >= cols || (t > 0 && j <= colIdx[t - 1])) {
      throw new StructureError(`${kind}: expected columns in order below ${cols}, got ${j} at ${t}`);
    }
  });
  checkResidues(kind, values, p);
  const entries = values.reduce((count, v) => count + Math.sign(v), 0);
  if (entries !== nnz) throw new StructureError(`${kind}: expected ${nnz} entries, got ${entries}`);
}

export const DENSE_COLUMNS: Format<DenseColumns> = {
  whole: true,
  fromRows: cutDenseColumns,
  forEachEntry({ rows, colIdx, values }, _unit, visit) {
    const m = colIdx.length;
    for (let i = 0, k = 0; i < rows; i++) {
      for (let t = 0; t < m; t++, k++) if (values[k] > 0) visit(i, colIdx[t], values[k]);
    }
  },
  check,
  layout: ({ colIdx, values }) => ({ walk: WALKS.full, columns: colIdx, values, words: [colIdx.length] }),
  arrays: ({ colIdx, values }) => [colIdx, values],
  gpu: {
    prelude: 'dense-columns',
    arrays: ({ colIdx, values }) => ({ indices: [colIdx], values, extent: colIdx.length }),
  },
};

/** The dense columns and the rest, each if there is any. */
function cutDenseColumns(a: Csr): readonly Stored[] {
  const { rows, cols, nnz, rowPtr, colIdx } = a;
  const from = requireValues('dense-columns', a);
  const counts = new Uint32Array(cols);
  for (let k = 0; k < nnz; k++) counts[colIdx[k]]++;
  // Of each column its number among the dense ones, from 1 on, or 0.
  const numbers = new Uint32Array(cols);
  let [m, entries] = [0, 0];
  for (let j = 0; j < cols; j++) {
    if (counts[j] === 0 || counts[j] < DENSE * rows) continue;
    numbers[j] = ++m;
    entries += counts[j];
  }
  if (m === 0) return [a];
  checkPlaces('dense-columns', rows * m);
  const columns = new Uint32Array(m);
  for (let j = 0; j < cols; j++) if (numbers[j] > 0) columns[numbers[j] - 1] = j;
  const values = new Uint32Array(rows * m);
  const rest = { rowPtr: new Uint32Array(rows + 1), colIdx: new Uint32Array(nnz - entries) };
  const restValues = new Uint32Array(nnz - entries);
  deal(rowPtr, colIdx, from, numbers, m, values, rest.rowPtr, rest.colIdx, restValues);
  const part: DenseColumns = { kind: 'dense-columns', rows, cols, nnz: entries, colIdx: columns, values };
  return entries === nnz ? [part] : [part, csrUnchecked({ rows, cols, ...rest, values: restValues })];
}

function deal(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  from: Uint32Array,
  numbers: Uint32Array,
  m: number,
  values: Uint32Array,
  restPtr: Uint32Array,
  restIdx: Uint32Array,
  restValues: Uint32Array,
): void {
  for (let i = 0, next = 0; i + 1 < rowPtr.length; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const number = numbers[colIdx[k]];
      if (number > 0) {
        values[i * m + number - 1] = from[k];
      } else {
        restIdx[next] = colIdx[k];
        restValues[next++] = from[k];
      }
    }
    restPtr[i + 1] = next;
  }
}
