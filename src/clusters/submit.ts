/** Puts the stages of a run into the queue, and waits for its answer. */
import { FlowProducer, type JobNode } from 'bullmq';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { printableName } from '../../kernels/errors/excerpt.js';
import { errorFromMessage } from '../questions/error-transport.js';
import { readPlan } from './kept-plan.js';
import { RedisCommands } from './redis-commands.js';
import { isInTime, nameOf, QUEUE, type QueuedAnswer, type QueueOptions, type StageJob } from './stage-job.js';
import { CLOSED, checkWhole, FULL, refused, unreached } from './unreached.js';
import { takeBack, upload, uploadId } from './upload.js';
import { UploadedRun } from './uploaded-run.js';

export interface SubmitOptions extends QueueOptions {
  /**
   * Whether the folder's arrays and the matrix are put into Redis, too: workers then need to see neither, and keep the
   * run there. Redis is to have the memory, and to forget nothing by itself (`maxmemory-policy noeviction`): full for
   * long it is a DeviceError. A run that is there already goes on there, whatever the folder has by then. false by
   * default.
   */
  readonly upload?: boolean | undefined;
}

export interface Submitted {
  readonly jobs: number; // none where an uploaded run has its answer already
  /** The answer of the run, once a worker has verified it. Rejects with its error where a stage fails for good. */
  answer(): Promise<QueuedAnswer>;
  /**
   * Of a run that was uploaded and has its answer: writes what it has kept into the folder, a few kB, which Redis keeps
   * with the answer for a week. Does nothing otherwise. RunFolderError where that cannot be written.
   */
  takeBack(): Promise<void>;
  close(): Promise<void>;
}

/** How often a stage is tried that fails. */
const ATTEMPTS = 3;

/** Milliseconds between two looks for the answer of a run. */
const LOOK = 500;

/** Looks one behind another that find a Redis that takes nothing: it may not even take that a stage has failed. */
const PATIENCE = 20;

/**
 * Puts all stages of the run into the queue: the verification waits for the generator, which waits for the parts.
 *
 * Rejects with a DeviceError where Redis is not there, or lets nobody in, or takes nothing; one that is silent, or gone
 * later, is waited for.
 */
export async function submit(directory: string, options: SubmitOptions): Promise<Submitted> {
  const { connection, queue: queueName = QUEUE } = options;
  const plan = await readPlan(directory);
  const { parts } = plan;
  // What is asked while Redis is gone is asked once it is back.
  const lasting = 'connect' in connection ? connection : { ...connection, maxRetriesPerRequest: null };
  const redis = options.upload ? await RedisCommands.open(connection) : null;
  const producer = new FlowProducer({ connection: lasting });
  try {
    await new Promise<void>((resolve, reject) => {
      // What comes later changes nothing.
      producer.on('error', reject);
      producer.on('ioredis:close', () => reject(CLOSED));
      producer.getBackend().client.then(checkWhole).then(resolve, reject);
    });
  } catch (error) {
    redis?.close();
    await producer.close();
    throw unreached(connection, error as Error);
  }
  const close = async (): Promise<void> => {
    redis?.close();
    if (!(await isInTime(producer.close()))) producer.disconnect().catch(() => undefined);
  };
  const run = redis && new UploadedRun(redis, uploadId(plan));
  try {
    if (run !== null) await upload(run, plan);
    const taken = async (): Promise<void> => {
      if (run !== null) await takeBack(run, plan);
    };
    const known = (await run?.answer()) ?? null;
    if (known !== null) return { jobs: 0, answer: async () => known, takeBack: taken, close };
    const flow = flowOf(queueName, { directory, ...(run && { uploaded: run.id }) }, parts);
    const { job } = await producer.add(flow).catch((error: Error) => {
      throw refused(connection, error);
    });
    const found = () => producer.getFlow({ id: job.id!, queueName, maxChildren: parts });
    const failed = (why: string) => new DeviceError(`${printableName(directory)}: ${why}`);
    return {
      jobs: parts + 2,
      answer: async () => {
        for (let looks = 0; ; ) {
          const state = await job.getState();
          if (state === 'completed') return (await found()).job.returnvalue as QueuedAnswer;
          if (state === 'failed') {
            const failure = failureIn(await found())!; // its own at least
            throw failure.message.endsWith(FULL.message) ? failed(refused(connection, FULL).message) : failure;
          }
          if (state === 'unknown') throw failed('the queue has lost its stages: the same command submits them again');
          const refusal = (await run?.refusal()) ?? null;
          looks = refusal === null ? 0 : looks + 1;
          if (refusal !== null && looks === PATIENCE) throw failed(refusal.message);
          await new Promise((resolve) => setTimeout(resolve, LOOK));
        }
      },
      takeBack: taken,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function flowOf(queueName: string, run: Pick<StageJob, 'directory' | 'uploaded'>, parts: number) {
  const opts = { attempts: ATTEMPTS, backoff: { type: 'exponential', delay: 1000 }, failParentOnFailure: true };
  const stage = (own: Pick<StageJob, 'stage' | 'part'>) => ({
    ...{ name: own.stage, queueName, data: { ...run, ...own }, opts },
  });
  const made = Array.from({ length: parts }, (_, part) => stage({ stage: 'krylov', part }));
  const generator = { ...stage({ stage: 'generator' }), children: made };
  return { ...stage({ stage: 'verify' }), opts: { attempts: ATTEMPTS }, children: [generator] };
}

/**
 * The error of the stage that failed: those that waited for it have failed with it. One without an error of its own has
 * lost all its workers, or Redis took nothing of them.
 */
function failureIn({ job, children = [] }: JobNode): Error | undefined {
  for (const child of children) {
    const found = failureIn(child);
    if (found !== undefined) return found;
  }
  // One that has failed, and was done when it was tried again, has the reason still.
  if (job.failedReason === undefined || job.finishedOn === undefined || job.returnvalue) return undefined;
  const { failure, ...stage } = job.data as StageJob;
  if (failure === undefined) return new DeviceError(`${nameOf(stage)}: ${job.failedReason}`);
  return errorFromMessage({ ...failure, message: `${nameOf(stage)}: ${failure.message}` });
}
