/**
 * The block Krylov sequences of B = C·A: the long phase of block Wiedemann.
 *
 *   A : m × N, m ≥ N      C : N × m (hashing.ts)      V : N × n random      U : mU × N structured, one row a coordinate
 *   S_i = U·B^(i+shift)·V,  mU × n                     T_i = Y·B^i·V,  s × n,  Y = W·A with W : s × m random, or given
 *
 * With shift 1 every row of S lies in the row space of A, whose dimension is what the generator of S measures; T holds
 * the moments of s random vectors of that row space, which verification.ts expresses in the span of the U·B^(j+1).
 * All entries are codes of GF(q). Sources: Coppersmith 1994; Kaltofen 1995; Villard 1997 for rectangular blocks.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator, Projection, SmallBlocks } from '../../kernels/executor.js';
import type { LeftFactor } from './hashing.js';
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
  /** Extends S to `count` blocks, and T to as many as long as it has fewer than `moments`; `check` may throw between steps. */
  extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void>;
  free(): void;
}

// Blocks come back from the device in batches, one while the next ones are computed: its queue never runs dry.
const BATCH = 32;
const AHEAD = 2;
const PIECE = 64;

/** Steps under way and what they will give: blocks of S, of T, and W·A·V. */
interface Batch {
  readonly steps: number;
  readonly tSteps: number;
  readonly blocks: readonly Promise<Uint32Array | null>[];
}

export class KrylovSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly u: Projection;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  /** W as a vector of A.rows elements × s, and Y = Aᵀ·W; null when s = 0. */
  readonly w: BlockVector | null;
  readonly y: BlockVector | null;
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

  private constructor(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
    rightSide: BlockVector | undefined,
  ) {
    const { m, n, s } = shape;
    const { k } = working;
    const N = a.cols;
    this.executor = executor;
    this.a = a;
    this.c = c;
    this.working = working;
    this.shape = shape;
    this.u = structuredProjection(N, m, working, deriveSeed(seed, 'U'));
    this.s = new GrowingBlocks(m * n);
    this.t = new GrowingBlocks(s * n);
    this.v = executor.vector(N, k * n);
    this.av = executor.vector(a.rows, k * n);
    writeRandom(executor, this.v, n, working, deriveSeed(seed, 'V'), shape.share);
    this.sBatch = executor.blocks(BATCH, m * k, n * k);
    this.tBatch = s > 0 ? executor.blocks(BATCH, s * k, n * k) : null;
    const random = s > 0 && rightSide === undefined;
    this.wav = random ? executor.blocks(1, s * k, n * k) : null;
    this.w = random ? executor.vector(a.rows, k * s) : null;
    this.y = rightSide ?? (random ? executor.vector(N, k * s) : null);
    if (this.w) writeRandom(executor, this.w, s, working, deriveSeed(seed, 'W'));
  }

  /** With `rightSide`, N elements × s, its rows are Y and there is no W; the sequence owns it from here on. */
  static async create(
    executor: Executor,
    a: Operator,
    c: LeftFactor,
    working: WorkingField,
    shape: KrylovShape,
    seed: bigint,
    rightSide?: BlockVector,
  ): Promise<KrylovSequence> {
    const sequence = new KrylovSequence(executor, a, c, working, shape, seed, rightSide);
    if (sequence.y && sequence.w) await a.applyTransposed(sequence.y, sequence.w);
    return sequence;
  }

  /** Blocks of S known so far. */
  get length(): number {
    return this.s.count;
  }

  /** A batch is waited for only when the next ones are under way. */
  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    let [steps, tSteps] = [this.s.count, this.t.count];
    const ahead: Batch[] = [];
    while (steps < count) {
      const batch = await this.start(Math.min(BATCH, count - steps), moments - tSteps, steps === 0, check);
      steps += batch.steps;
      tSteps += batch.tSteps;
      if (ahead.push(batch) > AHEAD) await this.take(ahead.shift()!, onStep);
    }
    for (const batch of ahead) await this.take(batch, onStep);
  }

  /** `steps` further steps on the device, and the blocks that they give, to come. */
  private async start(steps: number, moments: number, first: boolean, check: () => void): Promise<Batch> {
    const { executor } = this;
    let tSteps = 0;
    for (let step = 0; step < steps; step++) {
      check();
      // T_i ← Y·V_i
      if (this.tBatch && this.y && tSteps < moments) executor.blockDot(this.tBatch, tSteps++, this.y, this.v);
      if (this.shape.shift === 0) executor.project(this.sBatch, step, this.u, this.v);
      // V_(i+1) ← C·(A·V_i)
      await this.a.apply(this.av, this.v);
      if (this.wav && this.w && first && step === 0) executor.blockDot(this.wav, 0, this.w, this.av);
      await this.c.apply(this.v, this.av);
      if (this.shape.shift === 1) executor.project(this.sBatch, step, this.u, this.v);
    }
    const t = this.tBatch && tSteps > 0 ? executor.readBlocks(this.tBatch, 0, tSteps) : null;
    const wav = t && this.wav && first ? executor.readBlocks(this.wav, 0, 1) : null;
    const blocks = [executor.readBlocks(this.sBatch, 0, steps), t, wav].map(async (each) => each);
    // Asked for later: a device lost meanwhile is reported then.
    for (const each of blocks) each.catch(() => undefined);
    return { steps, tSteps, blocks };
  }

  /** The blocks of a batch, once they are here. */
  private async take({ steps, tSteps, blocks }: Batch, onStep: (done: number) => void): Promise<void> {
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
    onStep(this.length);
  }

  free(): void {
    for (const v of [this.v, this.av, this.w, this.y]) if (v) this.executor.release(v);
    this.executor.releaseBlocks(this.sBatch);
    for (const blocks of [this.tBatch, this.wav]) if (blocks) this.executor.releaseBlocks(blocks);
  }
}

