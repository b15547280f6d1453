/**
 * The places of a matrix's nonzero entries, over Q or modulo a prime without a plan, for the counts of `info`.
 *
 * Entries at one place add up; over Q their sum is taken exactly, of numerators and denominators. Rows and columns
 * without entries are left out.
 */
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { formatWide } from '../../kernels/sparse/big-entries.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import { compress } from '../../kernels/sparse/residue-matrix.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

/** Row i of those that have entries owns `rowPtr[i]` … `rowPtr[i + 1]` − 1 of them. */
export interface Places {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array;
  readonly colIdx: Uint32Array; // their columns
}

/** `p` is 0 for Q, or a prime; EntryError where it divides a denominator. */
export function nonzeroPlaces(matrix: SparseMatrix, p: bigint): Places {
  const used = withoutIdleLines(matrix);
  const { rowPtr, colIdx } = p === 0n ? overQ(used) : used.residuesBig(p);
  return dropEmptyLines({ rows: used.rows, cols: used.cols, rowPtr, colIdx, values: colIdx });
}

function overQ(matrix: SparseMatrix): { rowPtr: Uint32Array; colIdx: Uint32Array } {
  const { rows, cols, rowIdx, colIdx, values, wide } = matrix;
  const texts = new Map(wide.positions.map((position, w) => [position, formatWide(wide.entries[w]!)]));
  const order = compress(rows, cols, rowIdx, colIdx, Uint32Array.from(values.keys()));
  const rowPtr = new Uint32Array(rows + 1);
  const kept = new Uint32Array(order.colIdx.length);
  let count = 0;
  for (let i = 0; i < rows; i++) {
    const end = order.rowPtr[i + 1]!;
    for (let k = order.rowPtr[i]!; k < end; ) {
      const from = k;
      const j = order.colIdx[k]!;
      while (k < end && order.colIdx[k] === j) k++;
      const entries = order.values.subarray(from, k);
      const [only] = entries;
      const isNonzero =
        entries.length === 1
          ? values[only!] !== 0 || texts.has(only!)
          : !sumIsZero(Array.from(entries, (at) => texts.get(at) ?? `${values[at]}`));
      if (isNonzero) kept[count++] = j;
    }
    rowPtr[i + 1] = count;
  }
  return { rowPtr, colIdx: kept.slice(0, count) };
}

/** Whether integers and fractions a/b add up to 0. */
function sumIsZero(entries: readonly string[]): boolean {
  let [numerator, denominator] = [0n, 1n];
  for (const entry of entries) {
    const [a, b = '1'] = entry.split('/');
    numerator = numerator * BigInt(b) + BigInt(a!) * denominator;
    denominator *= BigInt(b);
  }
  return numerator === 0n;
}
