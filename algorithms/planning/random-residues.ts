/**
 * A random matrix over F_p of given sizes, to be timed: uniform columns, as many in each row, residues from 1 on. One
 * of them is dealt out, so that no column is empty where there are as many rows.
 */
import { CounterRandom } from '../../fields/random.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

/** Primes, one of which is prime to the columns unless they are a multiple of both. */
const STRIDES = [7919, 7907];

/** Entries that fall on one place are one, so that there may be a few less. */
export function randomResidues(rows: number, cols: number, nnz: number, p: number): ResidueMatrix {
  const each = Math.max(1, Math.round(nnz / rows));
  const drawn = new CounterRandom(0n, 0).fillResidues(new Uint32Array(rows * each), cols);
  const values = new CounterRandom(0n, 1).fillResidues(new Uint32Array(rows * each), p - 1);
  const stride = STRIDES.find((step) => cols % step !== 0) ?? 1;
  for (let i = 0; i < rows; i++) drawn[i * each] = (i * stride) % cols;
  const rowPtr = new Uint32Array(rows + 1);
  const kept = keepDistinct(rows, each, drawn, values, rowPtr);
  return { rows, cols, rowPtr, colIdx: drawn.slice(0, kept), values: values.slice(0, kept) };
}

/** Columns of each row in order, without those that are there twice, moved to the front; values from 1 on. */
function keepDistinct(
  rows: number,
  each: number,
  columns: Uint32Array,
  values: Uint32Array,
  rowPtr: Uint32Array,
): number {
  let kept = 0;
  for (let i = 0; i < rows; i++) {
    const row = columns.subarray(i * each, (i + 1) * each).sort();
    let before = -1;
    for (let k = 0; k < each; k++) {
      const column = row[k];
      if (column === before) continue;
      before = column;
      columns[kept] = column;
      values[kept] = 1 + values[i * each + k];
      kept++;
    }
    rowPtr[i + 1] = kept;
  }
  return kept;
}
