/**
 * The steps of a Krylov sequence on a device: V ← C·(A·V), with U·V and Y·V of each, in batches that are under way
 * while others are read.
 *
 *   letters as in krylov.ts
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Call, Executor, Operator, Program, SmallBlocks } from '../../kernels/executor.js';
import { type BlocksRead, blocksRead } from './block-digests.js';
import type { BlockList } from './growing-blocks.js';
import type { Projections } from './projections.js';
import { writeRandom } from './random-vectors.js';
import type { LeftFactor } from './sparse-factor.js';
import type { WorkingField } from './working-field.js';

export interface KrylovShape {
  readonly m: number; // rows of U
  readonly n: number; // columns of V
  readonly s: number; // rows of Y; 0 for none
  readonly shift: 0 | 1; // with 0 rows of Y stand in place of U's
  /** Of a share of the columns: its n columns are those from `first` on of a V that has `of`. */
  readonly share?: { readonly first: number; readonly of: number } | undefined;
}

/** What a search for the generator reads. */
export function readOf({ s, shift }: KrylovShape): BlocksRead {
  return s === 0 ? 'S' : shift === 0 ? 'T' : 'both';
}

/** Its blocks of S and T. */
export function searchedBlocks(sequence: {
  readonly shape: KrylovShape;
  readonly s: BlockList;
  readonly t: BlockList;
}): BlockList {
  return blocksRead(readOf(sequence.shape), sequence.s, sequence.t);
}

/** Steps of a batch at most. */
export const BATCH = 32;

/** Steps under way and their results: blocks of S, of T, and W·A·V. */
export interface Batch {
  readonly steps: number;
  readonly tSteps: number;
  readonly blocks: readonly Promise<Uint32Array | null>[];
}

/** The same once it is here, as codes. */
export interface BatchBlocks {
  readonly s: readonly Uint32Array[];
  readonly t: readonly Uint32Array[];
  readonly adjoint: boolean | null; // null where it was not compared
}

export class KrylovSteps {
  readonly v: BlockVector;
  private readonly executor: Executor;
  private readonly a: Operator;
  private readonly c: LeftFactor;
  private readonly working: WorkingField;
  private readonly shape: KrylovShape;
  private readonly left: Projections;
  private readonly av: BlockVector;
  private readonly sBatch: SmallBlocks;
  private readonly tBatch: SmallBlocks | null;
  private readonly wav: SmallBlocks | null; // W·A·V
  private readonly vectors: BlockVector[] = []; // all of the above, to be released
  private readonly blocks: SmallBlocks[] = [];
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

  /** `steps` further steps on the device, and the blocks that they give, to come. */
  async ask(steps: number, moments: number, first: boolean, check: () => void): Promise<Batch> {
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
  async take({ steps, tSteps, blocks }: Batch): Promise<BatchBlocks> {
    const [raw, rawT, wav] = await Promise.all(blocks);
    const { working } = this;
    const { m, n, s } = this.shape;
    const kk = working.k ** 2;
    const cut = (from: Uint32Array, i: number, rows: number): Uint32Array =>
      from.subarray(i * rows * n * kk, (i + 1) * rows * n * kk);
    return {
      s: Array.from({ length: steps }, (_, i) => working.combine(cut(raw!, i, m), m, n, true)),
      t: rawT ? Array.from({ length: tSteps }, (_, i) => working.combine(cut(rawT, i, s), s, n, false)) : [],
      adjoint: rawT && wav ? wav.every((value, at) => value === rawT[at]) : null,
    };
  }

  free(): void {
    for (const program of this.programs.values()) program.free();
    this.programs.clear();
    for (const v of this.vectors) this.executor.release(v);
    for (const blocks of this.blocks) this.executor.releaseBlocks(blocks);
  }
}
