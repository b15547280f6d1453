/**
 * The hook of a run that is kept: when to keep it, when to end, and its arrays in a store.
 *
 *   interval : seconds from the end of a checkpoint to the next, more where the run waits long for them (SHARE)
 *
 * A run asks `due` between two steps. Arrays are sealed and carry the run's id and their name, so that `recall` gives
 * what this run has kept under that name or nothing.
 */
import { type Fields, joinBytes, type Sealed, sealPieces, unseal } from './sealed.js';
import { type CheckpointStore, type PieceStore, StoppedError } from './store.js';

/** A checkpoint for which the run waited c seconds is followed by SHARE·c seconds of work at least: 2 % of the run. */
export const SHARE = 50;

/** Milliseconds that a run is taken to wait for where it stands, before it has. */
const ENTRY = 10;

/** Seconds between two questions whether the run is to end: they go to another thread. */
const PATIENCE = 0.2;

/**
 * Seconds for which a run that is asked to end goes on where it has kept nothing since it began: runs that are ended
 * again and again, each in the midst of what it makes again, come to an end all the same.
 */
const GRACE = 5;

/** Where a run stands, for whoever looks at it from outside. */
export interface Standing {
  readonly phase: string;
  readonly attempt: number;
  readonly done: number;
  readonly total: number;
}

export interface CheckpointOptions {
  readonly interval: number;
  /** Whether the run is asked to end. */
  stops(): Promise<boolean>;
  /** Takes a line about a damaged array. */
  remark(line: string): void;
  /** The name of the array that says where a run stands, or one of its parts. */
  readonly progress?: string | undefined;
  /** Of the run: whatever is kept says it. */
  readonly seed?: string | undefined;
  /** The folder of the store, where it is one. */
  readonly directory?: string | null | undefined;
}

/** What another process needs to keep arrays of the same run. */
export interface RunPlace {
  readonly directory: string;
  readonly run: string;
  readonly interval: number;
}

/** The name of the array that says where a run stands. */
export const PROGRESS = 'progress.json';

export class Checkpoint {
  private readonly store: CheckpointStore & Partial<PieceStore>;
  private readonly run: string;
  private readonly options: CheckpointOptions;
  private last = performance.now(); // the end of the last checkpoint
  private asked = Number.NEGATIVE_INFINITY;
  private cost = 0; // ms that the run waited for the last checkpoint
  private hasKept = false; // an array of this process, beside where it stands
  private firstStop = Number.POSITIVE_INFINITY; // when the run was asked to end
  private standing: Standing | null = null;
  private behind: number | null = null; // seconds
  private readonly begun = new Map<string, { readonly start: number; readonly first: number }>(); // phases
  private pending: Promise<void> | null = null;
  private failure: unknown = null; // of what was
  private entered = { at: performance.now(), cost: ENTRY }; // the last phase that was kept as it began

  constructor(store: CheckpointStore & Partial<PieceStore>, run: string, options: CheckpointOptions) {
    [this.store, this.run, this.options] = [store, run, options];
  }

  /** Seconds between two checkpoints at least. */
  get interval(): number {
    return this.options.interval;
  }

  /** null where no other process sees the store. */
  get folder(): RunPlace | null {
    const { directory, interval } = this.options;
    return typeof directory === 'string' ? { directory, run: this.run, interval } : null;
  }

  /** Whether to keep the run now: `stop` is to be followed by `leave`. */
  async due(): Promise<'no' | 'keep' | 'stop'> {
    if (await this.stops()) return 'stop';
    const wait = Math.max(1000 * this.options.interval, SHARE * this.cost);
    return performance.now() - this.last >= wait ? 'keep' : 'no';
  }

  /** Throws StoppedError where the run is asked to end, and keeps where it stands where that is due. */
  async pass(): Promise<void> {
    const due = await this.due();
    if (due !== 'no') await this.keepAll(async () => {});
    if (due === 'stop') this.leave();
  }

  /** Of a run that is asked to end, with all kept: throws StoppedError, but for GRACE where nothing new was kept. */
  leave(): void {
    const now = performance.now();
    this.firstStop = Math.min(this.firstStop, now);
    if (this.hasKept || now - this.firstStop >= 1000 * GRACE) throw new StoppedError();
  }

