/**
 * The small matrices of block Lanczos, n × n over the field of its vectors: codes row by row, or 64 × 64 bits
 * (bit-algebra.ts).
 */
import type { Field } from '../../fields/field.js';
import { multiplyMatrices } from '../block-wiedemann/small-matrix.js';
import { type Selection, selectColumns } from './selection.js';

export interface BlockAlgebra {
  readonly n: number;
  /** X·Y; Y is n × s for any s. */
  multiply(x: Uint32Array, y: Uint32Array): Uint32Array;
  add(x: Uint32Array, y: Uint32Array): Uint32Array;
  negate(x: Uint32Array): Uint32Array;
  /** 1 − X */
  complement(x: Uint32Array): Uint32Array;
  /** X·S·Sᵀ: the columns of S as they are, 0 elsewhere. */
  select(x: Uint32Array, isSelected: readonly boolean[]): Uint32Array;
  /** S·Sᵀ */
  projection(isSelected: readonly boolean[]): Uint32Array;
  /** Of a symmetric G (selection.ts); `before`: the columns that the step before has selected. */
  selectColumns(g: Uint32Array, before?: readonly boolean[]): Selection | null;
}

export class FieldAlgebra implements BlockAlgebra {
  readonly n: number;
  private readonly F: Field<number>;

  constructor(F: Field<number>, n: number) {
    this.F = F;
    this.n = n;
  }

  multiply(x: Uint32Array, y: Uint32Array): Uint32Array {
    return multiplyMatrices(this.F, x, y, this.n, y.length / this.n);
  }

  add(x: Uint32Array, y: Uint32Array): Uint32Array {
    return x.map((value, at) => this.F.add(value, y[at]));
  }

  negate(x: Uint32Array): Uint32Array {
    return x.map((value) => this.F.neg(value));
  }

  complement(x: Uint32Array): Uint32Array {
    const { F, n } = this;
    return x.map((value, at) => F.sub(at % (n + 1) === 0 ? F.one : F.zero, value));
  }

  select(x: Uint32Array, isSelected: readonly boolean[]): Uint32Array {
    return x.map((value, at) => (isSelected[at % this.n] ? value : 0));
  }

  projection(isSelected: readonly boolean[]): Uint32Array {
    const { n } = this;
    const out = new Uint32Array(n * n);
    for (let j = 0; j < n; j++) if (isSelected[j]) out[j * n + j] = this.F.one;
    return out;
  }

  selectColumns(g: Uint32Array, before?: readonly boolean[]): Selection | null {
    return selectColumns(this.F, g, this.n, before);
  }
}
