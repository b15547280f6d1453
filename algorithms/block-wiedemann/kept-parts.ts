/**
 * A sequence kept in parts, each of some of its columns: U·B^i·V = [U·B^i·V_1 | U·B^i·V_2 | …].
 *
 *   part j : columns V_j of V, a sequence of its own in the store (kept-sequence.ts)
 *
 * Parts know nothing of each other, so any number of processes on any machines make them, at any time, and one that is
 * made twice is the same twice: the slower of two processes ends at its next checkpoint. Whoever wants the whole reads
 * what is kept, and makes here what is not, a part after another, so that the device holds the vectors of one. Whoever
 * makes a part checks it (sequence-check.ts), and keeps what holds; what is read back is compared with its digest.
 */
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import { LostSequenceError } from './check-errors.js';
import { type BlockList, blocksOf, digestOf, GrowingBlocks } from './growing-blocks.js';
import { OvertakenError, SequenceKeeper } from './kept-sequence.js';
import type { KrylovSequence, Sequence } from './krylov.js';
import { type SequenceTask, sharesOf } from './krylov-columns.js';
import { type KrylovShape, searchedBlocks } from './krylov-steps.js';
import { areJoined, joinColumns } from './split-sequence.js';

/** The parts of a run. */
export interface Parts {
  readonly count: number;
  readonly length: number; // blocks that each is made of before they are read
}

/** What a part is made with on this device. */
export interface PartMaker {
  readonly cols: number; // of A
  /** A sequence that goes on from what is kept, the caller's to free. */
  start(task: SequenceTask, keeper: SequenceKeeper): Promise<KrylovSequence>;
}

/** Blocks of a part, the first ones at least. */
interface PartBlocks {
  readonly s: BlockList;
  readonly t: BlockList;
  readonly adjoint: boolean | null;
  /** Whether they are still what they were when they were read, or checked. */
  holds(): boolean;
}

/** What making it took here. */
interface PartMade {
  readonly seconds: number;
  readonly passed: number; // intervals that were checked
  readonly failed: number;
}

/** What the names of its arrays begin with. */
export function partName(attempt: string, j: number): string {
  return `${attempt}-part-${String(j).padStart(4, '0')}`;
}

/** Part j of an attempt, kept whole up to `count` blocks; made as far as it is not. */
export async function makePart(
  checkpoint: Checkpoint,
  attempt: string,
  j: number,
  task: SequenceTask,
  count: number,
  maker: PartMaker,
  check: () => void,
  onStep: (done: number) => void,
): Promise<PartBlocks & PartMade> {
  for (let goal = count; ; goal = Number.POSITIVE_INFINITY) {
    const keeper = new SequenceKeeper(checkpoint, partName(attempt, j), goal);
    try {
      return await makeKept(keeper, task, count, maker, check, onStep);
    } catch (error) {
      if (!(error instanceof OvertakenError)) throw error; // and where what there is is not all, this one makes it
    }
  }
}

async function makeKept(
  keeper: SequenceKeeper,
  task: SequenceTask,
  count: number,
  maker: PartMaker,
  check: () => void,
  onStep: (done: number) => void,
): Promise<PartBlocks & PartMade> {
  const { m, n, s } = task.shape;
  const kept = await keeper.recall(m * n, s * n, maker.cols * n);
  if (kept !== null && kept.steps >= count) {
    onStep(count);
    const blocks = { s: blocksOf(kept.s, m * n), t: blocksOf(kept.t, s * n) };
    const whole = searchedBlocks({ shape: task.shape, ...blocks });
    const sums = new JoinedSums();
    sums.add(whole, 0);
    return { ...blocks, adjoint: kept.adjoint, holds: () => sums.hold(whole), seconds: 0, passed: 0, failed: 0 };
  }
  const krylov = await maker.start(task, keeper);
  try {
    await krylov.extend(count, task.moments, check, (done) => onStep(Math.min(done, count)));
    await krylov.keep();
    const { s, t, adjoint, seconds } = krylov;
    const { passed = 0, failed = 0 } = krylov.check ?? {};
    const holds = (): boolean => krylov.check?.recheck(searchedBlocks(krylov)) ?? true;
    return { s, t, adjoint, holds, seconds, passed, failed };
  } finally {
    krylov.free();
  }
}

export class PartedSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  adjoint: boolean | null = null;
  seconds = 0;
  /** Of the parts that were made here; what was joined is compared with what it was. */
  readonly check = { passed: 0, failed: 0, recheck: (s: BlockList) => this.sums.hold(s) };
  private readonly sums = new JoinedSums();
  private readonly checkpoint: Checkpoint;
  private readonly attempt: string;
  private readonly tasks: readonly SequenceTask[];
  private readonly maker: PartMaker;

  /** `attempt` is what the names of its arrays begin with. */
  constructor(checkpoint: Checkpoint, attempt: string, task: SequenceTask, parts: number, maker: PartMaker) {
    const { m, n, s } = task.shape;
    [this.checkpoint, this.attempt, this.maker] = [checkpoint, attempt, maker];
    this.shape = task.shape;
    this.tasks = sharesOf(task, parts);
    this.s = new GrowingBlocks(m * n);
    this.t = new GrowingBlocks(s * n);
  }

  /** `moments` is the task's. */
  async extend(count: number, _moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    if (count <= this.s.count) return;
    const { checkpoint, attempt, tasks, maker } = this;
    const found: PartBlocks[] = [];
    for (const [j, task] of tasks.entries()) {
      const step = (done: number): void => onStep(Math.floor((j * count + done) / tasks.length));
      const part = await makePart(checkpoint, attempt, j, task, count, maker, check, step);
      this.seconds += part.seconds;
      this.check.passed += part.passed;
      this.check.failed += part.failed;
      found.push(part);
    }
    const { shape } = this;
    const first = searchedBlocks(this).count;
    for (const which of ['s', 't'] as const) {
      joinColumns(
        this[which],
        shape.n,
        found.map((part) => part[which]),
      );
    }
    const joined = searchedBlocks(this);
    this.sums.add(joined, first);
    // They were held while other parts were made or read, and joined before there were sums.
    const own = found.map(({ s, t }) => searchedBlocks({ shape, s, t }));
    if (!found.every((part) => part.holds()) || !areJoined(joined, shape.n, own)) {
      this.check.failed++;
      throw new LostSequenceError();
    }
    const adjoint = found.map((part) => part.adjoint);
    this.adjoint = adjoint.includes(null) ? null : !adjoint.includes(false);
  }

  /** Holds nothing on a device. */
  free(): void {}
}

/** Sums of blocks as they were joined, by which it is seen later whether they still are that. */
export class JoinedSums {
  private readonly sums: { readonly first: number; readonly end: number; readonly sum: number }[] = [];

  /** Of all blocks from `first` on. */
  add(s: BlockList, first: number): void {
    this.sums.push({ first, end: s.count, sum: sumOf(s, first, s.count) });
  }

  hold(s: BlockList): boolean {
    return this.sums.every(({ first, end, sum }) => sumOf(s, first, end) === sum);
  }
}

function sumOf(s: BlockList, first: number, end: number): number {
  return digestOf((i) => s.at(first + i), end - first);
}
