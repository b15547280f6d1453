/**
 * The core of a matrix with structural pivots: the part that their Schur complement depends on.
 *
 *   i → j, rows   : row i has an entry at the column of row j's pivot       j ← i, columns : likewise in Aᵀ
 *   U : pivots whose row is not reached from a row without pivot
 *   V : whose column is not reached from a column without one
 *
 * A column of U's pivots has entries in rows of U alone: a row with one that is outside U would have its pivot reached.
 * So A is block triangular, with a nonsingular triangle of U's pivots on the diagonal, and rank A = |U| + rank of the
 * other rows and columns; in those the same holds for V and the transpose. Rows without pivot that have entries at V's
 * columns alone, zero rows of the Schur complement, are then empty. Much goes in a matrix with singletons
 * (test/bench/RESULTS.md#peeling), and nothing in one without: the last pivot of U has its column to itself.
 */
import type { Matching, Pattern } from './pattern.js';

export interface Core {
  readonly rows: Uint8Array; // 1: stays
  readonly cols: Uint8Array;
  readonly pivots: number; // that do not stay
  readonly entries: number; // that stay
}

/** `at` is the transpose of `a`; null when every pivot stays. */
export function coreOf(a: Pattern, at: Pattern, { colOf, rowOf, size }: Matching): Core | null {
  if (!hasSingletonPivot(a, colOf) && !hasSingletonPivot(at, rowOf)) return null;
  const forward = reach(a, colOf, rowOf);
  const backward = reach(at, rowOf, colOf);
  const rows = new Uint8Array(a.rows);
  const cols = new Uint8Array(a.cols);
  let stay = 0;
  for (let i = 0; i < a.rows; i++) {
    const j = colOf[i];
    if (j < 0) rows[i] = backward.seen[i];
    else if (forward.lines[i] === 1 && backward.lines[j] === 1) {
      rows[i] = cols[j] = 1;
      stay++;
    }
  }
  for (let j = 0; j < a.cols; j++) if (rowOf[j] < 0) cols[j] = forward.seen[j];
  let entries = 0;
  for (let i = 0; i < a.rows; i++) {
    if (rows[i] === 0) continue;
    for (let k = a.rowPtr[i], end = a.rowPtr[i + 1]; k < end; k++) entries += cols[a.colIdx[k]];
  }
  return { rows, cols, pivots: size - stay, entries };
}

/** Whether a pivot is all of its row. */
function hasSingletonPivot({ rows, rowPtr }: Pattern, colOf: Int32Array): boolean {
  for (let i = 0; i < rows; i++) if (colOf[i] >= 0 && rowPtr[i + 1] - rowPtr[i] === 1) return true;
  return false;
}

/**
 * The rows without pivot, those of the pivots that they lead to, and the columns at which any of these has an entry.
 */
function reach({ rows, cols, rowPtr, colIdx }: Pattern, colOf: Int32Array, rowOf: Int32Array) {
  const lines = new Uint8Array(rows);
  const seen = new Uint8Array(cols);
  const stack = new Uint32Array(rows);
  let top = 0;
  for (let i = 0; i < rows; i++) {
    if (colOf[i] >= 0) continue;
    lines[i] = 1;
    stack[top++] = i;
  }
  while (top > 0) {
    const i = stack[--top];
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const j = colIdx[k];
      if (seen[j] === 1) continue;
      seen[j] = 1;
      const next = rowOf[j];
      if (next < 0 || lines[next] === 1) continue;
      lines[next] = 1;
      stack[top++] = next;
    }
  }
  return { lines, seen };
}
