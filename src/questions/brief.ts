/**
 * Questions that a program answers in its own thread: where that takes less than a thread takes to start.
 *
 * How long a question is shows in steps: by what is asked (`mayBeBrief`), by the matrix once it is read, by what its
 * pivots leave (run-question.ts). One that turns out long is asked again, of a thread; seeds are part of a question, so
 * its answer is the same.
 */

import type { Question } from './messages.js';
import { OVER_Q } from './options.js';

/** Bytes of a file, entries of its matrix. */
export const BRIEF_BYTES = 1 << 16;
export const BRIEF_ENTRIES = 1 << 15;

/** Seconds of the rest by estimate: code that runs for the first time takes some times as long. */
export const BRIEF_SECONDS = 0.02;

/** Beyond it integers take more than a few words. */
const LARGE = 1n << 128n;

/** The question takes too long for the program's own thread. */
export class LongError extends Error {
  override readonly name = 'LongError';
}

/** Whether the question needs no thread and may be short for some matrix. */
export function mayBeBrief({ verb, input, settings }: Question): boolean {
  const { device, threads, gpus, checkpoint, formula, mod } = settings;
  const isPlain = (device === 'auto' || device === 'cpu') && gpus === null && formula === 'shifted';
  if (verb === 'tune' || verb === 'plan' || checkpoint !== null) return false;
  return input.kind === 'bytes' && isPlain && (threads ?? 1) === 1 && (mod === OVER_Q || mod < LARGE);
}

/** Seconds of a block Wiedemann run for so many unknowns, by kernels that run for the first time. */
export function secondsOfSequence(size: number, nnz: number): number {
  return 2e-9 * size * nnz;
}

/**
 * Seconds of integers mod a prime beyond a word; `size` is the shorter side, which Krylov vectors are eliminated in.
 */
export function secondsOfBig(size: number, nnz: number): number {
  return 2e-7 * size * (size * size + nnz);
}
