/**
 * G·B and Gᵀ·B by the pivots of a matrix, on the threads of one question.
 *
 *   R, C : as many rows and columns as the rank of A, M = A[R, C] nonsingular     G : M⁻¹ in places C × R, 0 elsewhere
 *
 * A·G·A = A, since the rows and the columns of M span those of A. So G·b solves A·x = b wherever there is a solution,
 * and z + G·(b − A·z) for uniform z is a uniform one: (I − G·A) maps onto the kernel. Gᵀ does the same for Aᵀ.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { CpuExecutor } from '../../kernels/executors/cpu.js';
import type { Team } from '../../kernels/threads/team.js';
import type { RoundBlocks } from './blocks.js';
import type { DenseEnd } from './dense-end.js';
import { Sweeps } from './sweeps.js';

/** Columns that go together at most. */
const TOGETHER = 64;

/** What a question takes of factors, in the direction that it asks for. */
export interface Direction {
  readonly isTransposed: boolean;
  readonly blocks: readonly RoundBlocks[]; // of M, or of Mᵀ
  readonly end: DenseEnd | null; // of M
  readonly from: Uint32Array; // R, or C
  readonly to: Uint32Array; // C, or R
  readonly found: number; // rows of G·B
}

export class GeneralizedInverse {
  private readonly direction: Direction;
  private readonly executor: CpuExecutor;
  private readonly sweeps: Sweeps;
  private readonly check: () => void;

  constructor(team: Team, field: WordPrime, direction: Direction, check: () => void) {
    const { blocks, from, end, isTransposed } = direction;
    this.direction = direction;
    this.check = check;
    const solver = end?.solver(team, isTransposed) ?? null;
    this.executor = new CpuExecutor(field, team);
    try {
      this.sweeps = new Sweeps(this.executor, blocks, from.length, solver, end?.rank);
    } catch (error) {
      solver?.release();
      this.executor.dispose();
      throw error;
    }
  }

  /** G·B, for B of s residues a row, row-major. */
  async apply(b: Uint32Array, s: number): Promise<Uint32Array> {
    const { from, to, found } = this.direction;
    const out = new Uint32Array(found * s);
    for (let first = 0; first < s; first += TOGETHER) {
      this.check();
      const width = Math.min(TOGETHER, s - first);
      const x = new Uint32Array(from.length * width);
      takeRows(x, width, b, s, first, from);
      await this.sweeps.run(x, width, this.check);
      putRows(out, s, first, to, x, width);
    }
    return out;
  }

  free(): void {
    this.sweeps.free();
    this.executor.dispose();
  }
}

/** Row k of x, `width` residues, ← those of row lines[k] of `all` from column `first` on. */
function takeRows(x: Uint32Array, width: number, all: Uint32Array, s: number, first: number, lines: Uint32Array): void {
  for (let k = 0, to = 0; k < lines.length; k++) {
    for (let j = 0, at = lines[k] * s + first; j < width; j++) x[to++] = all[at++];
  }
}

/** The other way round. */
function putRows(all: Uint32Array, s: number, first: number, lines: Uint32Array, x: Uint32Array, width: number): void {
  for (let k = 0, from = 0; k < lines.length; k++) {
    for (let j = 0, at = lines[k] * s + first; j < width; j++) all[at++] = x[from++];
  }
}
