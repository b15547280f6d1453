/** Entries of a sparse matrix in any order, and as compressed rows. */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';

const FIRST_ROOM = 1024;

export class GrowingMatrix {
  private rowIdx = new Uint32Array(FIRST_ROOM);
  private colIdx = new Uint32Array(FIRST_ROOM);
  private values = new Uint32Array(FIRST_ROOM);
  private count = 0;

  add(row: number, column: number, value: number): void {
    if (this.count === this.rowIdx.length) {
      this.rowIdx = double(this.rowIdx);
      this.colIdx = double(this.colIdx);
      this.values = double(this.values);
    }
    this.rowIdx[this.count] = row;
    this.colIdx[this.count] = column;
    this.values[this.count++] = value;
  }

  /** Columns of a row in the order of their coming. */
  toRows(rows: number, cols: number): ResidueMatrix {
    const { count } = this;
    const rowPtr = new Uint32Array(rows + 1);
    for (let k = 0; k < count; k++) rowPtr[this.rowIdx[k] + 1]++;
    for (let i = 0; i < rows; i++) rowPtr[i + 1] += rowPtr[i];
    const next = rowPtr.slice(0, rows);
    const [colIdx, values] = [new Uint32Array(count), new Uint32Array(count)];
    for (let k = 0; k < count; k++) {
      const to = next[this.rowIdx[k]]++;
      colIdx[to] = this.colIdx[k];
      values[to] = this.values[k];
    }
    return { rows, cols, rowPtr, colIdx, values };
  }
}

/** [A; B], of as many columns. */
export function stackRows(a: ResidueMatrix, b: ResidueMatrix): ResidueMatrix {
  const join = (x: Uint32Array, y: Uint32Array): Uint32Array<ArrayBuffer> => {
    const both = new Uint32Array(x.length + y.length);
    both.set(x);
    both.set(y, x.length);
    return both;
  };
  const entries = a.colIdx.length;
  const rowPtr = join(
    a.rowPtr,
    b.rowPtr.subarray(1).map((at) => at + entries),
  );
  return {
    ...{ rows: a.rows + b.rows, cols: a.cols, rowPtr },
    ...{ colIdx: join(a.colIdx, b.colIdx), values: join(a.values, b.values) },
  };
}

function double(words: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(2 * words.length);
  more.set(words);
  return more;
}
