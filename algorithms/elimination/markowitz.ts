/**
 * Sparse elimination by cheap pivots while the matrix stays sparse.
 *
 *   A → the pivots taken and the Schur complement that they leave, explicit
 *
 * The next pivot is the one of less fill, (row − 1)·(column − 1) entries at most, of two: in a column of the fewest
 * entries with its shortest row, and in a shortest row with its shortest column.
 *
 * Rows are lists that grow; columns list the rows that had an entry there once, checked when the column's turn comes.
 * The numbers of entries are exact, and lines are kept in buckets by them.
 * Sources: Markowitz 1957; Dumas and Villard 2002 (rank mod p by it); Duff, Erisman and Reid 1986 (the two candidates).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { type ResidueMatrix, transpose } from '../../kernels/sparse/residue-matrix.js';
import { Buckets } from './buckets.js';
import type { EliminationRecord } from './elimination-record.js';
import { GrowingLists } from './growing-lists.js';

export class Markowitz {
  // Of what is left:
  rows = 0; // not empty
  cols = 0;
  nnz: number;
  operations = 0; // entries visited
  /** The places of the pivots in order, and their product. */
  readonly pivotRows: number[] = [];
  readonly pivotCols: number[] = [];
  product = 1;
  private readonly F: WordPrime;
  private readonly lines: GrowingLists; // of row i: columns and residues, in any order
  private readonly byRow: Buckets;
  private readonly lists: GrowingLists; // of column j: rows, some twice or without an entry
  private readonly byCol: Buckets;
  private readonly met: Uint32Array; // of a row: when a search through a column saw it last
  private time = 0;
  // The pivot's row without the pivot; of a column 1 + its place there, or 0.
  private columns = new Uint32Array(64);
  private values = new Uint32Array(64);
  private readonly place: Int32Array;
  private readonly record: EliminationRecord | undefined;

  /** `at` is the transpose of `a`. */
  constructor(F: WordPrime, a: ResidueMatrix, at: ResidueMatrix, record?: EliminationRecord) {
    this.F = F;
    this.record = record;
    this.nnz = a.colIdx.length;
    this.lines = new GrowingLists(a.rowPtr, a.colIdx, a.values);
    this.lists = new GrowingLists(at.rowPtr, at.colIdx);
    this.byRow = new Buckets(this.lines.length.slice(), a.cols);
    this.byCol = new Buckets(this.lists.length.slice(), a.rows);
    this.met = new Uint32Array(a.rows);
    this.place = new Int32Array(a.cols);
    for (let i = 0; i < a.rows; i++) if (this.byRow.count[i] > 0) this.rows++;
    for (let j = 0; j < a.cols; j++) if (this.byCol.count[j] > 0) this.cols++;
  }

  get pivots(): number {
    return this.pivotRows.length;
  }

  /** Bytes of the lists; a pool that is full is copied to one of the same size or twice that. */
  get bytes(): number {
    return this.lines.bytes + this.lists.bytes + (this.record?.bytes ?? 0);
  }

  /** Takes one pivot; there must be an entry. */
  step(): void {
    const { byRow, byCol } = this;
    let col = byCol.least();
    let row = this.shortestRow(col);
    const fill = (byRow.count[row] - 1) * (byCol.count[col] - 1);
    const shortest = byRow.least();
    if (fill > 0 && shortest !== row) {
      const other = this.shortestColumn(shortest);
      if ((byRow.count[shortest] - 1) * (byCol.count[other] - 1) < fill) {
        [row, col] = [shortest, other];
        this.shortestRow(col); // makes the column's list exact
      }
    }
    this.eliminate(row, col);
  }

  /** The rest of the matrix, with its empty rows and columns. */
  rest(): ResidueMatrix {
    const { start, length, index, value } = this.lines;
    const rowPtr = new Uint32Array(length.length + 1);
    const colIdx = new Uint32Array(this.nnz);
    const values = new Uint32Array(this.nnz);
    for (let i = 0; i < length.length; i++) {
      colIdx.set(index.subarray(start[i], start[i] + length[i]), rowPtr[i]);
      values.set(value.subarray(start[i], start[i] + length[i]), rowPtr[i]);
      rowPtr[i + 1] = rowPtr[i] + length[i];
    }
    const unordered = { rows: length.length, cols: this.place.length, rowPtr, colIdx, values };
    return transpose(transpose(unordered)) as ResidueMatrix;
  }

  /** The shortest row with an entry in column j, whose list becomes exact. */
  private shortestRow(j: number): number {
    const { byRow, met, lines, lists } = this;
    const time = ++this.time;
    let shortest = -1;
    let kept = lists.start[j];
    for (let t = lists.start[j], last = t + lists.length[j]; t < last; t++) {
      const i = lists.index[t];
      if (met[i] === time) continue;
      met[i] = time;
      const first = lines.start[i];
      const end = first + lines.length[i];
      let k = first;
      while (k < end && lines.index[k] !== j) k++;
      this.operations += k - first + 1;
      if (k === end) continue;
      lists.index[kept++] = i;
      if (shortest < 0 || byRow.count[i] < byRow.count[shortest]) shortest = i;
    }
    lists.length[j] = kept - lists.start[j];
    return shortest;
  }

  private shortestColumn(i: number): number {
    const { start, length, index } = this.lines;
    const { count } = this.byCol;
    let shortest = index[start[i]];
    for (let k = start[i] + 1, end = start[i] + length[i]; k < end; k++) {
      if (count[index[k]] < count[shortest]) shortest = index[k];
    }
    return shortest;
  }

  /**
   * Every other row of the column's list loses the multiple of the pivot's row that ends its entry there; both lines
   * are gone then.
   */
  private eliminate(row: number, col: number): void {
    const { F, byRow, byCol, place, lines, lists, record } = this;
    const { index, value } = lines;
    const length = lines.length[row];
    if (length > this.columns.length) {
      this.columns = new Uint32Array(2 * length);
      this.values = new Uint32Array(2 * length);
    }
    const { columns, values } = this;
    let others = 0;
    let pivot = 0;
    for (let k = lines.start[row], end = k + length; k < end; k++) {
      record?.upper.add(index[k], value[k]);
      if (index[k] === col) pivot = value[k];
      else {
        columns[others] = index[k];
        values[others++] = value[k];
        place[index[k]] = others;
      }
    }
    this.pivotRows.push(row);
    this.pivotCols.push(col);
    this.product = F.mul(this.product, pivot);
    const factor = F.neg(F.inv(pivot));
    for (let t = 0; t < lists.length[col]; t++) {
      const i = lists.index[lists.start[col] + t]; // `add` may move the list
      if (i !== row) this.add(i, col, others, factor);
    }
    record?.lower.add(row, 1);
    record?.endStep();
    this.nnz -= length;
    this.rows--;
    this.cols--;
    lines.length[row] = 0;
    lists.length[col] = 0;
    byRow.change(row, 0);
    byCol.change(col, 0);
    for (let t = 0; t < others; t++) {
      const c = columns[t];
      place[c] = 0;
      const left = byCol.count[c] - 1;
      if (left === 0) this.cols--;
      byCol.change(c, left);
    }
  }

  /**
   * Row i ← row i + (its entry at `col`)·factor·(the `others` entries of the pivot's row), without the entry at `col`.
   */
  private add(i: number, col: number, others: number, factor: number): void {
    const { F, byCol, byRow, place, columns, values, lines, lists } = this;
    let { index, value } = lines;
    const length = lines.length[i];
    const first = lines.start[i];
    let end = first + length;
    let at = first;
    while (index[at] !== col) at++;
    const multiple = F.mul(value[at], factor);
    this.record?.lower.add(i, F.neg(multiple));
    index[at] = index[--end];
    value[at] = value[end];
    let common = 0;
    for (let k = first; k < end; ) {
      const c = index[k];
      const t = place[c];
      if (t === 0) {
        k++;
        continue;
      }
      // The sign says that the row has the column, until all is added.
      place[c] = -t;
      common++;
      const sum = F.add(value[k], F.mul(multiple, values[t - 1]));
      if (sum !== 0) value[k++] = sum;
      else {
        byCol.count[c]--;
        index[k] = index[--end];
        value[k] = value[end];
      }
    }
    const size = end - first + others - common;
    lines.length[i] = end - first;
    lines.grow(i, size);
    ({ index, value } = lines);
    let to = lines.start[i] + lines.length[i];
    lines.length[i] = size;
    for (let t = 0; t < others; t++) {
      const c = columns[t];
      if (place[c] < 0) {
        place[c] = t + 1;
        continue;
      }
      index[to] = c;
      value[to++] = F.mul(multiple, values[t]);
      byCol.count[c]++;
      const listed = lists.length[c];
      lists.grow(c, listed + 1);
      lists.index[lists.start[c] + listed] = i;
      lists.length[c] = listed + 1;
    }
    this.operations += length + others;
    this.nnz += size - length;
    byRow.change(i, size);
    if (size === 0) this.rows--;
  }
}
