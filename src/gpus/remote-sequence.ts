/** The sequence of a process with a GPU of its own, on the side that started it. */
import { BlockDigests } from '../../algorithms/block-wiedemann/block-digests.js';
import { type BlockList, GrowingBlocks } from '../../algorithms/block-wiedemann/growing-blocks.js';
import type { Sequence } from '../../algorithms/block-wiedemann/krylov.js';
import type { SequenceTask } from '../../algorithms/block-wiedemann/krylov-columns.js';
import { type KrylovShape, readOf } from '../../algorithms/block-wiedemann/krylov-steps.js';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import type { FromGpuProcess, ToGpuProcess } from './process.js';

/** The process, as its sequence needs it. */
interface SequenceHost {
  tell(message: ToGpuProcess): Promise<void>;
  ask(message: ToGpuProcess, take: (message: FromGpuProcess) => boolean): Promise<void>;
  /** Its sequence ends. */
  forget(): void;
}

type Blocks = Extract<FromGpuProcess, { kind: 'blocks' }>;

/** A sequence that such a process finds ahead of time: its blocks come without a request. */
export class RemoteSequence implements Sequence {
  readonly shape: KrylovShape;
  readonly s: GrowingBlocks;
  readonly t: GrowingBlocks;
  adjoint: boolean | null = null;
  seconds = 0;
  /** `recheck` goes by digests that the process made of the blocks which fitted its check. */
  readonly check = { passed: 0, failed: 0, recheck: (blocks: BlockList) => this.#digests.agreeWith(blocks) };
  readonly #digests: BlockDigests;
  readonly #process: SequenceHost;
  readonly #isChecked: boolean;
  #asked: number; // blocks, by the task at first
  #confirmed = 0; // blocks whose digests are here
  #lost: Error | undefined;
  #stopped: Promise<void> | undefined;
  #onStep: (done: number) => void = () => {};
  #arrived: () => void = () => {};

  constructor(process: SequenceHost, { shape, length, checked = false }: SequenceTask) {
    const { m, n, s } = shape;
    [this.#process, this.#isChecked] = [process, checked];
    this.#asked = length;
    this.shape = shape;
    this.#digests = new BlockDigests(readOf(shape), 0);
    this.s = new GrowingBlocks(m * n);
    this.t = new GrowingBlocks(s * n);
  }

  /** Blocks of an interval may come before its digest, which is waited for. */
  async extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    this.#onStep = onStep;
    if (count > this.#asked) {
      this.#asked = count;
      await this.#process.tell({ kind: 'extend', count, moments });
    }
    while ((this.#isChecked ? this.#confirmed : this.s.count) < count) {
      check();
      if (this.#lost) throw this.#lost;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }

  take({ s, t, adjoint, seconds, checks: { known, ...counts } }: Blocks): void {
    Object.assign(this.check, counts);
    this.#digests.take(known);
    for (const { first, count } of known) this.#confirmed = Math.max(this.#confirmed, first + count);
    this.s.append(s);
    this.t.append(t);
    this.adjoint = adjoint;
    this.seconds = seconds;
    this.#onStep(this.s.count);
    this.#arrived();
  }

  /** Whoever waits for blocks gets `why`, once the process has kept what it has made; the first call alone tells it. */
  stop(why: Error = new StoppedError()): Promise<void> {
    this.#stopped ??= this.#process
      .ask({ kind: 'stop' }, ({ kind }) => kind === 'stopped')
      .finally(() => this.lose(why));
    return this.#stopped;
  }

  /** The sequence has no further blocks. */
  lose(error: Error): void {
    this.#lost ??= error;
    this.#arrived();
  }

  free(): void {
    this.#process.forget();
  }
}
