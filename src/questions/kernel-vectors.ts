/** Vectors of a kernel on their way to the caller: batches in order, and the matrix that they make together. */
import { type Entry, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

/** Some vectors, one after the other, as compressed rows. */
export interface KernelVectors {
  readonly from: number; // the number of the first one, 0-based
  readonly total: number; // of all that come, in this batch and others
  readonly length: number; // of each vector: columns of the matrix, or rows for a left kernel
  readonly count: number; // of this batch
  readonly rowPtr: Uint32Array; // count + 1 offsets
  readonly colIdx: Uint32Array; // increasing in each vector
  readonly values: Uint32Array | readonly bigint[]; // residues but 0; bigints beyond 2^31
}

/** Keeps batches. */
export class VectorCollector {
  readonly #batches: KernelVectors[] = [];

  readonly take = (batch: KernelVectors): void => {
    this.#batches.push(batch);
  };

  /** The vectors as rows of a matrix. */
  toMatrix(rows: number, cols: number): SparseMatrix {
    const nnz = this.#batches.reduce((sum, { colIdx }) => sum + colIdx.length, 0);
    const [rowIdx, colIdx] = [new Uint32Array(nnz), new Uint32Array(nnz)];
    const isBig = this.#batches.some(({ values }) => Array.isArray(values));
    const values: Uint32Array | Entry[] = isBig ? [] : new Uint32Array(nnz);
    let at = 0;
    for (const batch of this.#batches) {
      colIdx.set(batch.colIdx, at);
      if (values instanceof Uint32Array) values.set(batch.values as Uint32Array, at);
      else for (const value of batch.values) values.push(value);
      for (let k = 0; k < batch.count; k++)
        rowIdx.fill(batch.from + k, at + batch.rowPtr[k]!, at + batch.rowPtr[k + 1]!);
      at += batch.colIdx.length;
    }
    return SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values });
  }
}
