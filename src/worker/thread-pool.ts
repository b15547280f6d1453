/** The compute threads of an engine: one team, which serves its questions until one of them asks for another. */
import { cores, roomForThreads } from '#platform';
import { HostError } from '../../kernels/errors/host-error.js';
import { KernelMemory } from '../../kernels/threads/memory.js';
import { Team } from '../../kernels/threads/team.js';
import type { TeamWorkerData } from '../../kernels/threads/worker.js';
import type { WorkerHandle } from '../../kernels/threads/worker-handle.js';

/** Below it one thread answers before a second one has started. */
const SHARED_SECONDS = 0.05;

/**
 * A run beyond that gains from FEW threads; each further one costs its start, and longer waits for all of them, so that
 * it needs so many seconds of its own (test/bench/RESULTS.md#threads-by-work).
 */
const FEW = 4;
const SECONDS_A_THREAD = 2.5;

/** More threads gain nothing on a matrix that one WebAssembly memory holds. */
const MOST_THREADS = 32;

export class ThreadPool {
  readonly #startThread: (data: TeamWorkerData) => WorkerHandle;
  #team: Promise<Team> | undefined;
  #threads = 0; // of the team, as asked for

  constructor(startThread: (data: TeamWorkerData) => WorkerHandle) {
    this.#startThread = startThread;
  }

  /** Calls the threads that a question wishes before its size is known: they come while its matrix is read. */
  callAhead(wish: number | null): void {
    // The first use of the threads meets a failure again.
    if (wish !== null && wish > 1) this.#of(wish, false).catch(() => undefined);
  }

  /**
   * A team of exactly the threads wished; without a wish of as many as pay for work that one takes `seconds` for, or
   * more where they are there. `busyCores` do other work; more threads than `most` are known to gain nothing.
   */
  team(wish: number | null, seconds: number, busyCores = 0, most = MOST_THREADS): Promise<Team> {
    if (wish !== null) return this.#of(wish, false);
    const worth = seconds < SHARED_SECONDS ? 1 : Math.floor(FEW + seconds / SECONDS_A_THREAD);
    return this.#of(Math.min(worth, Math.max(1, cores() - busyCores), most, MOST_THREADS), true);
  }

  /**
   * The team there is if it has so many threads, or more where a larger one, or a smaller one, will do; else another.
   */
  #of(threads: number, larger: boolean): Promise<Team> {
    if (this.#team !== undefined && (this.#threads === threads || (larger && this.#threads > threads)))
      return this.#team;
    const before = this.#team;
    const team = (async () => {
      await (await before?.catch(() => undefined))?.dispose();
      const memory = new KernelMemory();
      return Team.begin(possibleThreads(threads, larger, memory), memory, this.#startThread);
    })();
    [this.#team, this.#threads] = [team, threads];
    team.catch(() => {
      if (this.#team === team) this.#team = undefined;
    });
    return team;
  }
}

/** `threads`, or as many as there is room for where `fewer` will do. */
function possibleThreads(threads: number, fewer: boolean, memory: KernelMemory): number {
  const room = memory.isSmall && fewer ? 1 : 1 + roomForThreads();
  if (threads <= room) return threads;
  if (fewer) return room;
  throw new HostError(`threads ${threads}: the address space that is left (ulimit -v) has room for ${room}`);
}
