/**
 * A team of threads on one shared memory, running kernels by fork and join; thread 0 is the caller itself.
 *
 * `run` blocks its caller (spinning, then in Atomics.wait), so it belongs in a worker: the engine, never a page's main
 * thread. Protocol and control block: kernels/threads/fork-join.as.ts. Workers do nothing but kernels; all threads get
 * the same arguments and split the work by (thread, threads), so results do not depend on the number of threads.
 */
import { startTeamWorker } from '#compute-worker';
import { canShareMemory, cores } from '#platform';
import { TeamError } from '../errors/team-error.js';
import { KERNEL_NAMES, type KernelName } from '../generated/kernel-names.js';
import {
  ARGUMENTS,
  CANCELLED,
  CONTROL,
  CONTROL_WORDS,
  isLeaving,
  LEAVE,
  MOST_THREADS,
  POISONED,
  poison,
  resetControl,
} from './control-block.js';
import { KernelMemory } from './memory.js';
import { Starvation } from './starvation.js';
import { compileKernels, instantiateKernels, type Kernel, type KernelExports } from './wasm-module.js';
import type { TeamWorkerData } from './worker.js';
import type { WorkerHandle } from './worker-handle.js';

/** The run was cancelled from outside through the control block. */
class CancelledError extends Error {
  override name = 'CancelledError';
}

const ARGUMENT_WORDS = 256;

interface NamedKernel {
  readonly index: number;
  readonly call: Kernel;
}

type KernelTable = Readonly<Record<KernelName, NamedKernel>>;

/** A kernel with its arguments, 32-bit words that their owner may change: what every step repeats is made once. */
export interface Command extends NamedKernel {
  readonly words: Int32Array;
  /** Whether the caller's thread is to run it without the others. */
  readonly alone: boolean;
}

/** Steps of `count` commands in kernel memory (kernels/executors/cpu-program.ts). */
export interface LaidOut {
  readonly at: number;
  readonly count: number;
}

// These passes take about a millisecond: the host's work between two kernels of a Krylov step is shorter, and a wait
// that is longer costs more than waking a sleeper. Threads beyond the cores never spin.
const SPIN = 500_000;

/** Milliseconds that a wait has spun when it counts as starved. */
const SPUN_MS = 1;

export class Team {
  readonly memory: KernelMemory;
  readonly threads: number;
  /** Passes of a waiting loop before a thread sleeps; for barriers inside kernels too. */
  readonly spin: number;
  private readonly team: KernelExports;
  private readonly kernels: KernelTable;
  private readonly workers: WorkerHandle[];
  private readonly control: Int32Array; // it stays good when the memory grows
  private readonly lost: Float64Array; // milliseconds, at 0
  private failure: string | undefined;
  private readonly starvation = new Starvation();
  private isGathering = true; // until every thread has come
  private place: number | undefined;

  private constructor(
    memory: KernelMemory,
    threads: number,
    spin: number,
    team: KernelExports,
    kernels: KernelTable,
    workers: WorkerHandle[],
  ) {
    this.memory = memory;
    this.threads = threads;
    this.spin = spin;
    this.team = team;
    this.kernels = kernels;
    this.workers = workers;
    this.control = memory.i32(0, CONTROL_WORDS);
    this.lost = memory.f64(4 * CONTROL.lost, 1);
    const lose = (why: string): void => {
      if (isLeaving(this.memory.memory)) return;
      this.failure ??= why;
      poison(this.memory.memory);
    };
    workers.forEach((worker, i) => {
      worker.onEnd((reason) => lose(`compute thread ${i + 1} ended: ${reason}`));
      worker.ready.catch((error: unknown) => lose(`compute thread ${i + 1} did not start: ${String(error)}`));
    });
    this.starvation.until = Number.POSITIVE_INFINITY;
    this.gather();
  }

  /** Starts threads − 1 workers, as `begin` does, and waits until they are ready. */
  static async create(
    threads: number,
    memory?: KernelMemory,
    start?: (data: TeamWorkerData) => WorkerHandle,
  ): Promise<Team> {
    const team = await Team.begin(threads, memory, start);
    try {
      await Promise.all(team.workers.map((worker) => worker.ready));
    } catch {
      await team.dispose();
      throw new TeamError(team.failure ?? 'a compute thread did not start');
    }
    team.gather();
    return team;
  }

  /**
   * Starts threads − 1 workers; until all of them have come, commands run on this thread alone, since a thread takes
   * long to start. `memory` may come from a supervisor on another thread (the page's or program's main thread), which
   * can then cancel or poison the team while this thread is blocked; `start` lets such a supervisor own the workers
   * too, so that it learns of their end while this thread cannot.
   */
  static async begin(
    threads: number,
    memory: KernelMemory = new KernelMemory(),
    start: (data: TeamWorkerData) => WorkerHandle = startTeamWorker,
  ): Promise<Team> {
    if (!Number.isInteger(threads) || threads < 1 || threads > MOST_THREADS) {
      throw new TeamError(`threads: expected an integer from 1 to ${MOST_THREADS}, got ${threads}`);
    }
    const count = canShareMemory() ? threads : 1;
    const module = await compileKernels();
    resetControl(memory.memory);
    const spin = count <= cores() ? SPIN : 0;
    const workers: WorkerHandle[] = [];
    try {
      for (let thread = 1; thread < count; thread++) {
        const worker = start({ module, memory: memory.memory, thread, threads: count, spin });
        worker.ready.catch(() => undefined); // the constructor reports a failure
        workers.push(worker);
      }
    } catch (error) {
      await Promise.all(workers.map((worker) => worker.terminate()));
      throw error;
    }
    const { team, kernels } = await instantiateKernels(module, memory.memory);
    const named = Object.fromEntries(KERNEL_NAMES.map((name, index) => [name, { index, call: kernels[index]! }]));
    return new Team(memory, count, spin, team, named as KernelTable, workers);
  }

