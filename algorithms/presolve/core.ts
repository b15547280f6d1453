/**
 * The core of a matrix with structural pivots: the part that their Schur complement depends on.
 *
 *   U : pivots at whose column rows of U alone have entries
 *   V : at whose row columns of V alone do
 *
 * No row outside U has an entry at a column of U's pivots. So A is block triangular, with a nonsingular triangle of U's
 * pivots on the diagonal, and rank A = |U| + rank of the other rows and columns; in those the same holds for V and the
 * transpose. Rows without pivot that have entries at V's columns alone, zero rows of the Schur complement, are then
 * empty. Much goes in a matrix with singletons (test/bench/RESULTS.md#peeling), and nothing in one without: the last
 * pivot of U has its column to itself. Both sets are found from there, so that entries that stay are hardly read.
 */
import type { Matching, Pattern } from './pattern.js';

export interface Core {
  readonly rows: Uint8Array; // 1: stays
  readonly cols: Uint8Array;
  readonly pivots: number; // that do not stay
  readonly entries: number; // that stay
}

/** `at` is the transpose of `a`; null when every pivot stays. */
export function coreOf(a: Pattern, at: Pattern, { colOf, rowOf }: Matching): Core | null {
  const ofColumns = entriesOutside(a, at, colOf, rowOf);
  const ofRows = entriesOutside(at, a, rowOf, colOf);
  const rows = linesOfCore(ofRows, ofColumns, colOf);
  const cols = linesOfCore(ofColumns, ofRows, rowOf);
  const pivots = countGone(rows, colOf);
  if (pivots === 0) return null;
  return { rows, cols, pivots, entries: a.colIdx.length - entriesGone(a, at, rows, cols) };
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** How many rows outside U have an entry at each column, beside that of its pivot; 0 at the columns of U's pivots. */
function entriesOutside(a: Pattern, at: Pattern, colOf: Int32Array, rowOf: Int32Array): Uint32Array {
  const left = new Uint32Array(a.cols);
  const stack = new Uint32Array(a.rows);
  let top = 0;
  for (let j = 0; j < a.cols; j++) {
    left[j] = at.rowPtr[j + 1] - at.rowPtr[j] - (rowOf[j] < 0 ? 0 : 1);
    if (left[j] === 0 && rowOf[j] >= 0) stack[top++] = rowOf[j];
  }
  takeOut(a.rowPtr, a.colIdx, colOf, rowOf, left, stack, top);
  return left;
}

/** The rows of the stack go into U, and those that follow. */
function takeOut(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  colOf: Int32Array,
  rowOf: Int32Array,
  left: Uint32Array,
  stack: Uint32Array,
  top: number,
): void {
  while (top > 0) {
    const i = stack[--top];
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const j = colIdx[k];
      if (j !== colOf[i] && --left[j] === 0 && rowOf[j] >= 0) stack[top++] = rowOf[j];
    }
  }
}

/** 1 for each line with entries outside V, and, where it is a pivot's, whose pivot is outside U, too. */
function linesOfCore(own: Uint32Array, others: Uint32Array, pivotOf: Int32Array): Uint8Array {
  const stay = new Uint8Array(own.length);
  for (let i = 0; i < stay.length; i++) {
    const j = pivotOf[i];
    if (own[i] > 0 && (j < 0 || others[j] > 0)) stay[i] = 1;
  }
  return stay;
}

function countGone(rows: Uint8Array, colOf: Int32Array): number {
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (rows[i] === 0 && colOf[i] >= 0) count++;
  return count;
}

function entriesGone(a: Pattern, at: Pattern, rows: Uint8Array, cols: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < rows.length; i++) if (rows[i] === 0) count += a.rowPtr[i + 1] - a.rowPtr[i];
  for (let j = 0; j < cols.length; j++) {
    if (cols[j] === 1) continue;
    for (let k = at.rowPtr[j], end = at.rowPtr[j + 1]; k < end; k++) count += rows[at.colIdx[k]];
  }
  return count;
}
