/**
 * Answers about many matrices, in their order: each lane (lanes.ts) takes a batch of whole matrices at a time.
 *
 *   source → jobs : waiting, then at a lane → slots : answered → reader
 *
 * A batch begins with one matrix and grows while it takes less than TARGET seconds, so that small matrices share a
 * message and large ones the lanes. A lane that is lost with a batch leaves its matrices to be asked about one by one:
 * the error is then that of the matrix that takes a lane down.
 */
import { cores } from '#platform';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EngineError } from '../errors.js';
import { isPipe } from '../io/pipe-bytes.js';
import type { Answers, BatchItem } from '../questions/batch.js';
import type { InputMessage, PreparedInput } from '../questions/input.js';
import type { AnswerStream, AskedMany } from '../questions/many.js';
import { isSmall, packedWords } from '../questions/packed-ranks.js';
import type { Stretch } from './callers-code.js';
import type { Lanes } from './lanes.js';
import { LookAhead } from './look-ahead.js';
import { askPacked, follows, MatrixSlab, type Packed } from './matrix-slab.js';
import type { OpenedAnswers } from './open-answers.js';
import type { Session } from './session.js';

/** Seconds of a batch. */
const TARGET = 0.01;

/** Matrices of a batch, and bytes of their entries. */
const MOST = 64;
const MOST_BYTES = 1 << 19;

/** Matrices of a packed batch. */
const MOST_PACKED = 256;

/** The same of a batch that a GPU takes at once: all that are drawn (look-ahead.ts). */
const ON_GPU = { most: 1 << 10, bytes: 1 << 26 };

/** Of a matrix that only its lane reads. */
const UNSEEN_BYTES = 1 << 13;

interface Job {
  readonly work: Packed | Asked;
  readonly bytes: number;
  readonly slot: Slot;
  isAlone: boolean; // in its batch
}

/** A matrix that crosses threads as an object. */
interface Asked {
  readonly item: BatchItem;
  readonly prepared: PreparedInput;
}

/** Where the reader finds the answers about a matrix. */
interface Slot {
  readonly bytes: number;
  answers: Answers | null;
}

