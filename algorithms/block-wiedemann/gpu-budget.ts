/**
 * A run on a GPU whose memory is limited: the matrix stands there while it fits beside what else a run takes; where it
 * does not, it stays on the host, and every product reads it to the GPU piece by piece.
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
export async function withinBudget<C extends RunContext, T>(
  context: C,
  work: (context: C, streaming: Streaming) => Promise<T>,
): Promise<T> {
  const { executor, storage, words, rowSplit, sequenceDevices } = context;
  const isOther = [storage, words, rowSplit, sequenceDevices].some((asked) => asked !== undefined);
  if (executor.name !== 'gpu' || isOther) return work(context, HELD);
  const { memory } = (executor as GpuExecutor).gpu;
  if (!Number.isFinite(memory.maxBytes)) return work(context, HELD);
  const alone = async (streaming: Streaming): Promise<T> => {
    const own = (executor as GpuExecutor).another();
    try {
      return await work({ ...context, executor: own }, streaming);
    } finally {
      own.dispose();
    }
  };
  try {
    return await alone(HELD);
  } catch (error) {
    if (!(error instanceof GpuBudgetError)) throw error;
    const streamBytes = Math.max(1, Math.floor(memory.maxBytes / PART));
    const why = `the matrix is read to the GPU at every product, in pieces of ${megabytes(streamBytes)} MB an array: ${error.message}`;
    memory.watch();
    const explanation = (): string[] => [why, `the GPU's buffers took ${megabytes(memory.peak)} MB at most`];
    return alone({ streamBytes, explanation });
  }
}