  /** Runs one kernel on all threads; args are 32-bit words (negative numbers as two's complement, at most 256). */
  run(name: KernelName, ...args: number[]): void {
    this.launch(name, args, false);
  }

  /** Runs one kernel on this thread only, for work too small to share. */
  runAlone(name: KernelName, ...args: number[]): void {
    this.launch(name, args, true);
  }

  /** As run or runAlone, with arguments in an array: for kernels that many short commands start. */
  launch(name: KernelName, args: readonly number[], alone: boolean): void {
    const { index, call } = this.kernel(name, args);
    this.go({ index, call, words: args, alone });
  }

  command(name: KernelName, args: readonly number[], alone = false): Command {
    const { index, call } = this.kernel(name, args);
    return { index, call, words: Int32Array.from(args), alone };
  }

  private kernel(name: KernelName, args: readonly number[]): NamedKernel {
    if (args.length > ARGUMENT_WORDS)
      throw new TeamError(`${name}: ${args.length} arguments, at most ${ARGUMENT_WORDS}`);
    return this.kernels[name];
  }

  /**
   * Runs a command on all threads, or on this one alone. This function stays short: V8 compiles anew what a short run
   * enters often, on a core that a compute thread needs.
   */
  go(command: NamedKernel & { readonly words: ArrayLike<number>; readonly alone: boolean }): void {
    const { control, threads } = this;
    if (control[CONTROL.state] !== 0) this.check();
    control.set(command.words, ARGUMENTS >> 2);
    control[CONTROL.chunk] = 0;
    for (let t = 0; t < threads; t++) control[CONTROL.taken + 16 * t] = 0;
    const started = command.alone || threads === 1 ? 0 : performance.now();
    if (started <= this.starvation.until) {
      command.call(0, 1, ARGUMENTS);
      if (this.isGathering) this.gather();
      return;
    }
    control[CONTROL.starved] = 0;
    this.lost[0] = 0;
    this.team.startCommand(command.index);
    try {
      command.call(0, threads, ARGUMENTS);
    } catch (error) {
      poison(this.memory.memory);
      throw error;
    }
    if (this.team.awaitArrivals(threads - 1, this.spin) !== 0) {
      throw new TeamError(this.failure ?? 'a compute thread died');
    }
    if (control[CONTROL.starved] !== 0) this.starve(performance.now() - started, 1);
  }

  /** Notes a starved command: the last of work that `took` so many milliseconds, done `times` times in them. */
  private starve(took: number, times: number): void {
    const lost = this.lost[0]! + this.control[CONTROL.starved]! * SPUN_MS;
    this.starvation.lose(lost, (took - lost) / times);
  }

  /** Where the kernels are in the module's function table, in the order of their numbers. */
  get firstPlace(): number {
    if (this.place === undefined) {
      const { table } = this.team;
      this.place = table.grow(KERNEL_NAMES.length);
      for (const { index, call } of Object.values(this.kernels)) table.set(this.place + index, call);
    }
    return this.place;
  }

  /** Runs commands first … end − 1 of steps; alone, one step between two looks at the clock. */
  replay(steps: LaidOut, first: number, end: number): void {
    const { at, count } = steps;
    for (let number = first; number < end; ) {
      this.gather();
      const started = performance.now();
      const alone = this.threads === 1 || started <= this.starvation.until;
      const stop = alone && this.threads > 1 ? Math.min(end, number + count) : end;
      const before = number;
      this.control[CONTROL.starved] = 0;
      this.lost[0] = 0;
      try {
        number = this.team.replay(at, count, number, stop, alone ? 1 : this.threads, this.spin);
      } catch (error) {
        poison(this.memory.memory);
        throw error;
      }
      this.check();
      if (this.control[CONTROL.starved] !== 0) this.starve(performance.now() - started, (number - before) / count);
    }
  }

  /** Waits until all threads have come or are lost, so that a measurement has them all. */
  async waitForThreads(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.ready.catch(() => undefined)));
    this.gather();
  }

  /** Uses the other threads once all have come. None sees an earlier command, so all begin with the same one. */
  private gather(): void {
    if (!this.isGathering || Atomics.load(this.control, CONTROL.present) < this.threads - 1) return;
    this.isGathering = false;
    this.starvation.until = 0;
  }

  /** Throws if the team was cancelled or has lost a thread; `run` does this by itself. */
  check(): void {
    const state = Atomics.load(this.control, CONTROL.state);
    if (state & POISONED) throw new TeamError(this.failure ?? 'a compute thread died');
    if (state & CANCELLED) throw new CancelledError('cancelled');
    if (state & LEAVE) throw new TeamError('the team has ended');
  }

  async dispose(): Promise<void> {
    const { control } = this;
    Atomics.or(control, CONTROL.state, LEAVE);
    Atomics.notify(control, CONTROL.generation);
    await Promise.all(this.workers.map((worker) => worker.terminate()));
  }
}