  /** Does `work`, which keeps arrays, and keeps where the run stands; the run goes on meanwhile where it `isBeside`. */
  async keepAll(work: () => Promise<void>, isBeside = false): Promise<void> {
    await this.settle();
    const start = performance.now();
    await work();
    await this.keepProgress();
    this.last = performance.now();
    this.cost = isBeside ? 0 : this.last - start;
  }

  /** Begins what `keepAll` does: no other begins, and nothing is removed, before `settle` says how it ended. */
  begin(work: () => Promise<void>, isBeside: boolean): void {
    this.watch(this.keepAll(work, isBeside));
  }

  /** Ends with what was begun, and never fails; null where nothing is being written. */
  get writing(): Promise<void> | null {
    return this.pending;
  }

  /** Waits for what was begun, and throws what that failed for. */
  async settle(): Promise<void> {
    await this.pending;
    const why = this.failure;
    this.failure = null;
    if (why !== null) throw why;
  }

  /** Seconds that the run takes behind its sequence and its order basis, about. */
  expect(seconds: number): void {
    this.behind = seconds;
  }

  note(standing: Standing): void {
    const phase = phaseOf(standing);
    if (!this.begun.has(phase)) this.begun.set(phase, { start: performance.now(), first: standing.done });
    this.standing = standing;
  }

  /**
   * A phase begins in which nothing may be kept for long: whoever looks is told. Phases that follow each other sooner
   * than that takes its share are noted alone.
   */
  async enter(standing: Standing): Promise<void> {
    this.note(standing);
    const start = performance.now();
    const { at, cost } = this.entered;
    if (this.pending !== null || start - at < Math.min(1000 * this.options.interval, SHARE * cost)) return;
    this.watch(this.keepProgress());
    await this.settle();
    const end = performance.now();
    this.entered = { at: end, cost: end - start };
  }

  /** The array of that name, if it is whole and of this run. */
  async recall(name: string): Promise<Sealed | null> {
    const array = await this.store.read(name);
    if (array === null) return null;
    const sealed = unseal(array);
    if (sealed?.fields['run'] === this.run && sealed.fields['name'] === name) return sealed;
    this.options.remark(`${name} is damaged, or of another run or name`);
    return null;
  }

  /** The bytes in pieces, one behind another. */
  async keep(name: string, fields: Fields, ...bytes: readonly Uint8Array[]): Promise<void> {
    const { seed } = this.options;
    const own = { run: this.run, name, ...(seed === undefined ? {} : { seed }), ...fields };
    const pieces = [await sealPieces(own, bytes), ...bytes];
    if (this.store.writePieces) await this.store.writePieces(name, pieces);
    else await this.store.write(name, joinBytes(pieces));
    if (name !== this.progress) this.hasKept = true;
  }

  remark(line: string): void {
    this.options.remark(line);
  }

  /** The names of all arrays, damaged ones too, that begin so. */
  async names(prefix: string): Promise<string[]> {
    return (await this.store.list()).filter((name) => name.startsWith(prefix));
  }

  remove(name: string): Promise<void> {
    return this.store.remove(name);
  }

  /** Removes the arrays whose names begin so. */
  async removeAll(prefix: string): Promise<void> {
    await this.settle();
    for (const name of await this.names(prefix)) await this.store.remove(name);
  }

  private watch(writing: Promise<void>): void {
    this.pending = writing
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.pending = null;
      });
  }

  private async stops(): Promise<boolean> {
    const now = performance.now();
    if (now - this.asked < 1000 * Math.min(PATIENCE, this.options.interval)) return false;
    this.asked = now;
    return this.options.stops();
  }

  private get progress(): string {
    return this.options.progress ?? PROGRESS;
  }

  /** `rate` : steps a second since this phase began here, others between its steps included. */
  private async keepProgress(): Promise<void> {
    if (this.standing === null) return;
    const { start, first } = this.begun.get(phaseOf(this.standing))!;
    const seconds = (performance.now() - start) / 1000;
    const rate = seconds > 0 ? (this.standing.done - first) / seconds : 0;
    const behind = this.behind === null ? {} : { behind: this.behind };
    await this.keep(this.progress, { ...this.standing, rate, ...behind, at: new Date().toISOString() });
  }
}

function phaseOf({ phase, attempt }: Standing): string {
  return `${attempt} ${phase}`;
}
