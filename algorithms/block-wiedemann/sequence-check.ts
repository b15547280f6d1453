/**
 * Check vectors of a Krylov sequence: whether L steps of it are products of B = C·A, by two dot products.
 *
 *   V_(i+1) = B·V_i, N × n      S_i = U·V_(i+shift), T_i = Y·V_i      X : N × w uniform
 *   E_i : w × mU and G_i : w × sY uniform, 0 ≤ i < L; where S or T is not read, without it
 *   D = (Bᵀ)^L·X + Σ_i (Bᵀ)^(i+shift)·Uᵀ·E_iᵀ + (Bᵀ)^i·Yᵀ·G_iᵀ
 *   hence  Dᵀ·V_j = Xᵀ·V_(j+L) + Σ_i E_i·S_(j+i) + G_i·T_(j+i)  for every j
 *
 * D is made once, by L products with Bᵀ of width w, and serves every interval. Let V_j be right and V_(j+L) or some
 * block of the interval wrong, whatever went wrong between: the right side is then off by a sum with uniform factors
 * that are not all multiplied by 0, so that it fits with probability q^−w, which is at most 2^−60. A wrong D fits
 * nothing. What is damaged in memory after it was checked is met by `recheck`, which compares blocks with the digests
 * of those that fitted.
 *
 * Where Y = W·A is what is read, D and T agree whatever Y is, and T bounds a rank only if Y is that: row-space-check.ts
 * compares them before D is made and behind it; what changes in Y afterwards makes T disagree with D.
 *
 * The work: L products of width w once, in L steps dot products with D and X and a copy, and the steps from where the
 * sequence could end to the end of an interval. L is where these together are least.
 * Source: the check files of CADO-NFS's linear algebra (`secure`), which check the vectors alone.
 */
import { deriveSeed } from '../../fields/random.js';
import type { BlockVector, Executor, Operator, Program, SmallBlocks, Step } from '../../kernels/executor.js';
import { sameWords } from '../checkpoint/words.js';
import { BlockDigests, type BlocksRead, blocksRead, type KnownPiece } from './block-digests.js';
import { FailedCheckError, LostSequenceError, NoTransposeError } from './check-errors.js';
import { checkInterval } from './check-interval.js';
import { transposeBlock } from './combine.js';
import { DeviceSums } from './device-sums.js';
import type { BlockList } from './growing-blocks.js';
import type { Projections } from './projections.js';
import { randomNumbers, writeRandom } from './random-vectors.js';
import { RowSpaceCheck } from './row-space-check.js';
import type { LeftFactor } from './sparse-factor.js';
import { sumProducts } from './sum-products.js';
import { verificationWidth } from './verification.js';
import type { WorkingField } from './working-field.js';

/** In a row, from the same vectors. */
const MOST_FAILURES = 3;

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

/** Dᵀ·V and Xᵀ·V, as a device has them. */
interface Dots {
  readonly d: Uint32Array;
  readonly x: Uint32Array;
}

/** V at the end of an interval, with the products that check it, to come. */
export interface Mark {
  readonly place: number;
  readonly dots: Promise<Dots>;
}

export class SequenceCheck {
  readonly interval: number;
  passed = 0;
  failed = 0;
  private readonly executor: Executor;
  private readonly sides: CheckedSides;
  private readonly seed: bigint;
  private readonly width: number;
  private readonly rows: number; // of a block
  private readonly factors: Uint32Array; // [E_0 | G_0], [E_1 | G_1], …
  private sums: DeviceSums | null = null; // on the host where it is null
  private readonly vectors: BlockVector[] = [];
  private readonly d: BlockVector;
  private readonly x: BlockVector;
  private readonly copies: readonly BlockVector[]; // of V: one is good, the other to be checked
  private readonly blocks: SmallBlocks[] = [];
  private readonly ofD: SmallBlocks; // Dᵀ·V by the places of copies, and Xᵀ·V
  private readonly ofX: SmallBlocks;
  private readonly ofY: RowSpaceCheck | null; // where Y = W·A is read
  private v: BlockVector | null = null;
  private marks: readonly Program[] = []; // Dᵀ·V, Xᵀ·V and a copy, by the place of these
  private good: { readonly place: number; readonly dots: Dots };
  private failures = 0; // in a row
  readonly digests: BlockDigests; // of confirmed blocks

