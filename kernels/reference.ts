/**
 * The reference executor: every operation of executor.ts carried out entry by entry with the field's own arithmetic.
 * Slow, and the truth: all other executors must return the same integers.
 */
import type { WordPrime } from '../fields/word-prime.js';
import type { BlockVector, Executor, Operator, OperatorOptions, Projection, SmallBlocks } from './executor.js';
import type { ResidueMatrix } from './residue-matrix.js';

interface HostVector extends BlockVector {
  readonly data: Uint32Array; // length·width canonical residues, row-major
}

interface HostBlocks extends SmallBlocks {
  readonly data: Uint32Array; // count blocks, each rows·cols
}

export class ReferenceExecutor implements Executor {
  readonly name = 'reference';
  readonly device = 'reference, one thread';
  readonly threads = 1;
  readonly field: WordPrime;

  constructor(field: WordPrime) {
    this.field = field;
  }

  vector(length: number, width: number): HostVector {
    return { length, width, data: new Uint32Array(length * width) };
  }

  view(v: BlockVector, length: number, width: number): HostVector {
    if (length * width !== v.length * v.width) {
      throw new RangeError(`view: expected ${v.length} x ${v.width} residues, got ${length} x ${width}`);
    }
    return { length, width, data: host(v).data };
  }

  write(v: BlockVector, data: Uint32Array, firstRow = 0): void {
    host(v).data.set(data, firstRow * v.width);
  }

  read(v: BlockVector): Uint32Array {
    return host(v).data.slice();
  }

  copy(to: BlockVector, from: BlockVector): void {
    host(to).data.set(host(from).data);
  }

  fill(v: BlockVector, value: number): void {
    host(v).data.fill(value);
  }

  release(): void {}

  operator(matrix: ResidueMatrix, _options?: OperatorOptions): Operator {
    const F = this.field;
    const { rows, cols, rowPtr, colIdx, values } = matrix;
    /** y ← beta·y, then y[to] += alpha·a·x[from] for every entry a. */
    const run = (y: BlockVector, x: BlockVector, transposed: boolean, alpha: number, beta: number): void => {
      const [yd, xd, width] = [host(y).data, host(x).data, x.width];
      for (let i = 0; i < yd.length; i++) yd[i] = F.mul(beta, yd[i]);
      for (let i = 0; i < rows; i++) {
        for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
          const [to, from] = transposed ? [colIdx[k], i] : [i, colIdx[k]];
          const scaled = F.mul(alpha, values[k]);
          for (let c = 0; c < width; c++) {
            yd[to * width + c] = F.mulAdd(scaled, xd[from * width + c], yd[to * width + c]);
          }
        }
      }
    };
    return {
      rows,
      cols,
      apply: (y, x, alpha = 1, beta = 0) => run(y, x, false, alpha, beta),
      applyTransposed: (y, x, alpha = 1, beta = 0) => run(y, x, true, alpha, beta),
    };
  }

  scale(v: BlockVector, d: BlockVector): void {
    const [vd, dd] = [host(v).data, host(d).data];
    for (let i = 0; i < vd.length; i++) vd[i] = this.field.mul(dd[Math.floor(i / v.width)], vd[i]);
  }

  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    const [yd, xd] = [host(y).data, host(x).data];
    for (let i = 0; i < y.length; i++) {
      for (let j = 0; j < y.width; j++) {
        for (let l = 0; l < x.width; l++) {
          const at = i * y.width + j;
          yd[at] = this.field.mulAdd(xd[i * x.width + l], a[l * y.width + j], yd[at]);
        }
      }
    }
  }

  expand(y: BlockVector, u: Projection, c: Uint32Array): void {
    const yd = host(y).data;
    eachCoefficient(u, (row, i, coefficient) => {
      for (let j = 0; j < y.width; j++) {
        yd[i * y.width + j] = this.field.mulAdd(coefficient, c[row * y.width + j], yd[i * y.width + j]);
      }
    });
  }

  blocks(count: number, rows: number, cols: number): HostBlocks {
    return { count, rows, cols, data: new Uint32Array(count * rows * cols) };
  }

  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
    const [to, xd, zd] = [block(out, index), host(x).data, host(z).data];
    to.fill(0);
    for (let i = 0; i < x.length; i++) {
      for (let a = 0; a < x.width; a++) {
        for (let b = 0; b < z.width; b++) {
          const at = a * z.width + b;
          to[at] = this.field.mulAdd(xd[i * x.width + a], zd[i * z.width + b], to[at]);
        }
      }
    }
  }

  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void {
    const [to, zd] = [block(out, index), host(z).data];
    to.fill(0);
    eachCoefficient(u, (row, i, coefficient) => {
      for (let b = 0; b < z.width; b++) {
        to[row * z.width + b] = this.field.mulAdd(coefficient, zd[i * z.width + b], to[row * z.width + b]);
      }
    });
  }

  readBlocks(out: SmallBlocks, first: number, count: number): Uint32Array {
    const size = out.rows * out.cols;
    return (out as HostBlocks).data.slice(first * size, (first + count) * size);
  }

  releaseBlocks(): void {}

  dispose(): void {}
}

/** Calls visit(row of U, coordinate, coefficient) for every coefficient of U. */
function eachCoefficient(u: Projection, visit: (row: number, i: number, coefficient: number) => void): void {
  for (let r = 0; r < u.rows; r++) {
    for (let i = u.bounds[r]; i < u.bounds[r + 1]; i++) {
      for (let a = 0; a < u.layers; a++) visit(r * u.layers + a, i, u.coefficients[i * u.layers + a]);
    }
  }
}

function host(v: BlockVector): HostVector {
  if (!('data' in v)) throw new TypeError('reference executor: a vector of another executor');
  return v as HostVector;
}

function block(out: SmallBlocks, index: number): Uint32Array {
  const size = out.rows * out.cols;
  return (out as HostBlocks).data.subarray(index * size, (index + 1) * size);
}