export class ManyAnswers<Outcome> {
  readonly #asked: AskedMany;
  readonly #lanes: Lanes;
  readonly #outer: Stretch | undefined;
  readonly #ahead: LookAhead;
  readonly #most: number; // lanes
  readonly #slots: Slot[] = []; // in order, from the reader's next one on
  readonly #unread = new Set<PreparedInput>(); // their streams may be open
  readonly #slab = new MatrixSlab();
  #waiting: Job[] = [];
  readonly #idle: Session[] = [];
  readonly #busy = new Set<Session>();
  #size: number; // of a batch
  #sourceEnd: { readonly failure: { readonly error: unknown } | null } | null = null;
  #stopped: { readonly error: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(asked: AskedMany, lanes: Lanes, outer: Stretch | undefined) {
    this.#asked = asked;
    this.#lanes = lanes;
    this.#outer = outer;
    this.#most = asked.threads ?? cores();
    this.#size = asked.isOnGpu ? ON_GPU.most : 1;
    const end = (failure: { readonly error: unknown } | null): void => {
      this.#sourceEnd = { failure };
      this.#wake();
    };
    this.#ahead = new LookAhead(asked.source, (given) => this.#take(given), end);
  }

  /** The answers; lanes that are at work when the reader leaves are ended. */
  async *read(): AnswerStream<Outcome> {
    const { signal, settings } = this.#asked;
    const abort = (): void => this.#stop(signal?.reason);
    signal?.addEventListener('abort', abort, { once: true });
    try {
      signal?.throwIfAborted();
      void this.#ahead.start();
      for (let index = 0; ; index++) {
        const answers = await this.#next();
        if (answers === null) return;
        if ('error' in answers) yield { index, mod: null, outcome: null, error: answers.error };
        else {
          for (const [at, answer] of answers.answers.entries()) {
            const { mod } = settings[at]!;
            if ('error' in answer) yield { index, mod, outcome: null, error: answer.error };
            else yield { index, mod, outcome: answer.outcome as Outcome, error: null };
          }
        }
      }
    } finally {
      signal?.removeEventListener('abort', abort);
      await this.#close();
    }
  }

  /** The answers about the reader's next matrix; null behind the last one. */
  async #next(): Promise<Answers | null> {
    for (;;) {
      if (this.#stopped) throw this.#stopped.error;
      const [slot] = this.#slots;
      if (slot?.answers) {
        this.#slots.shift();
        this.#ahead.free(slot.bytes);
        return slot.answers;
      }
      if (slot === undefined && this.#sourceEnd) {
        if (this.#sourceEnd.failure) throw this.#sourceEnd.failure.error;
        return null;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Takes a matrix from the source; returns the bytes that it holds. */
  #take(given: unknown): number {
    try {
      if (this.#asked.isOfRanks && given instanceof SparseMatrix && isSmall(given)) {
        return this.#enqueue(this.#slab.add(given), 4 * packedWords(given), false);
      }
      const { prepared, right } = this.#asked.prepare(given);
      const { message } = prepared;
      this.#unread.add(prepared);
      const item: BatchItem = { input: message as BatchItem['input'], right };
      return this.#enqueue({ item, prepared }, bytesOf(message), needsCaller(message));
    } catch (error) {
      this.#slots.push({ bytes: UNSEEN_BYTES, answers: { error: asError(error) } });
      this.#wake();
      return UNSEEN_BYTES;
    }
  }

  #enqueue(work: Job['work'], bytes: number, isAlone: boolean): number {
    const slot: Slot = { bytes, answers: null };
    this.#slots.push(slot);
    this.#waiting.push({ work, bytes, slot, isAlone });
    this.#dispatch();
    return bytes;
  }

  /** Gives waiting matrices to lanes without work. */
  #dispatch(): void {
    while (this.#waiting.length > 0 && this.#busy.size < this.#most && !this.#stopped) {
      const lane = this.#idle.pop() ?? this.#newLane();
      if (lane === null) return;
      this.#busy.add(lane);
      void this.#work(lane, this.#batch());
    }
  }

  /** Null where there is none: fewer lanes serve too, and without any the stream ends. */
  #newLane(): Session | null {
    try {
      return this.#lanes.take();
    } catch (error) {
      if (this.#busy.size === 0) this.#stop(error);
      return null;
    }
  }

  /** The next matrices, as many as make a batch. */
  #batch(): Job[] {
    const [first] = this.#waiting as [Job];
    const most = isPacked(first) ? Number.POSITIVE_INFINITY : this.#asked.isOnGpu ? ON_GPU.bytes : MOST_BYTES;
    let bytes = first.bytes;
    let count = 1;
    for (; count < this.#size && count < this.#waiting.length; count++) {
      const [before, job] = this.#waiting.slice(count - 1, count + 1) as [Job, Job];
      bytes += job.bytes;
      if (bytes > most || job.isAlone || first.isAlone || !goTogether(before, job)) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #work(lane: Session, jobs: Job[]): Promise<void> {
    try {
      const { items, seconds } = await this.#ask(lane, jobs);
      for (const [at, job] of jobs.entries()) this.#settle(job, items[at]!);
      if (this.#asked.isOnGpu) this.#size = ON_GPU.most;
      else if (seconds < TARGET)
        this.#size = Math.min(isPacked(jobs[0]!) ? MOST_PACKED : MOST, Math.max(this.#size, 2 * jobs.length));
      else if (seconds > 2 * TARGET) this.#size = Math.max(1, jobs.length >> 1);
    } catch (error) {
      if (this.#lanes.isOver) this.#stop(error);
      else if (jobs.length === 1) this.#settle(jobs[0]!, { error: asError(error) });
      else this.#waiting = [...jobs.map((job) => ({ ...job, isAlone: true })), ...this.#waiting];
    }
    this.#busy.delete(lane);
    if (this.#stopped) return; // whoever stopped it ends the lanes that were at work
    if (lane.usable) this.#idle.push(lane);
    else this.#lanes.leave(lane);
    this.#dispatch();
  }

  async #ask(lane: Session, jobs: Job[]): Promise<OpenedAnswers> {
    const { verb, settings } = this.#asked;
    const [{ isAlone }] = jobs as [Job];
    if (jobs.every(isPacked))
      return askPacked(
        lane,
        jobs.map(({ work }) => work),
        settings,
      );
    const works = jobs.map(({ work }) => work as Asked);
    const batch = { verb, settings, items: works.map(({ item }) => item) };
    return lane.askBatch(batch, isAlone ? works[0]!.prepared : null, this.#outer);
  }

  #settle({ slot, work }: Job, answers: Answers): void {
    slot.answers = answers;
    if ('prepared' in work) {
      this.#unread.delete(work.prepared);
      void work.prepared.chunks?.close();
    }
    if (slot === this.#slots[0]) this.#wake();
  }

  /** Ends the stream with an error. */
  #stop(error: unknown): void {
    this.#stopped ??= { error };
    this.#wake();
  }

  async #close(): Promise<void> {
    const hasFailed = this.#stopped !== null;
    this.#stopped ??= { error: new EngineError('the stream of answers was left') };
    for (const lane of this.#idle) this.#lanes.leave(lane);
    const busy = [...this.#busy];
    const ending = [
      ...busy.map((lane) => this.#lanes.end(lane)),
      ...[...this.#unread].map((one) => one.chunks?.close()),
    ];
    await Promise.all(ending);
    await this.#ahead.close().catch((error: unknown) => {
      if (!hasFailed) throw error;
    });
  }
}

type PackedJob = Job & { readonly work: Packed };

function isPacked(job: Job): job is PackedJob {
  return 'words' in job.work;
}

/** Whether a batch may have both, one behind the other. */
function goTogether(one: Job, next: Job): boolean {
  return isPacked(one) ? isPacked(next) && follows(one.work, next.work) : !isPacked(next);
}

/** Whether the lane asks the caller's thread for parts of it. */
function needsCaller(message: InputMessage): boolean {
  if (message.kind === 'bytes') return typeof message.source === 'string' && isPipe(message.source);
  return message.kind === 'stream' || message.kind === 'operator';
}

function bytesOf(message: InputMessage): number {
  if (message.kind === 'parts') return 12 * message.parts.rowIdx.length + 64;
  if (message.kind === 'triplets') return 12 * message.arrays.rowIdx.length + 64;
  const isHere = message.kind === 'bytes' && message.source instanceof Uint8Array;
  return isHere ? (message.source as Uint8Array).length : UNSEEN_BYTES;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new EngineError(String(error));
}
