/**
 * The order-basis engine to be believed: every definition of order-basis.ts carried out on arrays of codes, one field
 * operation at a time, over any field. The reference executor uses it.
 */
import type { Field } from '../../fields/field.js';
import type { BlockingOrderBasisEngine, PolyMatrix } from './order-basis.js';
import { sigmaBasisReference } from './reference.js';

class NaiveMatrix implements PolyMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly length: number;
  readonly data: Uint32Array;

  constructor(rows: number, cols: number, length: number, data?: Uint32Array) {
    this.rows = rows;
    this.cols = cols;
    this.length = length;
    this.data = data ?? new Uint32Array(rows * cols * length);
  }
}

export class NaiveEngine implements BlockingOrderBasisEngine {
  readonly leaf = 64; // orders that it takes one after another all the same
  private readonly field: Field<number>;

  constructor(field: Field<number>) {
    this.field = field;
  }

  create(rows: number, cols: number, length: number): NaiveMatrix {
    return new NaiveMatrix(rows, cols, length);
  }

  write(a: PolyMatrix, blocks: Uint32Array, first = 0): void {
    own(a).data.set(blocks, first * a.rows * a.cols);
  }

  read(a: PolyMatrix, first = 0, count = a.length - first): Uint32Array {
    return own(a).data.slice(first * a.rows * a.cols, (first + count) * a.rows * a.cols);
  }

  release(): void {}

  beginning(a: PolyMatrix, count: number): NaiveMatrix {
    const { rows, cols } = a;
    return new NaiveMatrix(rows, cols, count, own(a).data.subarray(0, count * rows * cols));
  }

  sigmaBasis(g: PolyMatrix, degrees: Int32Array, rhsRows: number): NaiveMatrix {
    const size = g.rows * g.cols;
    const series = Array.from({ length: g.length }, (_, t) =>
      Array.from(own(g).data.subarray(t * size, (t + 1) * size)),
    );
    const basis = sigmaBasisReference(this.field, series, g.rows, g.cols, degrees, rhsRows);
    const out = this.create(g.rows, g.rows - rhsRows, basis.length);
    this.write(out, Uint32Array.from(basis.flat()));
    return out;
  }

  residual(p: PolyMatrix, g: PolyMatrix, from: number, count: number): NaiveMatrix {
    const F = this.field;
    const { rows: R, cols: pivotable } = p;
    const n = g.cols;
    const out = this.create(R, n, count);
    for (let t = 0; t < count; t++) {
      for (let i = 0; i < R; i++) {
        for (let j = 0; j < n; j++) {
          let sum = i < pivotable ? 0 : own(g).data[((from + t) * R + i) * n + j];
          // g ends at its length: further coefficients are 0.
          for (let d = Math.max(0, from + t - g.length + 1); d < p.length && d <= from + t; d++) {
            for (let l = 0; l < pivotable; l++) {
              const product = F.mul(
                own(p).data[(d * R + i) * pivotable + l],
                own(g).data[((from + t - d) * R + l) * n + j],
              );
              sum = F.add(sum, product);
            }
          }
          out.data[(t * R + i) * n + j] = sum;
        }
      }
    }
    return out;
  }

  mul(a: PolyMatrix, b: PolyMatrix): NaiveMatrix {
    const F = this.field;
    const out = this.create(a.rows, b.cols, a.length + b.length - 1);
    for (let s = 0; s < a.length; s++) {
      for (let t = 0; t < b.length; t++) {
        for (let i = 0; i < a.rows; i++) {
          for (let l = 0; l < a.cols; l++) {
            const factor = own(a).data[(s * a.rows + i) * a.cols + l];
            if (factor === 0) continue;
            for (let j = 0; j < b.cols; j++) {
              const at = ((s + t) * a.rows + i) * b.cols + j;
              out.data[at] = F.add(out.data[at], F.mul(factor, own(b).data[(t * b.rows + l) * b.cols + j]));
            }
          }
        }
      }
    }
    return out;
  }

  compose(p2: PolyMatrix, p1: PolyMatrix): NaiveMatrix {
    const F = this.field;
    const { rows: R, cols: pivotable } = p1;
    const out = this.mul(p2, p1); // of its first rows, those that may be pivots
    for (let b = 0; b < p1.length; b++) {
      for (let at = (b * R + pivotable) * pivotable; at < (b + 1) * R * pivotable; at++) {
        out.data[at] = F.add(out.data[at], own(p1).data[at]);
      }
    }
    return out;
  }
}

function own(a: PolyMatrix): NaiveMatrix {
  if (!(a instanceof NaiveMatrix)) throw new TypeError('naive engine: a polynomial matrix of another engine');
  return a;
}
