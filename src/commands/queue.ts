/**
 * `wiedemann queue submit DIR` puts the stages of a planned run into a queue of BullMQ on Redis and prints the rank;
 * `wiedemann queue worker` takes them, on any machine that sees the folder, or whatever Redis has of an uploaded run.
 */
import { resolve } from 'node:path';
import type { Redis } from 'ioredis';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import type { StageRun } from '../clusters/kept-plan.js';
import { CLOSED, checkWhole, unreached } from '../clusters/unreached.js';
import { checkpointInterval, countOption, type Options, readingOptions } from './arguments.js';
import { connectionOf, type RedisAddress } from './redis-address.js';
import { catchSignals } from './signals.js';
import { writeOut } from './standard-output.js';
import { UsageError } from './usage-error.js';

/** Milliseconds after which a Redis that is gone is looked for again; BullMQ's own come to be 20 seconds. */
const RETRY = 1000;

/** Milliseconds for which a Redis that is busy may say nothing to whoever has reached it. */
const SILENCE = 1000;

export async function submit([directory, ...more]: readonly string[], options: Options): Promise<void> {
  if (directory === undefined || more.length > 0) throw new UsageError('expected DIR');
  const { submit } = await load();
  const connection = lastingConnection(options);
  const upload = options['upload'] === true;
  const submitted = await submit(resolve(directory), { connection, queue: options['name'] as string, upload });
  const caught = catchSignals();
  const ended = new Promise<never>((_, reject) => {
    caught.signal.addEventListener('abort', () => reject(caught.signal.reason));
  });
  try {
    if (options['wait'] === false) return;
    const answer = await Promise.race([submitted.answer(), ended]);
    await writeOut(
      options['json']
        ? `${JSON.stringify({ schema: 1, command: 'queue submit', ...answer })}\n`
        : `${answer['value']}\n`,
    );
    await submitted.takeBack();
  } finally {
    caught.release();
    await submitted.close();
  }
}

export async function worker(words: readonly string[], options: Options): Promise<void> {
  if (words.length > 0) throw new UsageError(`expected no words, got ${words.join(' ')}`);
  const threads = countOption('--threads', options['threads'] as string | undefined);
  const lostAfter = countOption('--lost-after', options['lostAfter'] as string | undefined);
  if (lostAfter === 0) throw new UsageError('--lost-after: expected seconds from 1 on, got 0');
  const { startWorker, Redis } = await load();
  const connection = lastingConnection(options);
  await reach(connection, Redis);
  // Before a stage is taken: every signal that ends a program is a wish to end at a checkpoint.
  const caught = catchSignals(true);
  const running = startWorker({
    ...{ connection, queue: options['name'] as string, lostAfter, threads, interval: checkpointInterval(options) },
    device: options['device'] as NonNullable<StageRun['device']>,
    maxMemory: readingOptions(options).maxMemory,
    onLine: (line) => {
      if (!options['quiet']) process.stderr.write(`queue: ${line}\n`);
    },
  });
  await new Promise<void>((resolve) => {
    for (const signal of [caught.signal, caught.stop]) signal.addEventListener('abort', () => resolve());
  });
  const isStopped = await running.stop();
  caught.release();
  if (isStopped) throw new StoppedError();
}

function lastingConnection(options: Options) {
  return { ...connectionOf(options['redis'] as string), retryStrategy: () => RETRY };
}

/** In ten turns: a program that stood still in one, with its machine, hears what has come meanwhile before the next. */
async function bearSilence(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((turned) => setTimeout(turned, SILENCE / 10).unref());
}

/** Resolves once Redis has let somebody in, or is there and silent; a worker of BullMQ would try for ever. */
async function reach(connection: RedisAddress, Client: typeof Redis): Promise<void> {
  const client = new Client({ ...connection, lazyConnect: true, retryStrategy: () => null });
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('error', (error) => reject(unreached(connection, error)));
      client.on('end', () => reject(unreached(connection, CLOSED)));
      client.on('ready', () => {
        checkWhole(client).then(resolve, (error: Error) => reject(unreached(connection, error)));
      });
      client.on('connect', () => void bearSilence().then(resolve));
      client.connect().catch(() => undefined); // an error of its own tells why
    });
  } finally {
    client.disconnect();
  }
}

async function load() {
  try {
    return { ...(await import('../clusters/bullmq.js')), ...(await import('ioredis')) };
  } catch (error) {
    if (
      (error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND' &&
      (error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND'
    )
      throw error;
    throw new DeviceError('expected the packages bullmq and ioredis: npm install bullmq ioredis');
  }
}
