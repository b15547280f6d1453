/**
 * x ← T⁻¹·x for a sparse triangle T, by a substitution of the executor.
 *
 *   x_i = (x_i − Σ_(j≠i) T_ij·x_j) / T_ii, in an order in which all x_j are known
 *
 * The order is by depth, the length of the longest chain that has to be known first: lines of one depth stand next to
 * each other, so that threads can share them (kernels/spmm/triangular-solve.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { BlockVector, Call, Executor, Operator, Substitution } from '../../kernels/executor.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Triangle } from './blocks.js';

export type SlicingExecutor = Executor & Required<Pick<Executor, 'substitution' | 'slice'>>;

export class TriangularSolve {
  readonly size: number;
  private readonly executor: SlicingExecutor;
  private readonly substitution: Substitution;
  private readonly fromSteps: Operator | null; // null where steps are in the order of the lines

  constructor(executor: SlicingExecutor, triangle: Triangle) {
    this.executor = executor;
    this.size = triangle.matrix.rows;
    const stepOf = orderByDepth(triangle);
    this.substitution = executor.substitution(substitutionMatrix(executor.field, triangle.matrix, stepOf));
    const isOrdered = stepOf.every((step, i) => step === i);
    this.fromSteps = isOrdered ? null : executor.operator(permutationMatrix(stepOf), { use: 'apply' });
  }

  /** Whether `steps` are in the order of the lines. */
  get isOrdered(): boolean {
    return this.fromSteps === null;
  }

  /** The second half of t, of twice as many rows as x, ← T⁻¹·x in the order of the substitution. */
  substitute(t: BlockVector, x: BlockVector): Call {
    return { do: 'substitute', by: this.substitution, v: t, x };
  }

  steps(t: BlockVector): BlockVector {
    return this.executor.slice(t, this.size, this.size);
  }

  /** y ← the second half of t, in the order of the lines. */
  deliver(y: BlockVector, t: BlockVector): Call {
    const { fromSteps } = this;
    const steps = this.steps(t);
    return fromSteps === null ? { do: 'copy', to: y, from: steps } : { do: 'apply', map: fromSteps, y, x: steps };
  }

  free(): void {
    this.substitution.free?.();
    this.fromSteps?.free?.();
  }
}

/** The place of each line in an order by depth; lines of one depth stay in their order. */
function orderByDepth({ matrix, isLower }: Triangle): Uint32Array {
  const { rows, rowPtr, colIdx } = matrix;
  const depth = new Uint32Array(rows);
  let deepest = 0;
  for (let n = 0; n < rows; n++) {
    const i = isLower ? n : rows - 1 - n;
    let deep = 0;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      const j = colIdx[k];
      if (j !== i && depth[j] >= deep) deep = depth[j] + 1;
    }
    depth[i] = deep;
    if (deep > deepest) deepest = deep;
  }
  const next = new Uint32Array(deepest + 2);
  for (let i = 0; i < rows; i++) next[depth[i] + 1]++;
  for (let d = 0; d <= deepest; d++) next[d + 1] += next[d];
  return depth.map((d) => next[d]++);
}

/** Step s of the substitution makes x_i, stepOf[i] = s, from the x given and from the steps before. */
function substitutionMatrix(F: WordPrime, { rows, rowPtr, colIdx, values }: ResidueMatrix, stepOf: Uint32Array) {
  const lineOf = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) lineOf[stepOf[i]] = i;
  const diagonal = new Uint32Array(rows);
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) if (colIdx[k] === i) diagonal[i] = values[k];
  }
  const inverses = F.batchInv(diagonal);
  const out = {
    ...{ rows, cols: 2 * rows, rowPtr: new Uint32Array(rows + 1) },
    ...{ colIdx: new Uint32Array(colIdx.length), values: new Uint32Array(colIdx.length) },
  };
  let at = 0;
  for (let s = 0; s < rows; s++) {
    const i = lineOf[s];
    const factor = F.neg(inverses[i]);
    out.colIdx[at] = i;
    out.values[at++] = inverses[i];
    const first = at;
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      if (colIdx[k] === i) continue;
      // Insertion keeps the columns in order: lines are short, and mostly in order already.
      const column = rows + stepOf[colIdx[k]];
      let to = at++;
      for (; to > first && out.colIdx[to - 1] > column; to--) {
        out.colIdx[to] = out.colIdx[to - 1];
        out.values[to] = out.values[to - 1];
      }
      out.colIdx[to] = column;
      out.values[to] = F.mul(values[k], factor);
    }
    out.rowPtr[s + 1] = at;
  }
  return out;
}

/** Row i has a 1 in column stepOf[i]. */
function permutationMatrix(stepOf: Uint32Array): ResidueMatrix {
  const size = stepOf.length;
  const rowPtr = Uint32Array.from({ length: size + 1 }, (_, i) => i);
  return { rows: size, cols: size, rowPtr, colIdx: stepOf, values: new Uint32Array(size).fill(1) };
}
