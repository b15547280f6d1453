/**
 * The places of a matrix's entries. A search for structural pivots needs no more, since every entry is a unit mod p.
 */

/** A pattern and its transpose; the same places by rows and by columns. */
export interface Pattern {
  readonly rows: number;
  readonly cols: number;
  readonly rowPtr: Uint32Array; // rows + 1 offsets, nondecreasing, from 0 to nnz
  readonly colIdx: Uint32Array; // nnz columns, increasing within a row
}

/**
 * Structural pivots: places (rows[k], cols[k]), no row or column twice, on which A is lower triangular with a nonzero
 * diagonal whatever its values are:
 *
 *   A[rows[k], cols[k]] ≠ 0      A[rows[k], cols[l]] = 0 for l > k
 *
 * They are in order of depth, the number of pivots in the longest chain that has to be known first, so that each depth
 * is one run of the order.
 */
export interface Pivots {
  readonly rows: Uint32Array;
  readonly cols: Uint32Array;
  /** Where each depth begins, and the number of pivots last. */
  readonly depths: Uint32Array;
}

/** The same pivots as those of Aᵀ: their order is the other way round, and a run of one depth is one still. */
export function reversePivots({ rows, cols }: Pick<Pivots, 'rows' | 'cols'>): Pick<Pivots, 'rows' | 'cols'> {
  return { rows: cols.slice().reverse(), cols: rows.slice().reverse() };
}

/** A set of pivots without an order: the column of a row's pivot and the row of a column's, or −1. */
export interface Matching {
  readonly colOf: Int32Array;
  readonly rowOf: Int32Array;
  size: number;
}

/** The same pivots seen from Aᵀ. */
export function swapSides({ colOf, rowOf, size }: Matching): Matching {
  return { colOf: rowOf, rowOf: colOf, size };
}

/** The matching of `a` in order of depth. Throws RangeError if it has a cycle, that is, if it is not triangular. */
export function orderByDepth(a: Pattern, { colOf, rowOf, size }: Matching): Pivots {
  const { rows, rowPtr, colIdx } = a;
  const depth = new Int32Array(rows).fill(UNSEEN);
  const deepest = findDepths(rowPtr, colIdx, colOf, rowOf, new Uint32Array(size + 1), depth);
  const depths = new Uint32Array(deepest + 2);
  for (let i = 0; i < rows; i++) if (colOf[i] >= 0) depths[depth[i] + 1]++;
  for (let d = 0; d <= deepest; d++) depths[d + 1] += depths[d];
  const at = depths.slice();
  const pivots = { rows: new Uint32Array(size), cols: new Uint32Array(size), depths };
  for (let i = 0; i < rows; i++) {
    if (colOf[i] < 0) continue;
    const k = at[depth[i]]++;
    pivots.rows[k] = i;
    pivots.cols[k] = colOf[i];
  }
  return pivots;
}

const UNSEEN = -2;
const OPEN = -1; // on the stack

/**
 * The greatest depth, −1 without pivots; `stack` has room for all of them. A loop of its own:
 * kernels/sparse/residue-matrix.ts.
 */
function findDepths(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  colOf: Int32Array,
  rowOf: Int32Array,
  stack: Uint32Array,
  depth: Int32Array,
): number {
  // Depth first search with its own stack: chains are as long as the matrix.
  const next = new Uint32Array(colOf.length); // the entry to look at when a row comes to the top of the stack again
  let deepest = -1;
  for (let start = 0; start < colOf.length; start++) {
    if (colOf[start] < 0 || depth[start] !== UNSEEN) continue;
    let top = 0;
    stack[0] = start;
    depth[start] = OPEN;
    next[start] = rowPtr[start];
    while (top >= 0) {
      const i = stack[top];
      const end = rowPtr[i + 1];
      let k = next[i];
      while (k < end) {
        const before = rowOf[colIdx[k]];
        if (before < 0 || before === i || depth[before] >= 0) k++;
        else if (depth[before] === UNSEEN) {
          depth[before] = OPEN;
          next[before] = rowPtr[before];
          stack[++top] = before;
          break;
        } else throw new RangeError(`pivots: expected no cycle, got one through rows ${before} and ${i}`);
      }
      next[i] = k;
      if (k < end) continue;
      top--;
      let deep = 0;
      for (k = rowPtr[i]; k < end; k++) {
        const before = rowOf[colIdx[k]];
        if (before >= 0 && before !== i && depth[before] >= deep) deep = depth[before] + 1;
      }
      depth[i] = deep;
      if (deep > deepest) deepest = deep;
    }
  }
  return deepest;
}
