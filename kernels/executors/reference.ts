/**
 * The executor to believe: every operation written as its definition, on a field, in plain TypeScript, one thread.
 */
import type { ExtensionField } from '../../fields/extension.js';
import type { Field } from '../../fields/field.js';
import type { WordPrime } from '../../fields/word-prime.js';
import * as shapes from '../checks.js';
import type {
  BitColumns,
  BlockVector,
  Executor,
  Operator,
  OperatorOptions,
  Program,
  Projection,
  SmallBlocks,
  Step,
  Substitution,
} from '../executor.js';
import { ReferenceBitColumns } from '../gf2/reference-bit-columns.js';
import { checkProductSizes } from '../sparse/formats/product-sizes.js';
import { planOf } from '../sparse/plan.js';
import { type ResidueMatrix, transpose } from '../sparse/residue-matrix.js';
import { interpret } from './interpreter.js';
import { ReferenceOperator } from './reference-operator.js';
import { data, ReferenceBlocks, ReferenceVector } from './reference-vector.js';

export class ReferenceExecutor implements Executor {
  readonly name = 'reference';
  readonly device = 'reference: plain TypeScript, 1 thread';
  readonly threads = 1;
  readonly field: WordPrime;
  readonly extension: ExtensionField | null;
  /** The field that vectors are over. */
  private readonly elements: Field<number>;

  constructor(field: WordPrime, extension: ExtensionField | null = null) {
    this.field = field;
    this.extension = extension;
    this.elements = extension ?? field;
  }

  over(extension: ExtensionField): ReferenceExecutor {
    return new ReferenceExecutor(this.field, extension);
  }

  bitColumns(): BitColumns | null {
    return this.field.p === 2 ? new ReferenceBitColumns() : null;
  }

  vector(length: number, width: number): BlockVector {
    shapes.checkSize('vector', length, width);
    return new ReferenceVector(length, width, new Uint32Array(length * width));
  }

  view(v: BlockVector, length: number, width: number): BlockVector {
    shapes.checkView(v, length, width);
    return new ReferenceVector(length, width, data(v));
  }

  slice(v: BlockVector, firstRow: number, length: number): BlockVector {
    shapes.checkSlice(v, firstRow, length);
    return new ReferenceVector(length, v.width, data(v).subarray(firstRow * v.width, (firstRow + length) * v.width));
  }

  write(v: BlockVector, from: Uint32Array, firstRow = 0): void {
    shapes.checkWrite(v, from, firstRow);
    shapes.checkCanonical('write', from, Number(this.elements.order));
    data(v).set(from, firstRow * v.width);
  }

  read(v: BlockVector): Uint32Array {
    return data(v).slice();
  }

  copy(to: BlockVector, from: BlockVector): void {
    shapes.checkSameShape('copy', to, from);
    data(to).set(data(from));
  }

  fill(v: BlockVector, value: number): void {
    shapes.checkCanonical('fill', Uint32Array.of(value), Number(this.elements.order));
    data(v).fill(value);
  }

  release(_v: BlockVector): void {}

  operator(matrix: ResidueMatrix, options: OperatorOptions = {}): Operator {
    const { p } = this.field;
    const { use = 'both' } = options;
    checkProductSizes(options.sizes ?? {});
    const plan = use === 'transposed' ? null : planOf(matrix, p, options);
    const planTransposed = use === 'apply' ? null : planOf(transpose(matrix), p, options);
    return new ReferenceOperator(this.elements, matrix.rows, matrix.cols, plan, planTransposed);
  }

