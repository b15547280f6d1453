/**
 * What each of several GPUs gets of a question: columns of the sequence, or rows of the matrix.
 *
 * Rows cost more: every product sends its block through the host. So a rank goes by rows only where one GPU's budget
 * does not hold the matrix; block Lanczos has nothing else to share, and goes by rows because it is asked to.
 */
import { chooseBlocks } from '../../algorithms/block-wiedemann/block-shape.js';
import { numbersAnElement } from '../../algorithms/block-wiedemann/extension-degree.js';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { lanczosWidth, TOGETHER } from '../../algorithms/lanczos/attempt.js';
import { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { RowDevice, RowSplit } from '../../kernels/executors/split-rows.js';
import { ENTRY_BYTES } from '../../kernels/sparse/residue-matrix.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { WordQuestion } from './word.js';

export interface Shares {
  /** Absent where columns are shared. */
  readonly rowSplit?: RowSplit;
  readonly explanation: readonly string[];
}

/** MemoryError where the GPUs do not hold the matrix together. */
export function planShares({ matrix, settings }: WordQuestion, devices: readonly RowDevice[]): Shares {
  if (!(matrix instanceof SparseMatrix)) throw new Error('gpus: expected a matrix, got an operator: a bug');
  const { method, maxGpuMemory } = settings;
  const [whole, share] = [1, devices.length].map((count) => bytesOnGpu(matrix, settings, count));
  const [needed, each, allowed] = [whole!, share!, maxGpuMemory ?? 0].map(megabytes);
  const count = devices.length;
  const taker = count === 1 ? 'the matrix takes' : `each of ${count} GPUs takes`;
  if (maxGpuMemory !== null && share! > maxGpuMemory && (method === 'lanczos' || whole! > maxGpuMemory))
    throw new MemoryError(`maxGpuMemory: ${taker} about ${each} MB, allowed are ${allowed}`);
  const speeds = devices.map(() => 1);
  if (method === 'lanczos')
    return { rowSplit: { devices, speeds }, explanation: [`gpus: rows on ${count}, about ${each} MB on each`] };
  if (maxGpuMemory === null || whole! <= maxGpuMemory) {
    const why = maxGpuMemory === null ? 'no budget is given' : `of about ${needed} MB ${allowed} are allowed`;
    return { explanation: [`gpus: columns on ${count}, the whole matrix on each: ${why}`] };
  }
  return {
    rowSplit: { devices, speeds },
    explanation: [
      `gpus: rows on ${count}, about ${each} MB on each: the matrix takes about ${needed}, allowed are ${allowed}`,
    ],
  };
}

/** Of one of `count` GPUs: both directions of its rows, and a block with a row for each of these and of the columns. */
function bytesOnGpu({ rows, cols, nnz }: SparseMatrix, settings: Settings, count: number): number {
  const share = Math.ceil(rows / count);
  const entries = (2 * ENTRY_BYTES * nnz) / count;
  return entries + (share + cols) * (ENTRY_BYTES + rowBytes(Math.min(rows, cols), settings));
}

/** Of a row of the widest block that is multiplied. */
function rowBytes(size: number, { mod, method, block }: Settings): number {
  const field = WordPrime.of(Number(mod));
  if (method === 'lanczos' && field.p === 2) return 8;
  const word = field.isU16 ? 2 : 4;
  const working = new WorkingField({ field }, method === 'lanczos' ? 'column' : 'block');
  const { k } = working;
  if (method === 'lanczos') return word * k * Math.max(lanczosWidth(size, working), TOGETHER);
  return word * k * (block?.n ?? chooseBlocks(size, numbersAnElement(field.p, 'block')).n);
}
