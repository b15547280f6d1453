/** A stage in the queue: what whoever submits it and whoever takes it both know. */
import type { ConnectionOptions } from 'bullmq';
import { printableName } from '../../kernels/errors/excerpt.js';
import type { ErrorMessage } from '../questions/error-transport.js';

export interface QueueOptions {
  /** As BullMQ takes it: host and port, or an ioredis client. */
  readonly connection: ConnectionOptions;
  /** The queue's name, 'wiedemann' by default. */
  readonly queue?: string | undefined;
}

/** What a job is about, and what its last failure was: Redis has the line of an error alone. */
export interface StageJob {
  readonly directory: string; // where the run is, or was when it was uploaded
  readonly stage: 'krylov' | 'generator' | 'verify';
  readonly part?: number;
  /** The id of a run whose arrays and matrix are in Redis (uploaded-run.ts). */
  readonly uploaded?: string;
  readonly failure?: ErrorMessage;
}

/** The outcome of a rank as JSON: `value`, `kind`, the bounds and the rest. */
export type QueuedAnswer = Readonly<Record<string, unknown>>;

export const QUEUE = 'wiedemann';

/** Milliseconds in which a Redis that is there answers: who is asked to end does not wait longer. */
const PATIENCE = 10_000;

export function nameOf({ directory, stage, part }: StageJob): string {
  return `${printableName(directory)}: ${stage}${part === undefined ? '' : ` ${part}`}`;
}

/** Whether it has come to an answer in so long. */
export async function isInTime(asked: Promise<unknown>): Promise<boolean> {
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
