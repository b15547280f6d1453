/**
 * What each of several GPUs gets of a question: columns of the sequence, or rows of the matrix.
 *
 * Rows cost more: every product sends its block through the host, and at no size are two GPUs faster so than one, or
 * than the threads (test/bench/RESULTS.md#split-rows). A rank goes by rows only where one GPU's budget does not hold
 * the matrix, and never by pivots, each of which needs those before it; block Lanczos has nothing else to share, and
 * goes by rows because it is asked to. The GPUs' shares are by what a product takes on each
 * (kernels/executors/row-split.ts), within the budget.
 */
import { chooseBlocks } from '../../algorithms/block-wiedemann/block-shape.js';
import { numbersAnElement } from '../../algorithms/block-wiedemann/extension-degree.js';
import { WorkingField } from '../../algorithms/block-wiedemann/working-field.js';
import { lanczosWidth, TOGETHER } from '../../algorithms/lanczos/attempt.js';
import { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { MemoryError } from '../../kernels/errors/memory-error.js';
import { type RowDevice, RowSplit } from '../../kernels/executors/row-split.js';
import { ENTRY_BYTES } from '../../kernels/sparse/residue-matrix.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { WordQuestion } from './word.js';

export interface Shares {
  /** Absent where columns are shared. */
  readonly rowSplit?: RowSplit;
  /** When the run has ended by this method. */
  readonly explanation: (method: string) => readonly string[];
}

/** Methods as answers name them; a kept system may come to others than it began with. */
const [OF_SEQUENCES, LANCZOS] = [['hybrid', 'block-wiedemann'], 'block-lanczos'];

/** MemoryError where the GPUs do not hold the matrix together. */
export function planShares({ matrix, settings }: WordQuestion, devices: readonly RowDevice[]): Shares {
  if (!(matrix instanceof SparseMatrix)) throw new Error('gpus: expected a matrix, got an operator: a bug');
  const { method, maxGpuMemory } = settings;
  const [whole, share] = [1, devices.length].map((count) => bytesOnGpu(matrix, settings, count));
  const [needed, each, allowed] = [whole!, share!, maxGpuMemory ?? 0].map(megabytes);
  const count = devices.length;
  const taker = count === 1 ? 'the matrix takes' : `each of ${count} GPUs takes`;
  if (maxGpuMemory !== null && whole! > maxGpuMemory && method === 'hybrid') {
    const why = `method hybrid takes about ${needed} MB on each GPU, allowed are ${allowed}`;
    throw new MemoryError(`maxGpuMemory: ${why}; method wiedemann cuts rows`);
  }
  if (maxGpuMemory !== null && share! > maxGpuMemory && (method === 'lanczos' || whole! > maxGpuMemory))
    throw new MemoryError(`maxGpuMemory: ${taker} about ${each} MB, allowed are ${allowed}`);
  const isForced = method === 'lanczos';
  if (!isForced && (maxGpuMemory === null || whole! <= maxGpuMemory)) {
    const why = maxGpuMemory === null ? 'no budget is given' : `of about ${needed} MB ${allowed} are allowed`;
    const rows = 'rows would send every block through the host';
    const columns = `gpus: columns on ${count}`;
    const explanation = (last: string): string[] => [
      OF_SEQUENCES.includes(last)
        ? `${columns}, the whole matrix on each: ${why}; ${rows}`
        : `${columns} as long as a sequence was made; ${last} has used ${last === LANCZOS ? 'the first alone' : 'none'}`,
    ];
    return { explanation };
  }
  const most = maxGpuMemory === null ? 1 : shareWithin(maxGpuMemory, whole!, share!, count);
  const rowSplit = new RowSplit(devices, { width: residuesARow(Math.min(matrix.rows, matrix.cols), settings), most });
  const why = isForced ? '' : `: the matrix takes about ${needed}, allowed are ${allowed}`;
  const explanation = (): string[] => [
    `gpus: rows on ${count}, about ${each} MB on each${why}`,
    'gpus: every block goes through the host: slower than one GPU or the threads at every size that was measured',
    ...(count > 1 ? [`gpus: of the rows ${rowSplit.rows.join(', ')}, by the times of products`] : []),
  ];
  return { rowSplit, explanation };
}

/** The share of the matrix whose bytes on a GPU are `bytes`, between all of it and a GPU's equal share. */
function shareWithin(bytes: number, whole: number, share: number, count: number): number {
  if (whole <= bytes) return 1;
  return 1 / count + ((1 - 1 / count) * (bytes - share)) / (whole - share);
}

/** Of one of `count` GPUs: both directions of its rows, and a block with a row for each of these and of the columns. */
function bytesOnGpu({ rows, cols, nnz }: SparseMatrix, settings: Settings, count: number): number {
  const share = Math.ceil(rows / count);
  const entries = (2 * ENTRY_BYTES * nnz) / count;
  return entries + (share + cols) * (ENTRY_BYTES + rowBytes(Math.min(rows, cols), settings));
}

/** Of a row of the widest block that is multiplied. */
function rowBytes(size: number, settings: Settings): number {
  const field = WordPrime.of(Number(settings.mod));
  if (settings.method === 'lanczos' && field.p === 2) return 8;
  return (field.isU16 ? 2 : 4) * residuesARow(size, settings);
}

function residuesARow(size: number, { mod, method, block }: Settings): number {
  const field = WordPrime.of(Number(mod));
  const working = new WorkingField({ field }, method === 'lanczos' ? 'column' : 'block');
  const { k } = working;
  if (method === 'lanczos') return k * Math.max(lanczosWidth(size, working), TOGETHER);
  return k * (block?.n ?? chooseBlocks(size, numbersAnElement(field.p, 'block')).n);
}
