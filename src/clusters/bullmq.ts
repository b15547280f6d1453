/**
 * A run that is planned in parts through BullMQ on Redis: `submit` puts its stages into a queue, any number of workers
 * take them, `wiedemann/bullmq` for programs and `wiedemann queue` for a shell.
 *
 * Redis has a folder's name and a stage's, never a matrix or a vector: these are in the folder, which every worker is
 * to see. WebAssembly computes in threads of its own, so that this one renews the locks of its jobs in time. A worker
 * that is lost is noticed by its silence, and another goes on from its checkpoint; one that was only silent wastes its
 * work and does no harm. Workers with nothing to do repeat parts that are slow (stragglers.ts).
 */
import {
  type ConnectionOptions,
  DelayedError,
  FlowProducer,
  type Job,
  type JobNode,
  Queue,
  UnrecoverableError,
  WaitingError,
  Worker,
} from 'bullmq';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { ThreadedEngine } from '../engine/engine.js';
import { OptionError } from '../errors.js';
import { FormatError } from '../io/format-error.js';
import { type ErrorMessage, errorFromMessage, errorToMessage } from '../questions/error-transport.js';
import { finishRun, type KeptPlan, readPlan, runStage, type StageRun } from './kept-plan.js';
import { isInHand, repeatSlow } from './stragglers.js';
import { CLOSED, unreached } from './unreached.js';

export interface QueueOptions {
  /** As BullMQ takes it: host and port, or an ioredis client. */
  readonly connection: ConnectionOptions;
  /** The queue's name, 'wiedemann' by default. */
  readonly queue?: string | undefined;
}

export interface WorkerOptions extends QueueOptions, Pick<StageRun, 'device' | 'threads' | 'maxMemory' | 'interval'> {
  /** Seconds of silence after which another worker takes the job; 30 by default. */
  readonly lostAfter?: number | undefined;
  /** Gets a line about each stage that is done or fails, and about Redis. */
  readonly onLine?: ((line: string) => void) | undefined;
}

/** What a job is about, and what its last failure was: Redis has the line of an error alone. */
interface StageJob {
  readonly directory: string;
  readonly stage: 'krylov' | 'generator' | 'verify';
  readonly part?: number;
  readonly failure?: ErrorMessage;
}

/** The outcome of a rank as JSON: `value`, `kind`, the bounds and the rest. */
export type QueuedAnswer = Readonly<Record<string, unknown>>;

export interface Submitted {
  readonly jobs: number;
  /** The answer of the run, once a worker has verified it. Rejects with its error where a stage fails for good. */
  answer(): Promise<QueuedAnswer>;
  close(): Promise<void>;
}

export interface RunningWorker {
  /** Ends it: a stage under way keeps a checkpoint and goes back into the queue. Whether there was one. */
  stop(): Promise<boolean>;
}

const QUEUE = 'wiedemann';

/** How often a stage is tried that fails. */
const ATTEMPTS = 3;

/** How often a job may lose its worker: machines come and go. */
const STALLS = 1000;

/** Milliseconds between two notes of progress. */
const NOTE = 1000;

/** Milliseconds between two looks for the answer of a run. */
const LOOK = 500;

/** Milliseconds in which a Redis that is there answers: who is asked to end does not wait longer. */
const PATIENCE = 10_000;

/**
 * Puts all stages of the run into the queue: the verification waits for the generator, which waits for the parts.
 *
 * Rejects with a DeviceError where Redis is not there, or lets nobody in; one that is silent, or gone later, is waited
 * for.
 */