/** A growing list of equal blocks, in pieces so that none is ever copied. */
export class GrowingBlocks {
  readonly size: number;
  private readonly pieces: Uint32Array[] = []; // PIECE blocks each
  private used = 0;

  constructor(size: number) {
    this.size = size;
  }

  get count(): number {
    return this.used;
  }

  push(block: Uint32Array): void {
    if (this.used % PIECE === 0) this.pieces.push(new Uint32Array(PIECE * this.size));
    this.used++;
    this.at(this.used - 1).set(block);
  }

  /** Whole blocks, one after another. */
  append(blocks: Uint32Array): void {
    for (let at = 0; at < blocks.length; at += this.size) this.push(blocks.subarray(at, at + this.size));
  }

  /** The blocks from `first` on, one after another. */
  copied(first: number): Uint32Array {
    const out = new Uint32Array((this.used - first) * this.size);
    for (let i = first; i < this.used; i++) out.set(this.at(i), (i - first) * this.size);
    return out;
  }

  at(i: number): Uint32Array {
    const at = (i % PIECE) * this.size;
    return this.pieces[Math.floor(i / PIECE)].subarray(at, at + this.size);
  }
}

/** U: coordinate i belongs to block row floor(i·m/N) and carries one random nonzero element of GF(q). */
export function structuredProjection(N: number, m: number, working: WorkingField, seed: bigint): Projection {
  const source = new CounterRandom(seed, 0);
  const codes = source.fillNonzero(new Uint32Array(N), working.q);
  return {
    rows: m,
    layers: working.k,
    bounds: Uint32Array.from({ length: m + 1 }, (_, r) => Math.ceil((r * N) / m)),
    coefficients: working.coordinates(codes),
  };
}

/** v ← uniform elements, n a row: on the device where it can, else in slices, so that no second copy of a long vector exists. */
function writeRandom(
  executor: Executor,
  v: BlockVector,
  n: number,
  working: WorkingField,
  seed: bigint,
  { first, of } = { first: 0, of: n },
): void {
  if (working.k === 1 && executor.random && of === n) {
    executor.random(v, seed, 0);
    return;
  }
  const source = new CounterRandom(seed, 0);
  const slice = Math.max(1, Math.floor(2 ** 18 / of));
  for (let row = 0; row < v.length; row += slice) {
    const rows = Math.min(slice, v.length - row);
    const codes = source.fillResidues(new Uint32Array(rows * of), working.q, row * of);
    executor.write(v, working.toResidues(of === n ? codes : columns(codes, of, first, n), n), row);
  }
}

/** Columns first … first + n − 1 of rows of `of`. */
function columns(codes: Uint32Array, of: number, first: number, n: number): Uint32Array {
  const out = new Uint32Array((codes.length / of) * n);
  for (let i = 0, at = 0; at < out.length; i += of) {
    for (let j = 0; j < n; j++) out[at++] = codes[i + first + j];
  }
  return out;
}
