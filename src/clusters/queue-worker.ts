/** A worker of the queue in this process: takes a stage at a time, and repeats parts that are slow. */
import { DelayedError, type Job, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { ThreadedEngine } from '../engine/engine.js';
import { OptionError } from '../errors.js';
import { FormatError } from '../io/format-error.js';
import { errorToMessage } from '../questions/error-transport.js';
import { finishRun, type KeptPlan, readPlan, runStage, type StageRun } from './kept-plan.js';
import { isInTime, nameOf, QUEUE, type QueueOptions, type StageJob } from './stage-job.js';
import { isInHand, repeatSlow } from './stragglers.js';
import { isElsewhere, isFull, refused } from './unreached.js';
import { UploadedStages } from './uploaded-stages.js';

export interface WorkerOptions extends QueueOptions, Pick<StageRun, 'device' | 'threads' | 'maxMemory' | 'interval'> {
  /** Seconds of silence after which another worker takes the job; 30 by default. */
  readonly lostAfter?: number | undefined;
  /** Gets a line about each stage that is done or fails, and about Redis. */
  readonly onLine?: ((line: string) => void) | undefined;
}

export interface RunningWorker {
  /** Ends it: a stage under way keeps a checkpoint and goes back into the queue. Whether there was one. */
  stop(): Promise<boolean>;
}

/** How often a job may lose its worker: machines come and go. */
const STALLS = 1000;

/** Milliseconds between two notes of progress. */
const NOTE = 1000;

/**
 * A worker in this process, which takes a stage at a time. Of a run that was uploaded it fetches the matrix into a
 * folder of its own among the system's temporary ones, and removes that as it ends.
 */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { connection, queue = QUEUE, lostAfter = 30, onLine = () => {}, ...own } = options;
  const stopper = new AbortController();
  let stopped = false;
  let stage: Promise<unknown> = Promise.resolve();
  const uploaded = new UploadedStages(connection, stopper.signal);
  const work = async (job: Job<StageJob>, token?: string): Promise<unknown> => {
    if (await isInHand(await jobs(), job)) {
      await job.moveToDelayed(Date.now() + milliseconds, token);
      throw new DelayedError();
    }
    const engine = new ThreadedEngine({});
    try {
      const run = { ...own, stop: stopper.signal, onProgress: noteOf(job) };
      const { uploaded: id, directory } = job.data;
      const made =
        id === undefined
          ? readPlan(directory).then((plan) => answer(engine, plan, job.data, run))
          : uploaded.make(id, job.data, (plan, place) => answer(engine, plan, job.data, { ...run, ...place }));
      stage = made.catch(() => undefined);
      return await made;
    } catch (error) {
      if (uploaded.isCut && job.data.uploaded !== undefined) stopped = true; // behind its last checkpoint
      if (error instanceof StoppedError) {
        stopped = true;
        for (const line of error.warnings) onLine(`${nameOf(job.data)}: warning: ${line}`);
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const { failure: _, ...stage } = job.data;
      // A Redis that takes nothing does not take that, either.
      await job.updateData({ ...stage, failure: errorToMessage(error) }).catch(() => undefined);
      // What is wrong with the question is wrong the next time.
      if (error instanceof OptionError || error instanceof FormatError) throw new UnrecoverableError(error.message);
      throw error;
    } finally {
      await engine.dispose();
    }
  };
  const milliseconds = 1000 * lostAfter;
  const worker = new Worker<StageJob>(queue, work, {
    ...{ connection, concurrency: 1, maxStalledCount: STALLS },
    ...{ lockDuration: milliseconds, stalledInterval: milliseconds },
  });
  // The script is BullMQ's own.
  const lineOf = (error: Error): string =>
    isFull(error) || isElsewhere(error)
      ? refused(connection, error).message
      : error.message.replace(/ script: .*$/, '');
  worker.on('completed', ({ data }) => onLine(`${nameOf(data)}: done`));
  worker.on('failed', (job, error) => onLine(`${job ? nameOf(job.data) : 'a stage'}: ${lineOf(error)}`));
  worker.on('stalled', (id) => onLine(`job ${id}: its worker was lost`));
  let trouble = ''; // with Redis, told once
  worker.on('error', (error) => {
    const message = lineOf(error);
    if (message !== trouble) onLine(message);
    trouble = message;
  });
  worker.on('ready', () => {
    trouble = '';
  });
  let isIdle = false;
  worker.on('drained', () => {
    isIdle = true;
  });
  worker.on('active', () => {
    isIdle = false;
  });
  const { backend } = worker;
  let opened: Queue<StageJob> | undefined;
  const jobs = async (): Promise<Queue<StageJob>> => {
    const client = await backend.client;
    opened ??= new Queue<StageJob>(queue, { connection: client }).on('error', () => {}); // the worker tells of it
    return opened;
  };
  const look = setInterval(() => {
    if (isIdle)
      jobs()
        .then(repeatSlow)
        .catch((error: Error) => onLine(lineOf(error)));
  }, milliseconds);
  const answers = (): Promise<boolean> => isInTime(backend.client.then((client) => client.info()));
  return {
    stop: async () => {
      clearInterval(look);
      await worker.pause(true); // before the stage ends, so that no other is taken
      stopper.abort();
      // What it keeps may wait for Redis, which is asked meanwhile.
      while (!uploaded.isCut) {
        const answered = answers();
        if (await isInTime(stage)) break;
        if (!(await answered)) uploaded.cut();
      }
      await stage;
      const isThere = !uploaded.isCut && (await answers());
      if (!isThere)
        onLine('redis does not answer: a stage under way goes back into the queue once its worker is missed');
      await worker.close(!isThere);
      await uploaded.end();
      return stopped;
    },
  };
}

async function answer(engine: ThreadedEngine, plan: KeptPlan, { stage, part }: StageJob, run: StageRun) {
  if (stage === 'verify') return (await finishRun(engine, plan, run)).toJSON();
  const asked = stage === 'krylov' ? ({ kind: 'krylov', part: part! } as const) : ({ kind: 'generator' } as const);
  const { blocks, device, threads, seconds } = await runStage(engine, plan, asked, run);
  return { blocks, device, threads, seconds };
}

/** Tells the queue how far a job is. */
function noteOf(job: Job): NonNullable<StageRun['onProgress']> {
  let last = 0;
  return (event) => {
    if (Date.now() - last < NOTE) return;
    last = Date.now();
    job.updateProgress({ ...event }).catch(() => undefined);
  };
}
