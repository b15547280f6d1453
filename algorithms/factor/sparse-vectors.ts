/**
 * The basis of the kernel of a matrix as sparse vectors, by the cost of their entries: rows of the Schur complement of
 * the unrolled system (unrolled-system.ts). Each is multiplied by the matrix before it is given.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { SchurRows } from '../../kernels/schur/schur-rows.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { BUG } from './dense-vectors.js';
import type { SparseVectors } from './types.js';
import type { UnrolledSystem } from './unrolled-system.js';

/** Vectors that are formed for their fill, and at once in the beginning. */
const SAMPLE = 32;

/** Entries that a batch has about. */
const BATCH = 1 << 20;

export class SparseVectorRun {
  private readonly F: WordPrime;
  private readonly at: ResidueMatrix; // Aᵀ
  private readonly unknowns: number;
  private readonly schur: SchurRows;
  private readonly check: () => void;
  private readonly sums: Uint32Array; // A·v, zero between vectors

  constructor(team: Team, F: WordPrime, { unknowns, matrix }: UnrolledSystem, at: ResidueMatrix, check: () => void) {
    [this.F, this.at, this.unknowns, this.check] = [F, at, unknowns, check];
    const order = Uint32Array.from({ length: unknowns }, (_, k) => k);
    this.schur = new SchurRows(team, F, matrix, { rows: order, cols: order });
    this.sums = new Uint32Array(at.cols);
  }

  /** The share of the entries that are not zero, of a sample of `count` vectors spread evenly. */
  share(count: number): number {
    const sample = Math.min(count, SAMPLE);
    const { values, cols } = this.form(
      Uint32Array.from({ length: sample }, (_, t) => Math.floor((t * count) / sample)),
    );
    return values.length / Math.max(1, sample * cols);
  }

  /** All `count` vectors, in order. */
  async *batches(count: number): AsyncGenerator<SparseVectors> {
    for (let first = 0, together = SAMPLE; first < count; ) {
      const size = Math.min(together, count - first);
      const formed = this.form(Uint32Array.from({ length: size }, (_, t) => first + t));
      this.multiply(formed);
      yield { count: size, ptr: formed.rowPtr, index: formed.colIdx, values: formed.values };
      first += size;
      const entries = Math.max(1, formed.values.length / size);
      together = Math.max(1, Math.min(8 * together, Math.floor(BATCH / entries)));
    }
  }

  free(): void {
    this.schur.release();
  }

  private form(which: Uint32Array): ResidueMatrix {
    return this.schur.sparse(
      which.map((f) => this.unknowns + f),
      { check: this.check },
    );
  }

  /** Throws unless A maps every row to zero. */
  private multiply({ rows, rowPtr, colIdx, values }: ResidueMatrix): void {
    const { F, at, sums } = this;
    for (let i = 0; i < rows; i++) {
      if (!isZeroProduct(F, at.rowPtr, at.colIdx, at.values, colIdx, values, rowPtr[i], rowPtr[i + 1], sums)) {
        throw new Error(BUG);
      }
    }
  }
}

/** Whether Σ v_j·(row j of Aᵀ) is zero; `sums` is so before and after. A loop of its own: kernels/sparse/residue-matrix.ts. */
function isZeroProduct(
  F: WordPrime,
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  index: Uint32Array,
  v: Uint32Array,
  first: number,
  end: number,
  sums: Uint32Array,
): boolean {
  for (let e = first; e < end; e++) {
    const factor = v[e];
    for (let k = rowPtr[index[e]], last = rowPtr[index[e] + 1]; k < last; k++) {
      sums[colIdx[k]] = F.add(sums[colIdx[k]], F.mul(factor, values[k]));
    }
  }
  let isZero = true;
  for (let e = first; e < end; e++) {
    for (let k = rowPtr[index[e]], last = rowPtr[index[e] + 1]; k < last; k++) {
      if (sums[colIdx[k]] === 0) continue;
      isZero = false;
      sums[colIdx[k]] = 0;
    }
  }
  return isZero;
}