  private constructor(executor: Executor, sides: CheckedSides, interval: number, seed: bigint) {
    const { a, working, left, n } = sides;
    [this.executor, this.sides, this.interval, this.seed] = [executor, sides, interval, seed];
    this.digests = new BlockDigests(sides.read, interval);
    this.width = verificationWidth(working.log2q);
    this.rows = (sides.read === 'T' ? 0 : left.u.rows) + (sides.read === 'S' ? 0 : left.s);
    const count = interval * this.width * this.rows;
    this.factors = randomNumbers(executor, count, working.q, deriveSeed(seed, 'check factors'));
    const vector = (columns: number): BlockVector => {
      const made = executor.vector(a.cols, working.k * columns);
      this.vectors.push(made);
      return made;
    };
    const blocks = (): SmallBlocks => {
      const made = executor.blocks(2, working.k * this.width, working.k * n);
      this.blocks.push(made);
      return made;
    };
    const none = new Uint32Array(0);
    this.good = { place: 0, dots: { d: none, x: none } };
    try {
      this.makeSums();
      [this.ofD, this.ofX] = [blocks(), blocks()];
      [this.d, this.x] = [vector(this.width), vector(this.width)];
      this.copies = [vector(n), vector(n)];
      this.ofY = sides.read === 'S' ? null : RowSpaceCheck.create(executor, a, left, this.x);
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Of a sequence of so many blocks; `check` may throw between products. */
  static async create(
    executor: Executor,
    sides: CheckedSides,
    length: number,
    seed: bigint,
    check: () => void = () => {},
  ): Promise<SequenceCheck> {
    const interval = checkInterval(executor, sides.a, length);
    const made = new SequenceCheck(executor, sides, interval, seed);
    try {
      await made.makeVectors(check);
      return made;
    } catch (error) {
      made.free();
      throw error;
    }
  }

  /** The blocks that it checks. */
  blocksOf(s: BlockList, t: BlockList): BlockList {
    return blocksRead(this.sides.read, s, t);
  }

  /** V is taken for good, behind these blocks, and so are they but for what is known of them. */
  async begin(v: BlockVector, s: BlockList, known: readonly KnownPiece[] = []): Promise<void> {
    if (known.length > 0) for (const piece of known) this.digests.addKnown(piece);
    else this.digests.addAll(s);
    this.v = v;
    const { place, dots } = await this.mark();
    this.good = { place, dots: await dots };
  }

  /** V after a whole interval; the mark before has been confirmed. */
  async mark(): Promise<Mark> {
    const { executor, d, x, ofD, ofX } = this;
    const place = 1 - this.good.place;
    if (this.marks.length === 0) {
      const v = this.v!;
      const dot = (out: SmallBlocks, x: BlockVector, z: BlockVector) => ({ do: 'blockDot', out, x, z }) as const;
      const step = (to: BlockVector): Step => [dot(ofD, d, v), dot(ofX, x, v), { do: 'copy', to, from: v }];
      this.marks = this.copies.map((to) => executor.compile(step(to)));
    }
    await this.marks[place].run(place, place + 1);
    const read = [ofD, ofX].map(async (out) => executor.readBlocks(out, place, 1));
    const dots = Promise.all(read).then(([d, x]) => ({ d, x }));
    dots.catch(() => undefined);
    return { place, dots };
  }

  /** Throws FailedCheckError where the blocks since the mark before, the first of which is `first`, do not fit. */
  async confirm({ place, dots }: Mark, { count, at }: BlockList, first: number): Promise<void> {
    const now = await dots;
    const sum = await this.sumOf(at);
    const [before, behind] = [this.codes(this.good.dots.d), this.codes(now.x)];
    const F = this.sides.working.elements;
    if (sum === null || before.some((value, i) => value !== F.add(behind[i], sum[i]))) {
      this.failed++;
      if (++this.failures >= MOST_FAILURES) throw new LostSequenceError();
      throw new FailedCheckError();
    }
    this.failures = 0;
    this.passed++;
    this.digests.add(first, { count, at });
    this.good = { place, dots: now };
  }

  private makeSums(): void {
    const { executor, interval, width, rows, sides } = this;
    this.sums?.free();
    this.sums = null;
    const shape = { count: interval, rows: width, inner: rows, cols: sides.n };
    this.sums = DeviceSums.create(executor, sides.working, this.factors, shape);
  }

  /** V as it was at the last mark that was confirmed; LostSequenceError where that is damaged. */
  async goBack(): Promise<void> {
    const again = async (): Promise<boolean> => {
      this.executor.copy(this.v!, this.copies[this.good.place]);
      const { dots } = await this.mark();
      const [now, { dots: good }] = [await dots, this.good];
      return sameWords(now.d, good.d) && sameWords(now.x, good.x);
    };
    this.makeSums(); // what they keep of the factors may be what is wrong
    if ((await this.ofY?.holds()) === false) await this.ofY!.remake();
    if (await again()) return;
    await this.makeVectors(() => {});
    if (!(await again())) throw new LostSequenceError();
  }

  /** Codes of the last V that was confirmed. */
  async goodVectors(): Promise<Uint32Array> {
    return this.sides.working.fromResidues(await this.executor.read(this.copies[this.good.place]), this.sides.n);
  }

  /** Xᵀ·V of the last V that was confirmed, w × n codes. */
  get goodDots(): Uint32Array {
    return this.codes(this.good.dots.x);
  }

  /** Whether that is Xᵀ·V of these codes; of a wrong V it is with probability q^−w. Before `begin`. */
  async areThoseOf(v: Uint32Array, dots: Uint32Array): Promise<boolean> {
    const { executor, sides, copies, ofX } = this;
    if (v.some((code) => code >= sides.working.q)) return false; // no device takes what is no code
    executor.write(copies[0], sides.working.toResidues(v, sides.n));
    executor.blockDot(ofX, 0, this.x, copies[0]);
    return sameWords(this.codes(await executor.readBlocks(ofX, 0, 1)), dots);
  }

  /** Whether blocks that were confirmed are still what they were. */
  recheck(s: BlockList): boolean {
    return this.digests.agreeWith(s);
  }

  free(): void {
    this.freeMarks();
    this.sums?.free();
    this.ofY?.free();
    for (const v of this.vectors) this.executor.release(v);
    for (const out of this.blocks) this.executor.releaseBlocks(out);
  }

  private freeMarks(): void {
    for (const program of this.marks) program.free();
    this.marks = [];
  }

  /** X and D; once more where Y changes meanwhile. */
  private async makeVectors(check: () => void, turns = MOST_FAILURES): Promise<void> {
    this.freeMarks();
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
      writeRandom(executor, x, width, working, deriveSeed(this.seed, 'check vectors'));
      const { isRight, failed } = (await this.ofY?.begin()) ?? { isRight: true, failed: 0 };
      this.failed += failed;
      if (!isRight) throw new NoTransposeError();
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
    await this.makeVectors(check, turns - 1);
  }

  /** A dot product with V, w × n. */
  private codes(dots: Uint32Array): Uint32Array {
    return this.sides.working.combine(dots, this.width, this.sides.n, false);
  }

  /** Σ_i E_i·S_i of an interval; null where a word is no code. */
  private async sumOf(blockAt: (i: number) => Uint32Array): Promise<Uint32Array | null> {
    if (this.sums !== null) return this.sums.sum(blockAt);
    const { working, n } = this.sides;
    const shape = { count: this.interval, rows: this.width, inner: this.rows, cols: n };
    return sumProducts(working, this.factors, blockAt, shape);
  }
}
