/**
 * The order-basis engine to be believed: every definition of order-basis-engine.ts carried out on arrays of codes, one
 * field operation at a time. Serves the reference executor, and every fast engine is compared with it.
 *
 * Order basis: at each order the rows are taken by (degree, index); a row's residual is cleared by the pivots found so
 * far, and becomes a pivot at its first nonzero column if it is not zero then; pivots are multiplied by z in the end.
 * Source: Beckermann and Labahn 1994; Giorgi, Jeannerod and Villard 2003, M-basis.
 */
import type { Field } from '../../fields/field.js';
import type { OrderBasisEngine, PolyMatrix } from './order-basis-engine.js';

class NaiveMatrix implements PolyMatrix {
  readonly rows: number;
  readonly cols: number;
  readonly length: number;
  readonly data: Uint32Array;

  constructor(rows: number, cols: number, length: number) {
    this.rows = rows;
    this.cols = cols;
    this.length = length;
    this.data = new Uint32Array(rows * cols * length);
  }
}

export class NaiveEngine implements OrderBasisEngine {
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

  slice(a: PolyMatrix, first: number, count: number): NaiveMatrix {
    const out = this.create(a.rows, a.cols, count);
    this.write(out, this.read(a, first, count));
    return out;
  }

  release(): void {}

  sigmaBasis(g: PolyMatrix, degrees: Int32Array, passengers: number): NaiveMatrix {
    const F = this.field;
    const { rows: R, cols: n, length } = g;
    const pivotable = R - passengers;
    const rest = rowsOf(own(g)); // row i: coefficients of z^0 …, n each; becomes P·g
    const basis = Array.from({ length: R }, (_, i) => unitRow(i, pivotable));
    for (let order = 0; order < length; order++) {
      const ranked = Array.from({ length: pivotable }, (_, i) => i).sort((a, b) => degrees[a] - degrees[b] || a - b);
      for (let i = pivotable; i < R; i++) ranked.push(i);
      const pivots: { row: number; col: number; inverse: number }[] = [];
      for (const i of ranked) {
        for (const { row, col, inverse } of pivots) {
          const value = rest[i][order * n + col];
          if (value === 0) continue;
          const factor = F.neg(F.mul(value, inverse));
          addMultiple(F, rest[i], rest[row], factor);
          addMultiple(F, basis[i], basis[row], factor);
        }
        const at = rest[i].slice(order * n, (order + 1) * n).findIndex((x) => x !== 0);
        if (at >= 0 && i < pivotable) pivots.push({ row: i, col: at, inverse: F.inv(rest[i][order * n + at]) });
      }
      for (const { row } of pivots) {
        rest[row] = [...new Array<number>(n).fill(0), ...rest[row]].slice(0, length * n);
        basis[row] = [...new Array<number>(pivotable).fill(0), ...basis[row]];
        degrees[row]++;
      }
    }
    const out = this.create(R, pivotable, Math.max(...basis.map((row) => row.length)) / Math.max(1, pivotable));
    basis.forEach((row, i) => {
      row.forEach((value, at) => {
        out.data[Math.floor(at / pivotable) * R * pivotable + i * pivotable + (at % pivotable)] = value;
      });
    });
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
          for (let d = 0; d < p.length && d <= from + t; d++) {
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

  compose(p2: PolyMatrix, p1: PolyMatrix): NaiveMatrix {
    const F = this.field;
    const { rows: R, cols: pivotable } = p1;
    const out = this.create(R, pivotable, p1.length + p2.length - 1);
    for (let a = 0; a < p2.length; a++) {
      for (let b = 0; b < p1.length; b++) {
        for (let i = 0; i < R; i++) {
          for (let l = 0; l < pivotable; l++) {
            const factor = own(p2).data[(a * R + i) * pivotable + l];
            if (factor === 0) continue;
            for (let j = 0; j < pivotable; j++) {
              const at = ((a + b) * R + i) * pivotable + j;
              out.data[at] = F.add(out.data[at], F.mul(factor, own(p1).data[(b * R + l) * pivotable + j]));
            }
          }
        }
      }
    }
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

function rowsOf(a: NaiveMatrix): number[][] {
  return Array.from({ length: a.rows }, (_, i) => {
    const row: number[] = [];
    for (let t = 0; t < a.length; t++) {
      for (let j = 0; j < a.cols; j++) row.push(a.data[(t * a.rows + i) * a.cols + j]);
    }
    return row;
  });
}

function unitRow(i: number, width: number): number[] {
  return Array.from({ length: width }, (_, j) => (i === j ? 1 : 0));
}

/** to ← to + factor·from; `to` grows to the length of `from`. */
function addMultiple(F: Field<number>, to: number[], from: number[], factor: number): void {
  for (let k = 0; k < from.length; k++) to[k] = F.add(to[k] ?? 0, F.mul(factor, from[k]));
}
