/**
 * A run on a GPU whose memory is limited: the matrix stands there while it fits beside what else a run takes; where it
 * does not, it stays on the host, and every product reads it to the GPU piece by piece. A Schur complement stands there
 * or not: where it does not, `auto` goes on with the matrix itself.
 *
 * What does not fit is known when a buffer is refused, most of them before the first step. The run then begins again,
 * with the same randomness, so that its answer is that of a GPU which holds all. A storage or words that are asked for,
 * and several GPUs, have the whole matrix or nothing.
 */
import { megabytes } from '../../kernels/errors/megabytes.js';
import { GpuBudgetError } from '../../kernels/errors/memory-error.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { RunContext } from './run-context.js';

/** Of the memory allowed, the part that an array of a piece takes at most: a piece has four. */
const PART = 32;

/** The bytes of an array of a piece, where the matrix is read piece by piece; and, when the run has ended, why. */
export interface Streaming {
  readonly streamBytes?: number;
  explanation(): readonly string[];
}

const HELD: Streaming = { explanation: () => [] };

/** Does `work` with the matrix on the device, or, where the limit of its memory refuses that, by pieces. */
export function withinBudget<C extends RunContext, T>(
  context: C,
  work: (context: C, streaming: Streaming) => Promise<T>,
): Promise<T> {
  const byPieces = (refusal: GpuBudgetError): Promise<T> => {
    const { memory } = (context.executor as GpuExecutor).gpu;
    const streamBytes = Math.max(1, Math.floor(memory.maxBytes / PART));
    const why = `the matrix is read to the GPU at every product, in pieces of ${megabytes(streamBytes)} MB an array: ${refusal.message}`;
    memory.watch();
    const explanation = (): string[] => [why, `the GPU's buffers took ${megabytes(memory.peak)} MB at most`];
    return alone(context, (own) => work(own, { streamBytes, explanation }));
  };
  return unlessRefused(context, (own) => work(own, HELD), byPieces);
}

/** What `work` gives, or, where the limit of a GPU's memory refuses a buffer of it, `otherwise` with no buffer left. */
export async function unlessRefused<C extends RunContext, T>(
  context: C,
  work: (context: C) => Promise<T>,
  otherwise: (refusal: GpuBudgetError) => Promise<T>,
): Promise<T> {
  const { executor, storage, words, rowSplit, sequenceDevices } = context;
  const isOther = [storage, words, rowSplit, sequenceDevices].some((asked) => asked !== undefined);
  if (executor.name !== 'gpu' || isOther) return work(context);
  if (!Number.isFinite((executor as GpuExecutor).gpu.memory.maxBytes)) return work(context);
  try {
    return await alone(context, work);
  } catch (error) {
    if (!(error instanceof GpuBudgetError)) throw error;
    return otherwise(error);
  }
}

/** On an executor of its own, whose buffers end with it. */
async function alone<C extends RunContext, T>(context: C, work: (context: C) => Promise<T>): Promise<T> {
  const { executor } = context;
  const own = (executor as GpuExecutor).another();
  try {
    return await work({ ...context, executor: own });
  } finally {
    own.dispose();
  }
}
