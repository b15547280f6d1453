/**
 * Exact operations on coordinate entries: the canonical form, transpose, stack, submatrix, product, comparison.
 *
 * Canonical: ordered by rows, columns strictly increasing within one, repeats added up, no zeros. Time is O(nnz) and a
 * sort of line numbers where a size exceeds nnz; nothing has the length of a size that large.
 */

import { describe } from '../errors/describe.js';
import { StructureError } from '../errors/structure-error.js';
import {
  addEntries,
  asFraction,
  type Entry,
  EntryError,
  formatWide,
  WideEntries,
  type WideValue,
} from './big-entries.js';
import { allocateInt32, allocateUint32, type Coordinates, valuesOf } from './coordinates.js';
import { distinct, renumber } from './line-numbers.js';
import { checkLines, compress } from './residue-matrix.js';

/** Entries with their positions, collected into arrays whose length is not known before. */
class Collected {
  readonly #rowIdx: Uint32Array;
  readonly #colIdx: Uint32Array;
  readonly #values: Int32Array;
  readonly #wide = new WideEntries();
  #length = 0;

  constructor(most: number) {
    [this.#rowIdx, this.#colIdx, this.#values] = [new Uint32Array(most), new Uint32Array(most), new Int32Array(most)];
  }

  push(i: number, j: number, value: number | WideValue): void {
    const at = this.#length++;
    this.#rowIdx[at] = i;
    this.#colIdx[at] = j;
    if (typeof value === 'number') this.#values[at] = value;
    else this.#wide.push(at, value);
  }

  toCoordinates(rows: number, cols: number): Coordinates {
    const nnz = this.#length;
    const [rowIdx, colIdx, values] = [allocateUint32(nnz), allocateUint32(nnz), allocateInt32(nnz)];
    rowIdx.set(this.#rowIdx.subarray(0, nnz));
    colIdx.set(this.#colIdx.subarray(0, nnz));
    values.set(this.#values.subarray(0, nnz));
    return { rows, cols, rowIdx, colIdx, values, wide: this.#wide };
  }
}

/** The same matrix in canonical form; EntryError never: sums of integers and fractions are exact. */
export function canonical(a: Coordinates): Coordinates {
  const nnz = a.values.length;
  if (isCanonical(a)) return a;
  const order = byRows(a);
  const wideAt = new Map(a.wide.positions.map((position, w) => [position, a.wide.entries[w]]));
  const valueAt = (k: number): number | WideValue => wideAt.get(k) ?? a.values[k];
  const out = new Collected(nnz);
  for (let t = 0; t < nnz; ) {
    const [i, j] = [a.rowIdx[order[t]], a.colIdx[order[t]]];
    let sum: number | WideValue = 0;
    for (; t < nnz && a.rowIdx[order[t]] === i && a.colIdx[order[t]] === j; t++)
      sum = addEntries(sum, valueAt(order[t]));
    if (sum !== 0) out.push(i, j, sum);
  }
  return out.toCoordinates(a.rows, a.cols);
}

function isCanonical({ rowIdx, colIdx, values, wide }: Coordinates): boolean {
  let zeros = 0;
  for (let k = 0; k < values.length; k++) {
    if (values[k] === 0) zeros++;
    if (k === 0 || rowIdx[k] > rowIdx[k - 1]) continue;
    if (rowIdx[k] < rowIdx[k - 1] || colIdx[k] <= colIdx[k - 1]) return false;
  }
  return zeros === wide.size;
}

/** The numbers of the entries in the order of their rows and, within one, columns. */
function byRows({ rows, cols, rowIdx, colIdx, values }: Coordinates): Uint32Array {
  const nnz = values.length;
  const lines = (size: number, idx: Uint32Array): [number, Uint32Array] => {
    if (size <= nnz) return [size, idx];
    const used = distinct(idx);
    return [used.length, renumber(idx, used)];
  };
  const [usedRows, row] = lines(rows, rowIdx);
  const [usedCols, col] = lines(cols, colIdx);
  return compress(
    usedRows,
    usedCols,
    row,
    col,
    Uint32Array.from({ length: nnz }, (_, k) => k),
  ).values;
}

/** Where the matrix, in canonical form, has its entry (i, j); −1 for none. */
export function findEntry({ rowIdx, colIdx }: Coordinates, i: number, j: number): number {
  let [low, high] = [0, rowIdx.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const order = rowIdx[middle] - i || colIdx[middle] - j;
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The matrices below one another, or beside one another; `along` names the side that they share. */
export function stack(who: string, parts: readonly Coordinates[], along: 'rows' | 'cols'): Coordinates {
  const across = along === 'rows' ? 'cols' : 'rows';
  let [size, nnz] = [0, 0];
  for (const part of parts) {
    if (part[across] !== parts[0][across])
      throw new StructureError(`${who}: expected ${parts[0][across]} ${across} in each, got ${part[across]}`);
    size += part[along];
    nnz += part.values.length;
  }
  const out = new Collected(nnz);
  let first = 0;
  for (const part of parts) {
    const [down, right] = along === 'rows' ? [first, 0] : [0, first];
    let k = 0;
    for (const value of valuesOf(part)) {
      out.push(part.rowIdx[k] + down, part.colIdx[k++] + right, value);
    }
    first += part[along];
  }
  const other = parts[0]?.[across] ?? 0;
  return along === 'rows' ? out.toCoordinates(size, other) : out.toCoordinates(other, size);
}

/** The rows and columns with these numbers, in this order; null takes all of them. */
export function select(
  who: string,
  a: Coordinates,
  rows: ArrayLike<number> | null,
  cols: ArrayLike<number> | null,
): Coordinates {
  const [rowPlace, colPlace] = [places(who, rows, a.rows, 'rows'), places(who, cols, a.cols, 'columns')];
  const out = new Collected(a.values.length);
  let k = 0;
  for (const value of valuesOf(a)) {
    const i = rowPlace === null ? a.rowIdx[k] : rowPlace.get(a.rowIdx[k]);
    const j = colPlace === null ? a.colIdx[k] : colPlace.get(a.colIdx[k]);
    k++;
    if (i !== undefined && j !== undefined) out.push(i, j, value);
  }
  return out.toCoordinates(rowPlace?.size ?? a.rows, colPlace?.size ?? a.cols);
}

function places(who: string, lines: ArrayLike<number> | null, size: number, what: string): Map<number, number> | null {
  if (lines === null) return null;
  if (typeof lines !== 'object' || !Number.isInteger(lines.length))
    throw new StructureError(`${who}: expected ${what} as an array of numbers or null, got ${describe(lines)}`);
  const place = new Map<number, number>();
  for (let t = 0; t < lines.length; t++) {
    const line = lines[t];
    if (!Number.isInteger(line) || line < 0 || line >= size || place.has(line))
      throw new StructureError(`${who}: expected distinct ${what} in 0…${size - 1}, got ${describe(line)}`);
    place.set(line, t);
  }
  return place;
}

/** A·X over the integers, X : cols × width and A·X : rows × width, row-major. EntryError where A has a fraction. */
export function exactProduct(who: string, a: Coordinates, x: readonly bigint[], width: number): bigint[] {
  const y = new Array<bigint>(a.rows * width).fill(0n);
  let k = 0;
  for (const value of valuesOf(a)) {
    const { numerator, denominator } = asFraction(value);
    const [i, j] = [a.rowIdx[k], a.colIdx[k++]];
    if (denominator !== 1n) {
      throw new EntryError(
        `${who}: expected integers, got ${formatWide({ numerator, denominator })} at (${i}, ${j}); a product mod p takes fractions`,
      );
    }
    for (let c = 0; c < width; c++) y[i * width + c] += numerator * x[j * width + c];
  }
  return y;
}

/** Whether two matrices in canonical form are one. */
export function areEqual(a: Coordinates, b: Coordinates): boolean {
  const same = (x: Uint32Array | Int32Array, y: Uint32Array | Int32Array): boolean =>
    x.length === y.length && x.every((value, k) => value === y[k]);
  return (
    a.rows === b.rows &&
    a.cols === b.cols &&
    same(a.rowIdx, b.rowIdx) &&
    same(a.colIdx, b.colIdx) &&
    same(a.values, b.values) &&
    a.wide.size === b.wide.size &&
    a.wide.entries.every((value, w) => formatWide(value) === formatWide(b.wide.entries[w]))
  );
}

/** The matrix of `change` of every entry of `a`, which is in canonical form, without zeros. */
export function mapEntries(
  a: Coordinates,
  change: (value: number | WideValue, i: number, j: number) => number | WideValue,
): Coordinates {
  const out = new Collected(a.values.length);
  let k = 0;
  for (const value of valuesOf(a)) {
    const [i, j] = [a.rowIdx[k], a.colIdx[k++]];
    const made = change(value, i, j);
    if (made !== 0) out.push(i, j, made);
  }
  return out.toCoordinates(a.rows, a.cols);
}

/** Offsets at which the lines of ascending numbers begin; MemoryError where nearly all of `size` lines are empty. */
export function offsetsOf(lines: Uint32Array, size: number): Uint32Array {
  checkLines(size, lines.length);
  const offsets = new Uint32Array(size + 1);
  for (const line of lines) offsets[line + 1]++;
  for (let i = 0; i < size; i++) offsets[i + 1] += offsets[i];
  return offsets;
}

/** Values as a caller reads them: 32-bit numbers where all of them are, else numbers, bigints and fractions. */
export function plainValues(a: Coordinates, entryOf: (value: number | WideValue) => Entry): Int32Array | Entry[] {
  return a.wide.size === 0 ? Int32Array.from(a.values) : Array.from(valuesOf(a), entryOf);
}
