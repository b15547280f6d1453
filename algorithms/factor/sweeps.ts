/**
 * x ← M⁻¹·x for the nonsingular part M of a matrix, or x ← M⁻ᵀ·x: forward through the rounds, the dense end, backward.
 *
 * x is one vector, by pivots in the order of their elimination; every round works on slices of it (blocks.ts has the
 * equations). The calls of each half are a program, made once for each width.
 */
import type { BlockVector, Call, Operator, Program } from '../../kernels/executor.js';
import type { RoundBlocks } from './blocks.js';
import type { DenseSolver } from './dense-end.js';
import { type SlicingExecutor, TriangularSolve } from './triangle.js';

interface StoredRound {
  readonly first: number;
  readonly size: number;
  readonly forward: TriangularSolve;
  readonly backward: TriangularSolve | null;
  readonly below: Operator;
  readonly right: Operator;
}

/** The vectors and programs of a width. */
interface Prepared {
  readonly width: number;
  readonly x: BlockVector;
  readonly scratch: readonly BlockVector[];
  readonly forward: Program;
  readonly backward: Program;
}

export class Sweeps {
  private readonly executor: SlicingExecutor;
  private readonly rank: number;
  private readonly end: DenseSolver | null;
  private readonly endRank: number;
  private readonly rounds: StoredRound[] = [];
  private prepared: Prepared | null = null;

  /** `end`, for the last `endRank` of all `rank` pivots, is freed with the sweeps. */
  constructor(
    executor: SlicingExecutor,
    blocks: readonly RoundBlocks[],
    rank: number,
    end: DenseSolver | null,
    endRank = 0,
  ) {
    this.executor = executor;
    this.rank = rank;
    this.end = end;
    this.endRank = endRank;
    for (const { first, size, forward, backward, below, right } of blocks) {
      this.rounds.push({
        ...{ first, size, forward: new TriangularSolve(executor, forward) },
        backward: backward && new TriangularSolve(executor, backward),
        below: executor.operator(below, { use: 'apply' }),
        right: executor.operator(right, { use: 'apply' }),
      });
    }
  }

  /** Overwrites x, a row of `width` residues for each pivot. */
  async run(x: Uint32Array, width: number, check: () => void): Promise<void> {
    if (this.rank === 0 || width === 0) return;
    const { executor, end, endRank } = this;
    const prepared = this.prepare(width);
    executor.write(prepared.x, x);
    await prepared.forward.run(0, 1, check);
    if (end && endRank > 0) {
      const firstRow = this.rank - endRank;
      const rest = await executor.read(executor.slice(prepared.x, firstRow, endRank));
      end.solve(rest, width);
      executor.write(prepared.x, rest, firstRow);
    }
    await prepared.backward.run(0, 1, check);
    x.set(await executor.read(prepared.x));
  }

  free(): void {
    this.discard();
    this.end?.release();
    for (const { forward, backward, below, right } of this.rounds) {
      forward.free();
      backward?.free();
      below.free?.();
      right.free?.();
    }
    this.rounds.length = 0;
  }

  private prepare(width: number): Prepared {
    if (this.prepared?.width === width) return this.prepared;
    this.discard();
    const { executor, rank, rounds } = this;
    const x = executor.vector(rank, width);
    const scratch: BlockVector[] = [];
    const keep = (v: BlockVector): BlockVector => {
      scratch.push(v);
      return v;
    };
    const [forward, backward]: [Call[], Call[]] = [[], []];
    const minus = executor.field.neg(1);
    for (const round of rounds) {
      const { first, size } = round;
      const own = executor.slice(x, first, size);
      const later = executor.slice(x, first + size, rank - first - size);
      const t = keep(executor.vector(2 * size, width));
      // Where T is triangular b₁ stays, and y is another vector.
      const { forward: down, backward: up } = round;
      const y = up ? own : down.isOrdered ? down.steps(t) : keep(executor.vector(size, width));
      forward.push(down.substitute(t, own));
      if (up || !down.isOrdered) forward.push(down.deliver(y, t));
      forward.push({ do: 'apply', map: round.below, y: later, x: y, alpha: minus, beta: 1 });
      const last = up ?? down;
      backward.unshift(
        { do: 'apply', map: round.right, y: own, x: later, alpha: minus, beta: 1 },
        last.substitute(t, own),
        last.deliver(own, t),
      );
    }
    this.prepared = { width, x, scratch, forward: executor.compile(forward), backward: executor.compile(backward) };
    return this.prepared;
  }

  private discard(): void {
    if (!this.prepared) return;
    const { x, scratch, forward, backward } = this.prepared;
    forward.free();
    backward.free();
    for (const v of [x, ...scratch]) this.executor.release(v);
    this.prepared = null;
  }
}
