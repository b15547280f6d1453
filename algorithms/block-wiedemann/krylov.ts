/**
 * The block Krylov sequences of B = C·A: the long phase of block Wiedemann.
 *
 *   A : m × N, m ≥ N      C : N × m (preconditioner.ts)      V : N × n random
 *   U : mU × N structured, one row a coordinate
 *   S_i = U·B^(i+shift)·V,  mU × n                     T_i = Y·B^i·V,  s × n,  Y = W·A with W : s × m random, or given
 *
 * With shift 1 every row of S lies in the row space of A, whose dimension is what the generator of S measures; T holds
 * the moments of s random vectors of that row space, which verification.ts expresses in the span of the U·B^(j+1).
 * All entries are codes of GF(q). Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997 for rectangular blocks.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Call, Executor, Operator, Program, SmallBlocks } from '../../kernels/executor.js';
import { StoppedError } from '../checkpoint/store.js';
import { GrowingBlocks } from './growing-blocks.js';
import type { SequenceKeeper } from './kept-sequence.js';
import { Projections } from './projections.js';
import { writeRandom } from './random-vectors.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

export interface KrylovShape {
  readonly m: number; // rows of U
  readonly n: number; // columns of V
  readonly s: number; // random row-space vectors; 0 for none
  readonly shift: 0 | 1;
  /** Of a share of the columns: its n columns are those from `first` on of a V that has `of`. */
  readonly share?: { readonly first: number; readonly of: number } | undefined;
}

/** Blocks of S and T that grow on request, as a search of the generator reads them, from any device. */
export interface Sequence {
  readonly shape: KrylovShape;
  /** Blocks S_0, S_1, … one after another, each m × n codes. */
  readonly s: GrowingBlocks;
  /** Blocks T_0, T_1, … one after another, each s × n codes. */
  readonly t: GrowingBlocks;
  /** Whether W·(A·V) = (W·A)·V, the right side by applyTransposed: known from the first step on, never when s = 0. */
  readonly adjoint: boolean | null;
  /** Seconds in which blocks were made, without waits. */
  readonly seconds: number;
  /**
   * Extends S to `count` blocks, and T to as many as long as it has fewer than `moments`; `check` may throw between
   * steps. A sequence on a device of its own goes as far as its task says by itself, and calls `onStep` between two
   * questions too.
   */
  extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void>;
  free(): void;
}

// Blocks come back from the device in batches, one while the next ones are computed: its queue never runs dry.
const BATCH = 32;
const AHEAD = 2;

/** Seconds of steps under way at most where a run is kept: it is asked to end between two batches. */
const KEPT_BATCH = 0.5;

/** Steps under way and their results: blocks of S, of T, and W·A·V. */
interface Batch {
  readonly steps: number;
  readonly tSteps: number;
  readonly blocks: readonly Promise<Uint32Array | null>[];
}

