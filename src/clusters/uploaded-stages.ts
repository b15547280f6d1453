/** Stages of runs in Redis, as a worker makes them: by a store there, and a matrix that is fetched once. */
import type { ConnectionOptions } from 'bullmq';
import { FetchedMatrices } from './fetched-matrices.js';
import { type KeptPlan, readPlan, type StageRun } from './kept-plan.js';
import { RedisCommands } from './redis-commands.js';
import type { QueuedAnswer, StageJob } from './stage-job.js';
import { OverError, UploadedRun } from './uploaded-run.js';

export class UploadedStages {
  readonly #connection: ConnectionOptions;
  readonly #stop: AbortSignal;
  readonly #matrices = new FetchedMatrices();
  #redis: RedisCommands | null = null; // once a run needs it

  constructor(connection: ConnectionOptions, stop: AbortSignal) {
    [this.#connection, this.#stop] = [connection, stop];
  }

  /** What `make` says of a stage, or nothing where the run is over already; of a verification the answer. */
  async make(
    id: string,
    { directory, stage }: StageJob,
    make: (plan: KeptPlan, place: Pick<StageRun, 'store' | 'file'>) => Promise<QueuedAnswer>,
  ): Promise<QueuedAnswer> {
    this.#redis ??= await RedisCommands.open(this.#connection);
    const run = new UploadedRun(this.#redis, id);
    const over = await run.answer();
    if (over !== null) return stage === 'verify' ? over : {};
    try {
      const plan = await readPlan(directory, run);
      const made = await make(plan, { store: run, file: await this.#matrices.file(run, this.#stop) });
      if (stage === 'verify') await run.end(made);
      return made;
    } catch (error) {
      // Another worker has ended the run meanwhile.
      if (!(error instanceof OverError)) throw error;
      return stage === 'verify' ? ((await run.answer()) ?? {}) : {};
    }
  }

  /** Whatever waits for Redis fails. */
  cut(): void {
    this.#redis?.close();
  }

  get isCut(): boolean {
    return this.#redis?.isClosed ?? false;
  }

  async end(): Promise<void> {
    this.cut();
    await this.#matrices.remove();
  }
}
