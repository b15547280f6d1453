/** Compressed rows into the other formats. */
import { type Coo, cooUnchecked } from './coo.js';
import { type Csr, csrUnchecked } from './csr.js';
import { type Ell, ellUnchecked } from './ell.js';
import { type EllR, ellRUnchecked } from './ell-r.js';

/** Rows of one length: the same arrays. */
export function ellWhole({ rows, cols, colIdx, values }: Csr, width: number): Ell {
  return ellUnchecked({ rows, cols, width, colIdx, values });
}

/** The first `width` entries of each row as ELL, and what rows have beyond them as CSR; every row has that many. */
export function ellRectangle(a: Csr, width: number): [Ell] | [Ell, Csr] {
  const { rows, cols, rowPtr } = a;
  if (a.nnz === rows * width) return [ellWhole(a, width)];
  const restPtr = Uint32Array.from(rowPtr, (at, i) => at - i * width);
  const split = (from: Uint32Array): [main: Uint32Array, rest: Uint32Array] => {
    const [main, rest] = [new Uint32Array(rows * width), new Uint32Array(a.nnz - rows * width)];
    cut(rowPtr, from, width, main, rest);
    return [main, rest];
  };
  const [colIdx, restIdx] = split(a.colIdx);
  const [values, restValues] = a.values ? split(a.values) : [null, null];
  return [
    ellUnchecked({ rows, cols, width, colIdx, values }),
    csrUnchecked({ rows, cols, rowPtr: restPtr, colIdx: restIdx, values: restValues }),
  ];
}

/** Element by element: a view a row would cost more than the few entries it moves. */
function cut(rowPtr: Uint32Array, from: Uint32Array, width: number, main: Uint32Array, rest: Uint32Array): void {
  for (let i = 0, m = 0, r = 0; i < rowPtr.length - 1; i++) {
    let k = rowPtr[i];
    for (const middle = k + width; k < middle; k++) main[m++] = from[k];
    for (const end = rowPtr[i + 1]; k < end; k++) rest[r++] = from[k];
  }
}

/** All of it as ELL_R; `width` is the longest row. */
export function ellRWhole(a: Csr, width: number): EllR {
  const { rows, cols, rowPtr } = a;
  const lengths = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) lengths[i] = rowPtr[i + 1] - rowPtr[i];
  const places = (from: Uint32Array): Uint32Array => {
    const out = new Uint32Array(rows * width);
    spread(rowPtr, from, width, out);
    return out;
  };
  return ellRUnchecked({ rows, cols, width, lengths, colIdx: places(a.colIdx), values: a.values && places(a.values) });
}

function spread(rowPtr: Uint32Array, from: Uint32Array, width: number, out: Uint32Array): void {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], to = i * width, end = rowPtr[i + 1]; k < end; k++) out[to++] = from[k];
  }
}

export function toCoo(a: Csr): Coo {
  const rowIdx = new Uint32Array(a.nnz);
  for (let i = 0; i < a.rows; i++) rowIdx.fill(i, a.rowPtr[i], a.rowPtr[i + 1]);
  return cooUnchecked({ rows: a.rows, cols: a.cols, rowIdx, colIdx: a.colIdx, values: a.values });
}

/** Coordinates in order of rows as compressed rows, for executors whose kernels fuse a row's parts. */
export function fromCoo(a: Coo): Csr {
  const rowPtr = new Uint32Array(a.rows + 1);
  for (let k = 0; k < a.nnz; k++) rowPtr[a.rowIdx[k] + 1]++;
  for (let i = 0; i < a.rows; i++) rowPtr[i + 1] += rowPtr[i];
  return csrUnchecked({ rows: a.rows, cols: a.cols, rowPtr, colIdx: a.colIdx, values: a.values });
}
