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
import type { Team } from '../../kernels/threads/team.js';
import { KeptVectors } from '../block-wiedemann/kept-vectors.js';
import { type Pivots, reversePivots } from '../presolve/pattern.js';
import { type PivotPlaces, splitByPivots } from './split-matrix.js';

/** Executors that have a substitution. */
export type SubstitutingExecutor = Executor & Required<Pick<Executor, 'substitution'>>;

export class SchurComplement implements Operator {
  readonly rows: number;
  readonly cols: number;
  private readonly executor: SubstitutingExecutor;
  private readonly a: ResidueMatrix;
  private readonly at: ResidueMatrix;
  private readonly pivots: Pivots;
  private readonly team: Team | undefined;
  private forward: Direction | null = null;
  private backward: Direction | null = null;

  /** `at` is the transpose of `a`; a team, whose memory the executor's vectors are in, makes the parts. */
  constructor(executor: SubstitutingExecutor, a: ResidueMatrix, at: ResidueMatrix, pivots: Pivots, team?: Team) {
    this.executor = executor;
    this.team = team;
    this.a = a;
    this.at = at;
    this.pivots = pivots;
    this.rows = a.rows - pivots.rows.length;
    this.cols = a.cols - pivots.cols.length;
  }

  /** The same operator on vectors of another executor of the same characteristic: itself where that is its own. */
  on(executor: SubstitutingExecutor): SchurComplement {
    return executor === this.executor ? this : new SchurComplement(executor, this.a, this.at, this.pivots, this.team);
  }

  async apply(y: BlockVector, x: BlockVector, alpha = 1, beta = 0): Promise<void> {
    await performAll(this.executor, this.calls(y, x, false, alpha, beta));
  }

  /** The two steps of a product with S, or with Sᵀ. */
  direction(transposed: boolean): Direction {
    const { executor, a, at, pivots, team } = this;
    if (transposed) {
      this.backward ??= new Direction(executor, at, a, reversePivots(pivots), team);
      return this.backward;
    }
    this.forward ??= new Direction(executor, a, at, pivots, team);
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

  constructor(
    executor: SubstitutingExecutor,
    a: ResidueMatrix,
    at: ResidueMatrix,
    pivots: PivotPlaces,
    team: Team | undefined,
  ) {
    const parts = splitByPivots(executor.field, a, at, pivots, team);
    try {
      this.substitution = executor.substitution(parts.pivots);
      this.others = executor.operator(parts.others, { use: 'apply' });
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
