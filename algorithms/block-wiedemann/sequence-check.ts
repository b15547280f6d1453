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
 * that are not all multiplied by 0, so that it fits with probability q^−w, which is at most 2^−60; also beside a wrong
 * D, whose error knows nothing of those factors. A wrong D alone fits no interval, but where V is 0 at what is wrong.
 * Where D was recalled (kept-check-vectors.ts) it is made again at the first interval that does not fit, and kept in
 * place of the other: nothing is recalled twice that was wrong. What is damaged in memory after it was checked is met
 * by `recheck`, which compares blocks with the digests of those that fitted.
 *
 * Where Y = W·A is what is read, D and T agree whatever Y is, and T bounds a rank only if Y is that: check-vectors.ts
 * compares them before D is made and behind it; what changes in Y afterwards makes T disagree with D.
 *
 * The work: L products of width w once, in L steps dot products with D and X and a copy, and the steps from where the
 * sequence could end to the end of an interval. L is where these together are least.
 * Source: the check files of CADO-NFS's linear algebra (`secure`), which check the vectors alone.
 */
import type { BlockVector, Executor, Program, SmallBlocks, Step } from '../../kernels/executor.js';
import { sameWords } from '../checkpoint/words.js';
import { BlockDigests, blocksRead, type KnownPiece } from './block-digests.js';
import { FailedCheckError, LostSequenceError } from './check-errors.js';
import { checkInterval } from './check-interval.js';
import { type CheckedSides, CheckVectors } from './check-vectors.js';
import { DeviceSums } from './device-sums.js';
import type { BlockList } from './growing-blocks.js';
import type { CheckKeeper } from './kept-check-vectors.js';
import { sumProducts } from './sum-products.js';

/** In a row, from the same vectors. */
const MOST_FAILURES = 3;

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
  private readonly executor: Executor;
  private readonly sides: CheckedSides;
  private readonly vectors: CheckVectors;
  private sums: DeviceSums | null = null; // on the host where it is null
  private readonly copies: BlockVector[] = []; // of V: one is good, the other to be checked
  private readonly blocks: SmallBlocks[] = [];
  private readonly ofD: SmallBlocks; // Dᵀ·V by the places of copies, and Xᵀ·V
  private readonly ofX: SmallBlocks;
  private v: BlockVector | null = null;
  private marks: readonly Program[] = []; // Dᵀ·V, Xᵀ·V and a copy, by the place of these
  private good: { readonly place: number; readonly dots: Dots };
  private failures = 0; // in a row
  private met = 0; // failures beside those of the vectors
  readonly digests: BlockDigests; // of confirmed blocks

  private constructor(executor: Executor, sides: CheckedSides, interval: number, seed: bigint, keeper?: CheckKeeper) {
    const { a, working, n, read } = sides;
    [this.executor, this.sides, this.interval] = [executor, sides, interval];
    this.digests = new BlockDigests(read, interval);
    const none = new Uint32Array(0);
    this.good = { place: 0, dots: { d: none, x: none } };
    this.vectors = new CheckVectors(executor, sides, interval, seed, keeper);
    const blocks = (): SmallBlocks => {
      const made = executor.blocks(2, working.k * this.vectors.width, working.k * n);
      this.blocks.push(made);
      return made;
    };
    try {
      this.makeSums();
      [this.ofD, this.ofX] = [blocks(), blocks()];
      for (let place = 0; place < 2; place++) this.copies.push(executor.vector(a.cols, working.k * n));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  /** Of a sequence of so many blocks, its vectors kept or recalled; `check` may throw between products. */
  static async create(
    executor: Executor,
    sides: CheckedSides,
    length: number,
    seed: bigint,
    check: () => void = () => {},
    keeper?: CheckKeeper,
  ): Promise<SequenceCheck> {
    const interval = checkInterval(executor, sides.a, length);
    const made = new SequenceCheck(executor, sides, interval, seed, keeper);
    try {
      if (!(await made.vectors.recall())) await made.vectors.make(check);
      return made;
    } catch (error) {
      made.free();
      throw error;
    }
  }

  /** Seconds that its vectors took, with as many products as an interval has steps, when they were made. */
  get seconds(): number {
    return this.vectors.seconds;
  }

  get failed(): number {
    return this.met + this.vectors.failed;
  }

  /** A failure that was met elsewhere. */
  addFailure(): void {
    this.met++;
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
    const { executor, ofD, ofX } = this;
    const { d, x } = this.vectors;
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
      this.met++;
      if (++this.failures >= MOST_FAILURES) throw new LostSequenceError();
      throw new FailedCheckError();
    }
    this.failures = 0;
    this.passed++;
    this.digests.add(first, { count, at });
    this.good = { place, dots: now };
  }

  private makeSums(): void {
    this.sums?.free();
    this.sums = null;
    this.sums = DeviceSums.create(this.executor, this.sides.working, this.vectors.factors, this.shapeOfSums);
  }

  /** V as it was at the last mark that was confirmed; LostSequenceError where that is damaged. */
  async goBack(): Promise<void> {
    const { vectors, good } = this;
    const dotsOfGood = async (): Promise<Dots> => {
      this.executor.copy(this.v!, this.copies[good.place]);
      return (await this.mark()).dots;
    };
    const again = async (): Promise<boolean> => {
      const { d, x } = await dotsOfGood();
      return sameWords(d, good.dots.d) && sameWords(x, good.dots.x);
    };
    this.makeSums(); // what they keep of the factors may be what is wrong
    const { ofY, isRecalled } = vectors;
    if ((await ofY?.holds()) === false) await ofY!.remake();
    if (!isRecalled && (await again())) return;
    this.freeMarks();
    await vectors.make(() => {});
    if (!isRecalled && !(await again())) throw new LostSequenceError();
    if (!isRecalled) return;
    // Dᵀ·V was perhaps that of a wrong D; Xᵀ·V shows by itself whether V is what it was.
    const dots = await dotsOfGood();
    if (!sameWords(dots.x, good.dots.x)) throw new LostSequenceError();
    this.good = { place: good.place, dots };
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
    const { executor, sides, copies, ofX, vectors } = this;
    if (v.some((code) => code >= sides.working.q)) return false; // no device takes what is no code
    executor.write(copies[0], sides.working.toResidues(v, sides.n));
    executor.blockDot(ofX, 0, vectors.x, copies[0]);
    return sameWords(this.codes(await executor.readBlocks(ofX, 0, 1)), dots);
  }

  /** Whether blocks that were confirmed are still what they were. */
  recheck(s: BlockList): boolean {
    return this.digests.agreeWith(s);
  }

  free(): void {
    this.freeMarks();
    this.sums?.free();
    this.vectors.free();
    for (const v of this.copies) this.executor.release(v);
    for (const out of this.blocks) this.executor.releaseBlocks(out);
  }

  private freeMarks(): void {
    for (const program of this.marks) program.free();
    this.marks = [];
  }

  /** A dot product with V, w × n. */
  private codes(dots: Uint32Array): Uint32Array {
    return this.sides.working.combine(dots, this.vectors.width, this.sides.n, false);
  }

  /** Σ_i E_i·S_i of an interval; null where a word is no code. */
  private async sumOf(blockAt: (i: number) => Uint32Array): Promise<Uint32Array | null> {
    if (this.sums !== null) return this.sums.sum(blockAt);
    return sumProducts(this.sides.working, this.vectors.factors, blockAt, this.shapeOfSums);
  }

  private get shapeOfSums() {
    const { interval, width, rows } = this.vectors;
    return { count: interval, rows: width, inner: rows, cols: this.sides.n };
  }
}
