/**
 * The vectors X and D that check a Krylov sequence, and the factors of their sums; letters and proof as in
 * sequence-check.ts.
 *
 *   X : N × w uniform      E_i | G_i : w × (mU + sY) uniform      0 ≤ i < L
 *   D = (Bᵀ)^L·X + Σ_i (Bᵀ)^(i+shift)·Uᵀ·E_iᵀ + (Bᵀ)^i·Yᵀ·G_iᵀ, by Horner's rule: L products with Bᵀ
 *
 * Where Y = W·A is what is read, Y is compared with that before D is made and behind it (row-space-check.ts), and D is
 * kept once both hold. A run that recalls D compares its own Y with W·A before it takes D for that of Y: what has
 * changed in its Y is met then, and what changes afterwards makes T disagree with D, which knows nothing of the change.
 * So a D that is recalled is worth what one is that was made here.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator } from '../../kernels/executor.js';
import type { BlocksRead } from './block-digests.js';
import { LostSequenceError, NoTransposeError } from './check-errors.js';
import { transposeBlock } from './combine.js';
import type { CheckKeeper, CheckKind } from './kept-check-vectors.js';
import type { Projections } from './projections.js';
import { randomNumbers, writeRandom } from './random-vectors.js';
import { RowSpaceCheck } from './row-space-check.js';
import type { LeftFactor } from './sparse-factor.js';
import { verificationWidth } from './verification.js';
import type { WorkingField } from './working-field.js';

/** Of vectors in a row, in each of which Y has changed meanwhile. */
const MOST_TURNS = 3;

/** What a sequence is of. */
export interface CheckedSides {
  readonly a: Operator;
  readonly c: LeftFactor;
  readonly working: WorkingField;
  readonly left: Projections;
  readonly shift: 0 | 1;
  readonly n: number;
  readonly read: BlocksRead;
}

export class CheckVectors {
  readonly interval: number;
  readonly width: number;
  readonly rows: number; // of a block
  readonly factors: Uint32Array; // [E_0 | G_0], [E_1 | G_1], …
  readonly d: BlockVector;
  readonly x: BlockVector;
  readonly ofY: RowSpaceCheck | null; // where Y = W·A is read
  failed = 0; // comparisons of Y
  seconds = 0; // that making D took, here or where it was kept
  isRecalled = false; // D
  private readonly executor: Executor;
  private readonly sides: CheckedSides;
  private readonly seed: bigint;
  private readonly keeper: CheckKeeper | undefined;
  private readonly vectors: BlockVector[] = [];

  /** Room for both; `recall` or `make` writes them. */
  constructor(executor: Executor, sides: CheckedSides, interval: number, seed: bigint, keeper?: CheckKeeper) {
    const { a, working, left, read } = sides;
    [this.executor, this.sides, this.interval, this.seed] = [executor, sides, interval, seed];
    this.keeper = keeper;
    this.width = verificationWidth(working.log2q);
    this.rows = (read === 'T' ? 0 : left.u.rows) + (read === 'S' ? 0 : left.s);
    const count = interval * this.width * this.rows;
    this.factors = randomNumbers(executor, count, working.q, deriveSeed(seed, 'check factors'));
    const vector = (): BlockVector => {
      const made = executor.vector(a.cols, working.k * this.width);
      this.vectors.push(made);
      return made;
    };
    try {
      [this.d, this.x] = [vector(), vector()];
      this.ofY = read === 'S' ? null : RowSpaceCheck.create(executor, a, left, this.x);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** X, and D as it was kept; whether it was. */
  async recall(): Promise<boolean> {
    const { executor, d, width, kind } = this;
    const kept = await this.keeper?.recall(kind, d.length);
    if (!kept) return false;
    await this.begin();
    executor.write(d, this.sides.working.toResidues(kept.d, width));
    [this.isRecalled, this.seconds] = [true, kept.seconds];
    return true;
  }

  /** X and D, which is kept. `check` may throw between products. */
  async make(check: () => void): Promise<void> {
    const { executor, keeper, kind } = this;
    const start = performance.now();
    await this.multiply(check, MOST_TURNS);
    this.isRecalled = false;
    const d = keeper && this.sides.working.fromResidues(await executor.read(this.d), this.width);
    this.seconds = (performance.now() - start) / 1000;
    if (d) await keeper.keep(kind, { d, seconds: this.seconds });
  }

  private get kind(): CheckKind {
    const { seed, interval, width, rows } = this;
    const { shift, read, working } = this.sides;
    return { seed, interval, width, rows, shift, read, q: working.q };
  }

  /** X and D; once more where Y changes meanwhile. */
  private async multiply(check: () => void, turns: number): Promise<void> {
    const { executor, d, x, width, interval, factors, rows: m } = this;
    const { a, c, working, left, shift, read } = this.sides;
    const ofU = read === 'T' ? 0 : left.u.rows * width;
    // D += Uᵀ·E_iᵀ, and D += Yᵀ·G_iᵀ
    const addOfU = (block: Uint32Array): void => {
      if (read !== 'T') executor.expand(d, left.u, working.layers(block.subarray(0, ofU), width));
    };
    const addOfY = (block: Uint32Array): void => {
      if (read !== 'S') executor.blockAxpy(d, left.y!, working.blockFactors(block.subarray(ofU), left.s, width));
    };
    const z = executor.vector(a.rows, working.k * width);
    try {
      await this.begin();
      executor.copy(d, x);
      for (let i = interval - 1; i >= 0; i--) {
        check();
        const block = transposeBlock(factors.subarray(i * width * m, (i + 1) * width * m), width, m);
        if (shift === 1) addOfU(block);
        await c.applyTransposed(z, d);
        await a.applyTransposed(d, z);
        if (shift === 0) addOfU(block);
        addOfY(block);
      }
    } finally {
      executor.release(z);
    }
    if (this.ofY === null || (await this.ofY.holds())) return;
    this.failed++;
    if (turns === 1) throw new LostSequenceError();
    await this.ofY.remake();
    await this.multiply(check, turns - 1);
  }

  /** X, and Y as it should be. */
  private async begin(): Promise<void> {
    const { executor, x, width, seed, sides } = this;
    writeRandom(executor, x, width, sides.working, deriveSeed(seed, 'check vectors'));
    const { isRight, failed } = (await this.ofY?.begin()) ?? { isRight: true, failed: 0 };
    this.failed += failed;
    if (!isRight) throw new NoTransposeError();
  }

  free(): void {
    this.ofY?.free();
    for (const v of this.vectors) this.executor.release(v);
  }
}
