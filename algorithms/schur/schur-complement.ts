/**
 * The Schur complement of a set of pivots as an operator, never formed.
 *
 *   A = [A12 L; A22 A21] up to the order of rows and columns, L : r × r lower triangular, the pivots on its diagonal
 *   S = A22 − A21·L⁻¹·A12, (rows − r) × (cols − r)         rank A = r + rank S
 *
 * S·x is a product of A's other rows: v extends x by the entries at the pivots' columns that make every pivot's row
 * vanish on it, v_L = −L⁻¹·A12·x, and S·x = [A22 A21]·v. With the rows of [A12 L] divided by −pivot and the diagonal
 * left out, v is one substitution; both steps together look at every entry of A once. Sᵀ is the same of Aᵀ, the pivots
 * the other way round. The first use of a direction stores it.
 *
 * S has its entries in F_p: on vectors over an extension, in coordinates or in codes, nothing changes.
 */
import type { BlockVector, Call, Executor, Operator, Substitution } from '../../kernels/executor.js';
import { performAll } from '../../kernels/executors/interpreter.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { type TakenRows, takeRows } from '../../kernels/sparse/take-rows.js';
import { KeptVectors } from '../block-wiedemann/kept-vectors.js';
import { linesBeside, type PivotPlaces, reversePivots } from '../presolve/pattern.js';

/** Executors that have a substitution. */
export type SubstitutingExecutor = Executor & Required<Pick<Executor, 'substitution'>>;

export class SchurComplement implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly executor: SubstitutingExecutor;
  private readonly a: ResidueMatrix;
  private readonly at: ResidueMatrix;
  private readonly pivots: PivotPlaces;
  private readonly onePass: boolean;
  private forward: Direction | null = null;
  private backward: Direction | null = null;

  /** `at` is the transpose of `a`; `onePass`: for kernels that take rows one by one (kernels/schur). */
  constructor(
    executor: SubstitutingExecutor,
    a: ResidueMatrix,
    at: ResidueMatrix,
    pivots: PivotPlaces,
    onePass = false,
  ) {
    this.executor = executor;
    this.onePass = onePass;
    this.a = a;
    this.at = at;
    this.pivots = pivots;
    this.rows = a.rows - pivots.rows.length;
    this.cols = a.cols - pivots.cols.length;
  }

  /** The same operator on vectors of another executor of the same characteristic: itself where that is its own. */
  on(executor: SubstitutingExecutor): SchurComplement {
    return executor === this.executor
      ? this
      : new SchurComplement(executor, this.a, this.at, this.pivots, this.onePass);
  }

  async apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    await performAll(this.executor, this.calls(y, x, false, alpha, beta));
  }

  /** The two steps of a product with S, or with Sᵀ. */
  direction(transposed: boolean): Direction {
    const { executor, a, at, pivots, onePass } = this;
    if (transposed) {
      this.backward ??= new Direction(executor, at, reversePivots(pivots), onePass);
      return this.backward;
    }
    this.forward ??= new Direction(executor, a, pivots, onePass);
    return this.forward;
  }

  /** v ← x, then the entries at the pivots' columns, in the pivots' order, that make every pivot's row vanish on v. */
  async extend(v: BlockVector, x: BlockVector): Promise<void> {
    await this.direction(false).substitution.run(v, x);
  }

  async applyTransposed(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    await performAll(this.executor, this.calls(y, x, true, alpha, beta));
  }

  calls(y: BlockVector, x: BlockVector, transposed: boolean, alpha = 1, beta = 0): Call[] {
    return this.direction(transposed).calls(y, x, alpha, beta);
  }

  free(): void {
    this.forward?.free();
    this.backward?.free();
  }
}

/** S in one direction. */
class Direction {
  readonly substitution: Substitution;
  readonly others: Operator; // [A22 A21]
  private readonly kept: KeptVectors; // v

  constructor(executor: SubstitutingExecutor, a: ResidueMatrix, pivots: PivotPlaces, onePass: boolean) {
    const parts = split(executor, a, pivots);
    try {
      this.substitution = executor.substitution(parts.pivots);
      this.others = executor.operator(parts.others, { use: 'apply', onePass });
    } finally {
      parts.release();
    }
    this.kept = new KeptVectors(executor, [a.cols]);
  }

  calls(y: BlockVector, x: BlockVector, alpha: number, beta: number): Call[] {
    const [v] = this.kept.of(x.width);
    return [
      { do: 'substitute', by: this.substitution, v, x },
      { do: 'apply', map: this.others, y, x: v, alpha, beta },
    ];
  }

  free(): void {
    this.kept.free();
    this.substitution.free?.();
    this.others.free?.();
  }
}

interface Parts {
  readonly pivots: ResidueMatrix;
  readonly others: ResidueMatrix;
  release(): void;
}

/**
 * The rows of A with pivots, divided by −pivot and without it, and the others; columns are renumbered, those without
 * pivots first, those with pivots behind them in the pivots' order.
 */
function split(executor: SubstitutingExecutor, a: ResidueMatrix, pivots: PivotPlaces): Parts {
  const F = executor.field;
  const { rows, cols } = a;
  const r = pivots.rows.length;
  const rowOrder = withOthers(rows, pivots.rows, 'behind');
  const colOrder = withOthers(cols, pivots.cols, 'before');
  const place = new Uint32Array(cols);
  for (let k = 0; k < cols; k++) place[colOrder[k]] = k;
  const rowPtr = new Uint32Array(rows + 1);
  for (let k = 0; k < rows; k++) {
    rowPtr[k + 1] = rowPtr[k] + a.rowPtr[rowOrder[k] + 1] - a.rowPtr[rowOrder[k]] - (k < r ? 1 : 0);
  }
  const taking = { a, rowOrder, place, given: cols - r, pivots: r, rowPtr };
  const taken = executor.takeRows?.(taking, 0, rows) ?? takeRows(F, taking);
  const part = (first: number, end: number): ResidueMatrix => {
    const ptr = rowPtr.subarray(first, end + 1).map((at) => at - rowPtr[first]);
    const rowsFrom = ({ colIdx, values }: TakenRows, skipped: number): ResidueMatrix => ({
      ...{ rows: end - first, cols, rowPtr: ptr },
      colIdx: colIdx.subarray(rowPtr[first] - skipped, rowPtr[end] - skipped),
      values: values.subarray(rowPtr[first] - skipped, rowPtr[end] - skipped),
    });
    const lend = <T>(work: (a: ResidueMatrix) => T): T => {
      const again = executor.takeRows?.(taking, first, end);
      try {
        return work(again ? rowsFrom(again, rowPtr[first]) : rowsFrom(takeRows(F, taking), 0));
      } finally {
        again?.release?.();
      }
    };
    return { ...rowsFrom(taken, 0), lend: taken.release && lend };
  };
  return { pivots: part(0, r), others: part(r, rows), release: () => taken.release?.() };
}

/** The chosen lines of 0 … count − 1 in their order, and all others in theirs. */
function withOthers(count: number, chosen: Uint32Array, others: 'before' | 'behind'): Uint32Array {
  const beside = linesBeside(chosen, count);
  const order = new Uint32Array(count);
  order.set(chosen, others === 'before' ? beside.length : 0);
  order.set(beside, others === 'before' ? 0 : chosen.length);
  return order;
}