  substitution(matrix: ResidueMatrix): Substitution {
    const { elements: F } = this;
    const given = shapes.checkTriangular(matrix);
    const { rows: steps, rowPtr, colIdx, values } = matrix;
    return {
      given,
      steps,
      run(v, x) {
        shapes.checkSubstitution(given, steps, v, x, data(v) === data(x));
        const { width } = v;
        const to = data(v);
        to.set(data(x));
        // v[given + i] ← Σ_j T[i, j]·v[j]
        for (let i = 0; i < steps; i++) {
          for (let c = 0; c < width; c++) {
            let sum = 0;
            for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++)
              sum = F.add(sum, F.mul(values[k], to[colIdx[k] * width + c]));
            to[(given + i) * width + c] = sum;
          }
        }
      },
    };
  }

  columnRank(vectors: readonly BlockVector[]): number {
    shapes.checkColumns(vectors);
    const { elements: F } = this;
    // Each column loses its first entry to the one before it that begins there, until it begins elsewhere or is 0.
    const begins = new Map<number, Uint32Array>();
    for (const v of vectors) {
      for (let c = 0; c < v.width; c++) {
        const column = data(v).filter((_, at) => at % v.width === c);
        for (let i = column.findIndex((x) => x !== 0); i >= 0; i = column.findIndex((x) => x !== 0)) {
          const other = begins.get(i);
          if (other === undefined) {
            begins.set(i, column);
            break;
          }
          const factor = F.neg(F.mul(column[i], F.inv(other[i])));
          for (let k = i; k < column.length; k++) column[k] = F.add(column[k], F.mul(factor, other[k]));
        }
      }
    }
    return begins.size;
  }

  scale(v: BlockVector, d: BlockVector): void {
    shapes.checkScale(v, d);
    const { elements: F } = this;
    const [to, factors] = [data(v), data(d)];
    for (let i = 0; i < to.length; i++) to[i] = F.mul(to[i], factors[Math.floor(i / v.width)]);
  }

  blockAxpy(y: BlockVector, x: BlockVector, a: Uint32Array): void {
    shapes.checkAxpy(y, x, a, data(y) === data(x));
    shapes.checkCanonical('blockAxpy', a, Number(this.elements.order));
    const { elements: F } = this;
    const [to, from] = [data(y), data(x)];
    // y[i, j] ← y[i, j] + Σ_t x[i, t]·a[t, j]
    for (let i = 0; i < y.length; i++) {
      for (let j = 0; j < y.width; j++) {
        let sum = to[i * y.width + j];
        for (let t = 0; t < x.width; t++) sum = F.add(sum, F.mul(from[i * x.width + t], a[t * y.width + j]));
        to[i * y.width + j] = sum;
      }
    }
  }

  expand(y: BlockVector, u: Projection, c: Uint32Array): void {
    shapes.checkExpand(y, u, c);
    shapes.checkCanonical('expand', c, Number(this.elements.order));
    const { elements: F } = this;
    const { width } = y;
    const to = data(y);
    for (let r = 0; r < u.rows; r++) {
      for (let i = u.bounds[r]; i < u.bounds[r + 1]; i++) {
        for (let a = 0; a < u.layers; a++) {
          const factor = u.coefficients[i * u.layers + a];
          for (let j = 0; j < width; j++) {
            to[i * width + j] = F.add(to[i * width + j], F.mul(factor, c[(r * u.layers + a) * width + j]));
          }
        }
      }
    }
  }

  blocks(count: number, rows: number, cols: number): SmallBlocks {
    shapes.checkSize('blocks', count, rows, cols);
    return new ReferenceBlocks(count, rows, cols);
  }

  blockDot(out: SmallBlocks, index: number, x: BlockVector, z: BlockVector): void {
    shapes.checkDot(out, index, x, z);
    const { elements: F } = this;
    const to = (out as ReferenceBlocks).at(index).fill(0);
    const [left, right] = [data(x), data(z)];
    // out[a, j] ← Σ_i x[i, a]·z[i, j]
    for (let i = 0; i < x.length; i++) {
      for (let a = 0; a < x.width; a++) {
        for (let j = 0; j < z.width; j++) {
          const product = F.mul(left[i * x.width + a], right[i * z.width + j]);
          to[a * z.width + j] = F.add(to[a * z.width + j], product);
        }
      }
    }
  }

  project(out: SmallBlocks, index: number, u: Projection, z: BlockVector): void {
    shapes.checkProjection('project', u, z.length);
    shapes.checkBlock('project', out, index, u.rows * u.layers, z.width);
    const { elements: F } = this;
    const { width } = z;
    const to = (out as ReferenceBlocks).at(index).fill(0);
    const from = data(z);
    for (let r = 0; r < u.rows; r++) {
      for (let i = u.bounds[r]; i < u.bounds[r + 1]; i++) {
        for (let a = 0; a < u.layers; a++) {
          const factor = u.coefficients[i * u.layers + a];
          for (let j = 0; j < width; j++) {
            const at = (r * u.layers + a) * width + j;
            to[at] = F.add(to[at], F.mul(factor, from[i * width + j]));
          }
        }
      }
    }
  }

  readBlocks(out: SmallBlocks, first: number, count: number): Uint32Array {
    shapes.checkBlockRange(out, first, count);
    const size = out.rows * out.cols;
    return (out as ReferenceBlocks).data.slice(first * size, (first + count) * size);
  }

  releaseBlocks(_out: SmallBlocks): void {}

  compile(step: Step): Program {
    return interpret(this, step);
  }

  dispose(): void {}
}
