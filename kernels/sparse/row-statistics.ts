/** How long the rows of a sparse matrix are: plans choose formats by it, and `info` prints it. */

export interface RowLengths {
  readonly rows: number;
  readonly nnz: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number; // 0 without rows
  readonly median: number;
  readonly empty: number; // rows of length 0
  /** Rows by length, classes [from, to] doubling from 1 on, those without rows left out. */
  readonly histogram: readonly { readonly from: number; readonly to: number; readonly rows: number }[];
}

export function rowLengths(rowPtr: Uint32Array): RowLengths {
  const rows = rowPtr.length - 1;
  const nnz = rowPtr[rows];
  // Class c > 0 holds lengths of c binary digits: 1, 2–3, 4–7, …; class 0 the empty rows.
  const counts = new Uint32Array(33);
  const range = Uint32Array.of(rows === 0 ? 0 : nnz, 0);
  count(rowPtr, counts, range);
  const [min, max] = range;
  return {
    rows,
    nnz,
    min,
    max,
    mean: rows === 0 ? 0 : nnz / rows,
    median: min === max ? min : median(rowPtr),
    empty: counts[0],
    histogram: Array.from(counts, (count, c) => ({
      from: c === 0 ? 0 : 2 ** (c - 1),
      to: 2 ** c - 1,
      rows: count,
    })).filter((entry) => entry.rows > 0),
  };
}

/** Rows by class, and their shortest and longest. A loop of its own: kernels/sparse/residue-matrix.ts. */
function count(rowPtr: Uint32Array, counts: Uint32Array, range: Uint32Array): void {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    const length = rowPtr[i + 1] - rowPtr[i];
    if (length < range[0]) range[0] = length;
    if (length > range[1]) range[1] = length;
    counts[32 - Math.clz32(length)]++;
  }
}

/** The length at place floor(rows / 2) in increasing order; rows ≥ 1. */
function median(rowPtr: Uint32Array): number {
  const rows = rowPtr.length - 1;
  const lengths = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) lengths[i] = rowPtr[i + 1] - rowPtr[i];
  return lengths.sort()[rows >> 1];
}

export function longestRow(rowPtr: Uint32Array): number {
  let longest = 0;
  for (let i = 0; i + 1 < rowPtr.length; i++) longest = Math.max(longest, rowPtr[i + 1] - rowPtr[i]);
  return longest;
}
