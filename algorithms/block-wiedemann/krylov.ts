/**
 * The block Krylov sequences of B = C·A: the long phase of block Wiedemann.
 *
 *   A : m × N, m ≥ N      C : N × m (preconditioner.ts)      V : N × n random      U : mU × N structured, one row a coordinate
 *   S_i = U·B^(i+shift)·V,  mU × n                     T_i = Y·B^i·V,  s × n,  Y = W·A with W : s × m random, or given
 *
 * With shift 1 every row of S lies in the row space of A, whose dimension is what the generator of S measures; T holds
 * the moments of s random vectors of that row space, which verification.ts expresses in the span of the U·B^(j+1).
 * All entries are codes of GF(q). Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997 for rectangular blocks.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator, Recording, SmallBlocks } from '../../kernels/executor.js';
import { GrowingBlocks } from './growing-blocks.js';
import { LeftVectors } from './projections.js';
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

/** Blocks of S and T that grow on request: what a search of the generator needs, wherever they come from. */
export interface Sequence {
  readonly shape: KrylovShape;
  /** Blocks S_0, S_1, … one after another, each m × n codes. */
  readonly s: GrowingBlocks;
  /** Blocks T_0, T_1, … one after another, each s × n codes. */
  readonly t: GrowingBlocks;
  /** Whether W·(A·V) = (W·A)·V, the right side by applyTransposed: known from the first step on, never when s = 0. */
  readonly adjoint: boolean | null;
  /** Seconds in which blocks were made, standing still left out. */
  readonly seconds: number;
  /**
   * Extends S to `count` blocks, and T to as many as long as it has fewer than `moments`; `check` may throw between steps.
   * A sequence on a device of its own goes as far as its task says by itself, and calls `onStep` between two questions too.
   */
  extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void>;
  free(): void;
}

// Blocks come back from the device in batches, one while the next ones are computed: its queue never runs dry.
const BATCH = 32;
const AHEAD = 2;

/** Fewer steps than these are done sooner than recorded: three are shown, none of them done. */
const WORTH_RECORDING = 8;

/** The batch asked for last: an executor that records must not be asked for another sequence's steps meanwhile. */
const asking = new WeakMap<Executor, Promise<unknown>>();

/** Steps under way and what they will give: blocks of S, of T, and W·A·V. */
interface Batch {
  readonly steps: number;
  readonly tSteps: number;
  readonly blocks: readonly Promise<Uint32Array | null>[];
}

export class KrylovSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  readonly left: LeftVectors;
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
  private readonly recordings = new Map<boolean, Recording>(); // of the steps of a batch, with and without moments

  /** `left` stays the caller's, as `c` does. */
  constructor(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
    left: LeftVectors,
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
      // Of V = 0: what they keep is made now, and not in the first step.
      executor.project(this.sBatch, 0, left.u, this.v);
      if (this.tBatch && left.y) executor.blockDot(this.tBatch, 0, left.y, this.v);
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
    const left = await LeftVectors.random(executor, a, working, shape, seed);
    try {
      const sequence = new KrylovSequence(executor, a, c, working, shape, seed, left);
      sequence.ownsLeft = true;
      return sequence;
    } catch (error) {
      left.free();
      throw error;
    }
  }

  /** Blocks of S known so far. */
  get length(): number {
    return this.s.count;
  }

  /** A batch is waited for only when the next ones are under way. */
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
    while (steps < count) {
      const batch = await this.start(Math.min(BATCH, count - steps), moments - tSteps, steps === 0, check);
      steps += batch.steps;
      tSteps += batch.tSteps;
      if (ahead.push(batch) > AHEAD) await take(ahead.shift()!);
    }
    for (const batch of ahead) await take(batch);
  }

  /** `steps` further steps on the device, and the blocks that they give, to come. */
  private start(steps: number, moments: number, first: boolean, check: () => void): Promise<Batch> {
    const { executor } = this;
    const ask = (): Promise<Batch> => this.ask(steps, moments, first, check);
    if (!executor.record) return ask();
    const asked = (asking.get(executor) ?? Promise.resolve()).then(ask, ask);
    asking.set(executor, asked);
    return asked;
  }

  private async ask(steps: number, moments: number, first: boolean, check: () => void): Promise<Batch> {
    const { executor } = this;
    const tSteps = this.tBatch ? Math.max(0, Math.min(steps, moments)) : 0;
    if (first) await this.step(0, tSteps > 0, true);
    const done = first ? 1 : 0;
    await this.steps(done, tSteps, true, check);
    await this.steps(Math.max(done, tSteps), steps, false, check);
    const t = this.tBatch && tSteps > 0 ? executor.readBlocks(this.tBatch, 0, tSteps) : null;
    const wav = t && this.wav && first ? executor.readBlocks(this.wav, 0, 1) : null;
    const blocks = [executor.readBlocks(this.sBatch, 0, steps), t, wav].map(async (each) => each);
    // Asked for later: a device lost meanwhile is reported then.
    for (const each of blocks) each.catch(() => undefined);
    return { steps, tSteps, blocks };
  }

  /** A step on the device, the blocks that it gives at `index` of their batch; W·A·V beside T where it is to be compared. */
  private async step(index: number, moments: boolean, compared: boolean): Promise<void> {
    const { executor, v, av } = this;
    const { u, w, y } = this.left;
    // T_i ← Y·V_i
    if (moments) executor.blockDot(this.tBatch!, index, y!, v);
    if (this.shape.shift === 0) executor.project(this.sBatch, index, u, v);
    // V_(i+1) ← C·(A·V_i)
    await this.a.apply(av, v);
    if (compared && this.wav && w) executor.blockDot(this.wav, 0, w, av);
    await this.c.apply(v, av);
    if (this.shape.shift === 1) executor.project(this.sBatch, index, u, v);
  }

  /** Steps first … end − 1 of a batch. */
  private async steps(first: number, end: number, moments: boolean, check: () => void): Promise<void> {
    if (first >= end) return;
    check();
    if (await this.replay(first, end, moments)) return;
    for (let index = first; index < end; index++) {
      check();
      await this.step(index, moments, false);
    }
  }

  /** Does them as they were recorded; false where they cannot be, or are too few. */
  private async replay(first: number, end: number, moments: boolean): Promise<boolean> {
    if (!this.executor.record || !this.a.recordable || !this.c.recordable) return false;
    const known = this.recordings.get(moments);
    if (known?.run(first, end)) return true;
    known?.free();
    this.recordings.delete(moments);
    if (end - first < WORTH_RECORDING) return false;
    const made = await this.executor.record((index) => this.step(index, moments, false));
    if (!made) return false;
    this.recordings.set(moments, made);
    return made.run(first, end);
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
    for (const recording of this.recordings.values()) recording.free();
    this.recordings.clear();
    if (this.ownsLeft) this.left.free();
    for (const v of this.vectors) this.executor.release(v);
    for (const blocks of this.blocks) this.executor.releaseBlocks(blocks);
  }
}