export async function submit(
  directory: string,
  { connection, queue: queueName = QUEUE }: QueueOptions,
): Promise<Submitted> {
  const { parts } = await readPlan(directory);
  const opts = { attempts: ATTEMPTS, backoff: { type: 'exponential', delay: 1000 }, failParentOnFailure: true };
  const stage = (data: StageJob) => ({ name: data.stage, queueName, data, opts });
  const made = Array.from({ length: parts }, (_, part) => stage({ directory, stage: 'krylov', part }));
  const generator = { ...stage({ directory, stage: 'generator' }), children: made };
  const flow = { ...stage({ directory, stage: 'verify' }), opts: { attempts: ATTEMPTS }, children: [generator] };
  // What is asked while Redis is gone is asked once it is back.
  const lasting = 'connect' in connection ? connection : { ...connection, maxRetriesPerRequest: null };
  const producer = new FlowProducer({ connection: lasting });
  try {
    await new Promise<void>((resolve, reject) => {
      // What comes later changes nothing.
      producer.on('error', reject);
      producer.on('ioredis:close', () => reject(CLOSED));
      producer.waitUntilReady().then(resolve, reject);
    });
  } catch (error) {
    await producer.close();
    throw unreached(connection, error as Error);
  }
  const { job } = await producer.add(flow);
  const found = () => producer.getFlow({ id: job.id!, queueName, maxChildren: parts });
  return {
    jobs: parts + 2,
    answer: async () => {
      for (;;) {
        const state = await job.getState();
        if (state === 'completed') return (await found()).job.returnvalue as QueuedAnswer;
        if (state === 'failed') {
          const tree = await found();
          throw failureIn(tree) ?? new Error(tree.job.failedReason);
        }
        if (state === 'unknown') {
          const lost = 'the queue has lost its stages: the same command submits them again';
          throw new DeviceError(`${printableName(directory)}: ${lost}`);
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK));
      }
    },
    close: async () => {
      if (!(await isInTime(producer.close()))) producer.disconnect().catch(() => undefined);
    },
  };
}

/** Whether Redis answers it. */
async function isInTime(asked: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, PATIENCE, false);
  });
  const isAnswered = asked.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([isAnswered, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The error of the stage that failed: those that waited for it have failed with it. */
function failureIn({ job, children = [] }: JobNode): Error | undefined {
  for (const child of children) {
    const found = failureIn(child);
    if (found !== undefined) return found;
  }
  const { failure, ...stage } = job.data as StageJob;
  if (failure === undefined || job.failedReason === undefined) return undefined;
  return errorFromMessage({ ...failure, message: `${nameOf(stage)}: ${failure.message}` });
}

/** A worker in this process, which takes a stage at a time. */
export function startWorker(options: WorkerOptions): RunningWorker {
  const { connection, queue = QUEUE, lostAfter = 30, onLine = () => {}, ...own } = options;
  const stopper = new AbortController();
  let stopped = false;
  let stage: Promise<unknown> = Promise.resolve();
  const work = async (job: Job<StageJob>, token?: string): Promise<unknown> => {
    if (await isInHand(await jobs(), job)) {
      await job.moveToDelayed(Date.now() + milliseconds, token);
      throw new DelayedError();
    }
    const engine = new ThreadedEngine({});
    try {
      const run = { ...own, stop: stopper.signal, onProgress: noteOf(job) };
      const made = readPlan(job.data.directory).then((plan) => answer(engine, plan, job.data, run));
      stage = made.catch(() => undefined);
      return await made;
    } catch (error) {
      if (error instanceof StoppedError) {
        stopped = true;
        for (const line of error.warnings) onLine(`${nameOf(job.data)}: warning: ${line}`);
        await job.moveToWait(token);
        throw new WaitingError();
      }
      const { failure: _, ...stage } = job.data;
      await job.updateData({ ...stage, failure: errorToMessage(error) });
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
  worker.on('completed', ({ data }) => onLine(`${nameOf(data)}: done`));
  worker.on('failed', (job, { message }) => onLine(`${job ? nameOf(job.data) : 'a stage'}: ${message}`));
  worker.on('stalled', (id) => onLine(`job ${id}: its worker was lost`));
  let trouble = ''; // with Redis, told once
  worker.on('error', ({ message }) => {
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
        .catch(({ message }: Error) => onLine(message));
  }, milliseconds);
  return {
    stop: async () => {
      clearInterval(look);
      await worker.pause(true); // before the stage ends, so that no other is taken
      stopper.abort();
      await stage;
      const isThere = await isInTime(backend.client.then((client) => client.info()));
      if (!isThere)
        onLine('redis does not answer: a stage under way goes back into the queue once its worker is missed');
      await worker.close(!isThere);
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

function nameOf({ directory, stage, part }: StageJob): string {
  return `${directory}: ${stage}${part === undefined ? '' : ` ${part}`}`;
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
