/**
 * Blocks of vectors beyond one binding of a GPU: as panels of columns (kernels/executors/column-panels.ts), so that a
 * block of any width is held and multiplied in as many pieces as it takes.
 *
 *   L : the longer side      k : coordinates of an element      L·k·(bytes of a residue) ≤ a column
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import type { Executor } from '../../kernels/executor.js';
import { PaneledExecutor } from '../../kernels/executors/column-panels.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import { countPanels } from '../../kernels/executors/panel-columns.js';

/** Whole lanes of the kernels. */
const LANE = 8;

/** Columns of elements that so many bytes hold; 0 where not even the narrowest vector fits. */
export function columnsAtOnce(field: WordPrime, L: number, k: number, maxBindingBytes: number): number {
  // Over extensions there are copies with a residue a word; else pairs stand in words.
  const inPairs = field.isU16 && k === 1;
  const columns = Math.floor(maxBindingBytes / (Math.max(1, L) * k * (inPairs ? 2 : 4)));
  if (columns >= LANE) return columns - (columns % LANE);
  return inPairs ? columns - (columns % 2) : columns;
}

/** Pieces of a block of n columns there; Infinity where a column does not fit. */
export function panelsOf(field: WordPrime, L: number, k: number, n: number, maxBindingBytes: number): number {
  const most = columnsAtOnce(field, L, k, maxBindingBytes);
  return most === 0 ? Number.POSITIVE_INFINITY : countPanels(n, most);
}

interface Paneled {
  readonly executor: Executor;
  /** Of the other executor, on vectors of this one. */
  readonly panels: PaneledExecutor | null;
  readonly explanation: readonly string[];
}

/** The executor for blocks of n columns of L elements: the same where a block fits its device. */
export function inPanels(executor: Executor, L: number, k: number, n: number): Paneled {
  if (executor.name !== 'gpu') return { executor, panels: null, explanation: [] };
  const { gpu, field } = executor as GpuExecutor;
  const most = columnsAtOnce(field, L, k, gpu.maxBindingBytes);
  // A vector that does not fit at all fails where it is made.
  if (n <= most || most === 0) return { executor, panels: null, explanation: [] };
  const panels = new PaneledExecutor(executor, most, k);
  const count = countPanels(n, most);
  const limit = megabytes(gpu.maxBindingBytes);
  const line = `blocks of ${n} columns in ${count} pieces, since ${gpu.name} takes ${limit} MB in one`;
  return { executor: panels, panels, explanation: [line] };
}
