/**
 * Panels of columns on the host: their numbers, and row-major residues cut by them and joined again.
 *
 *   n columns in panels of `most` at most, all of one width but the last
 */

/** Widths of panels are multiples of this where they may be: whole lanes of a GPU's kernels. */
const LANE = 8;

/** n columns as panels: the first column of each, and n. */
function panelBounds(n: number, most: number): number[] {
  const count = Math.ceil(n / most);
  const even = Math.ceil(n / Math.max(1, count));
  const size = Math.min(most, LANE * Math.ceil(even / LANE));
  return [...Array.from({ length: Math.ceil(n / size) }, (_, q) => q * size), n];
}

/** Panels of n columns. */
export function countPanels(n: number, most: number): number {
  return panelBounds(n, most).length - 1;
}

/** first, first + 1, … */
export function numbers(count: number, first = 0): Uint32Array {
  return Uint32Array.from({ length: count }, (_, j) => first + j);
}

/** n columns in panels of `most` at most, by number. */
export function panelColumns(n: number, most: number): Uint32Array[] {
  const bounds = panelBounds(n, most);
  return bounds.slice(1).map((end, q) => numbers(end - bounds[q], bounds[q]));
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

/** These columns of rows of `width`. */
export function takeColumns(data: Uint32Array, width: number, columns: Uint32Array): Uint32Array {
  const own = columns.length;
  if (own === width) return data;
  const rows = data.length / width;
  const out = new Uint32Array(rows * own);
  for (let i = 0; i < rows; i++) for (let j = 0; j < own; j++) out[i * own + j] = data[i * width + columns[j]];
  return out;
}

/** These rows of `width`. */
export function takeRows(data: Uint32Array, width: number, rows: Uint32Array): Uint32Array {
  if (rows.length * width === data.length) return data;
  const out = new Uint32Array(rows.length * width);
  for (let i = 0; i < rows.length; i++) out.set(data.subarray(rows[i] * width, (rows[i] + 1) * width), i * width);
  return out;
}

/** The inverse of takeColumns. */
export function putColumns(out: Uint32Array, width: number, columns: Uint32Array, words: Uint32Array): void {
  const own = columns.length;
  const rows = words.length / own;
  for (let i = 0; i < rows; i++) for (let j = 0; j < own; j++) out[i * width + columns[j]] = words[i * own + j];
}

/** Parts of blocks, which are rows × cols, one after another. */
export function putParts(
  blocks: Uint32Array,
  cols: number,
  rows: number,
  ownRows: Uint32Array,
  columns: Uint32Array,
  words: Uint32Array,
): void {
  const own = columns.length;
  const count = words.length / (ownRows.length * own);
  for (let b = 0, at = 0; b < count; b++) {
    for (let i = 0; i < ownRows.length; i++) {
      const row = (b * rows + ownRows[i]) * cols;
      for (let j = 0; j < own; j++) blocks[row + columns[j]] = words[at++];
    }
  }
}