export class KrylovSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  readonly left: Projections;
  seconds = 0;
  adjoint: boolean | null = null;
  private readonly executor: Executor;
  private readonly a: Operator;
  private readonly c: LeftFactor;
  private readonly working: WorkingField;
  private readonly v: BlockVector;
  private readonly av: BlockVector;
  private readonly sBatch: SmallBlocks;
  private readonly tBatch: SmallBlocks | null;
  private readonly wav: SmallBlocks | null; // W·A·V
  private readonly vectors: BlockVector[] = []; // all of the above, to be released
  private readonly blocks: SmallBlocks[] = [];
  private ownsLeft = false;
  private keeper: SequenceKeeper | null = null;
  private recalled = 0; // blocks of S that were kept by an earlier run
  private readonly programs = new Map<boolean, Program>(); // of the steps of a batch, with and without moments

  /** `left` stays the caller's, as `c` does. */
  constructor(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
    left: Projections,
  ) {
    const { m, n, s } = shape;
    const { k } = working;
    this.executor = executor;
    this.a = a;
    this.c = c;
    this.working = working;
    this.shape = shape;
    this.left = left;
    this.s = new GrowingBlocks(m * n);
    this.t = new GrowingBlocks(s * n);
    const vector = (length: number): BlockVector => {
      const made = executor.vector(length, k * n);
      this.vectors.push(made);
      return made;
    };
    const blocks = (count: number, rows: number): SmallBlocks => {
      const made = executor.blocks(count, rows * k, n * k);
      this.blocks.push(made);
      return made;
    };
    try {
      this.v = vector(a.cols);
      this.av = vector(a.rows);
      this.sBatch = blocks(BATCH, m);
      this.tBatch = s > 0 ? blocks(BATCH, s) : null;
      this.wav = left.w ? blocks(1, s) : null;
      writeRandom(executor, this.v, n, working, deriveSeed(seed, 'V'), shape.share);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** With random vectors to the left, its own. */
  static async create(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
  ): Promise<KrylovSequence> {
    const left = await Projections.random(executor, a, working, shape, seed);
    try {
      const sequence = new KrylovSequence(executor, a, c, working, shape, seed, left);
      sequence.ownsLeft = true;
      return sequence;
    } catch (error) {
      left.free();
      throw error;
    }
  }

  /** From now on the sequence is kept, and goes on from what was kept before. */
  async keepBy(keeper: SequenceKeeper): Promise<void> {
    const { m, n, s } = this.shape;
    this.keeper = keeper;
    const kept = await keeper.recall(m * n, s * n, this.v.length * n);
    if (kept === null) return;
    this.s.append(kept.s);
    this.t.append(kept.t);
    this.adjoint = kept.adjoint;
    this.recalled = kept.steps;
    this.executor.write(this.v, this.working.toResidues(kept.v, n));
  }

  /** Blocks of S known so far. */
  get length(): number {
    return this.s.count;
  }

  /** The wait for a batch begins when the next ones are under way. */
  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    let [steps, tSteps] = [this.s.count, this.t.count];
    const ahead: Batch[] = [];
    let last = performance.now();
    const take = async (batch: Batch): Promise<void> => {
      await this.take(batch);
      const now = performance.now();
      this.seconds += (now - last) / 1000;
      last = now;
      onStep(this.length);
    };
    const drain = async (): Promise<void> => {
      for (const batch of ahead.splice(0)) await take(batch);
    };
    while (steps < count) {
      if (this.keeper !== null) await this.keepIfDue(this.keeper, drain);
      const batch = await this.ask(Math.min(this.batchSize(), count - steps), moments - tSteps, steps === 0, check);
      steps += batch.steps;
      tSteps += batch.tSteps;
      if (ahead.push(batch) > AHEAD) await take(ahead.shift()!);
    }
    await drain();
    if (this.keeper !== null) await this.keepIfDue(this.keeper, drain);
  }

  /** Steps under way are taken first: V is then that of the last block. */
  private async keepIfDue(keeper: SequenceKeeper, drain: () => Promise<void>): Promise<void> {
    const due = await keeper.checkpoint.due();
    if (due === 'no') return;
    await drain();
    const v = this.working.fromResidues(await this.executor.read(this.v), this.shape.n);
    await keeper.keep(this.s, this.t, v, this.adjoint);
    if (due === 'stop') throw new StoppedError();
  }

  private batchSize(): number {
    if (this.keeper === null) return BATCH;
    const made = this.length - this.recalled;
    if (made === 0) return 1;
    return Math.min(BATCH, Math.max(1, Math.floor((KEPT_BATCH * made) / this.seconds)));
  }

  /** `steps` further steps on the device, and the blocks that they give, to come. */
  private async ask(steps: number, moments: number, first: boolean, check: () => void): Promise<Batch> {
    const { executor } = this;
    const tSteps = this.tBatch ? Math.max(0, Math.min(steps, moments)) : 0;
    if (first) await this.compare(tSteps > 0, check);
    const done = first ? 1 : 0;
    if (tSteps > done) await this.program(true).run(done, tSteps, check);
    await this.program(false).run(Math.max(done, tSteps), steps, check);
    const t = this.tBatch && tSteps > 0 ? executor.readBlocks(this.tBatch, 0, tSteps) : null;
    const wav = t && this.wav && first ? executor.readBlocks(this.wav, 0, 1) : null;
    const blocks = [executor.readBlocks(this.sBatch, 0, steps), t, wav].map(async (each) => each);
    // The await comes later, and reports a device that is lost meanwhile.
    for (const each of blocks) each.catch(() => undefined);
    return { steps, tSteps, blocks };
  }

  /** A step, with T where `moments`, and W·A·V beside it where that is `compared` with it. */
  private step(moments: boolean, compared: boolean): Call[] {
    const { a, c, v, av, sBatch, tBatch, wav } = this;
    const { u, w, y } = this.left;
    const calls: Call[] = [];
    // T_i ← Y·V_i
    if (moments) calls.push({ do: 'blockDot', out: tBatch!, x: y!, z: v });
    if (this.shape.shift === 0) calls.push({ do: 'project', out: sBatch, u, z: v });
    // V_(i+1) ← C·(A·V_i)
    calls.push({ do: 'apply', map: a, y: av, x: v });
    if (compared && wav && w) calls.push({ do: 'blockDot', out: wav, x: w, z: av });
    calls.push({ do: 'apply', map: c, y: v, x: av });
    if (this.shape.shift === 1) calls.push({ do: 'project', out: sBatch, u, z: v });
    return calls;
  }

  private program(moments: boolean): Program {
    let program = this.programs.get(moments);
    if (!program) {
      program = this.executor.compile(this.step(moments, false));
      this.programs.set(moments, program);
    }
    return program;
  }

  /** Step 0. */
  private async compare(moments: boolean, check: () => void): Promise<void> {
    const program = this.executor.compile(this.step(moments, true));
    try {
      await program.run(0, 1, check);
    } finally {
      program.free();
    }
  }

  /** The blocks of a batch, once they are here. */
  private async take({ steps, tSteps, blocks }: Batch): Promise<void> {
    const [raw, rawT, wav] = await Promise.all(blocks);
    const { m, n, s } = this.shape;
    const kk = this.working.k ** 2;
    for (let i = 0; i < steps; i++) {
      this.s.push(this.working.combine(raw!.subarray(i * m * n * kk, (i + 1) * m * n * kk), m, n, true));
    }
    if (rawT) {
      if (wav) this.adjoint = wav.every((value, at) => value === rawT[at]);
      for (let i = 0; i < tSteps; i++) {
        this.t.push(this.working.combine(rawT.subarray(i * s * n * kk, (i + 1) * s * n * kk), s, n, false));
      }
    }
  }

  free(): void {
    for (const program of this.programs.values()) program.free();
    this.programs.clear();
    if (this.ownsLeft) this.left.free();
    for (const v of this.vectors) this.executor.release(v);
    for (const blocks of this.blocks) this.executor.releaseBlocks(blocks);
  }
}
