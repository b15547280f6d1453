/** The rows of take-rows.ts taken on a team (take-rows.as.ts). */
import type { WordPrime } from '../../fields/word-prime.js';
import { MemoryError } from '../errors/memory-error.js';
import { argumentList } from '../threads/argument-list.js';
import type { Team } from '../threads/team.js';
import { minusReciprocals, type TakenRows, type Taking } from './take-rows.js';
import * as L from './take-rows-layout.js';

/**
 * Entries that are copied to the threads at one time: all of them would double the memory that is touched, and the
 * first touch of it takes longer than the copy.
 */
const BATCH = 2 ** 21;

/** Rows first … end − 1 of the result, in arrays that stand in kernel memory; null where that has no room. */
export function takeRowsOnTeam(
  team: Team,
  F: WordPrime,
  taking: Taking,
  first = 0,
  end = taking.rowOrder.length,
  batch = BATCH,
): TakenRows | null {
  const { memory } = team;
  const { a, rowOrder, place, given, pivots, rowPtr } = taking;
  const skipped = rowPtr[first];
  const nnz = rowPtr[end] - skipped;
  const held: number[] = []; // the result first
  const release = (from: number): void => {
    for (const at of held.splice(from)) memory.release(at);
  };
  const alloc = (words: number): number => {
    const at = memory.alloc(4 * words);
    held.push(at);
    return at;
  };
  const put = (words: Uint32Array): number => {
    const at = alloc(words.length);
    memory.u32(at, words.length).set(words);
    return at;
  };
  try {
    const batches = cutBatches(a.rowPtr, batch);
    const most = batches.reduce((most, { begin, stop }) => Math.max(most, a.rowPtr[stop] - a.rowPtr[begin]), 0);
    const [columns, values, diagonal] = [alloc(nnz), alloc(nnz), alloc(pivots)];
    const [outPtr, fromPtr, ranks, places] = [rowPtr, a.rowPtr, invert(rowOrder), place].map(put);
    const [someColumns, someValues] = [alloc(most), alloc(most)];
    const out = [
      [L.OUT_PTR, outPtr!],
      [L.FIRST, first],
      [L.END, end],
      // Offsets count from the first row of all: a kernel's addresses are mod 2^32.
      [L.OUT_COLUMNS, (columns - 4 * skipped) | 0],
      [L.OUT_VALUES, (values - 4 * skipped) | 0],
      [L.PIVOTS, pivots],
      [L.DIAGONAL, diagonal],
    ] as const;
    for (const { begin, stop } of batches) {
      const [base, last] = [a.rowPtr[begin], a.rowPtr[stop]];
      memory.u32(someColumns, last - base).set(a.colIdx.subarray(base, last));
      memory.u32(someValues, last - base).set(a.values.subarray(base, last));
      // biome-ignore format: a line a group of words
      team.launch('takeRows', argumentList(
        ...out, [L.COUNT, stop - begin], [L.ROW_PTR, fromPtr! + 4 * begin], [L.BASE, base],
        [L.COL_IDX, someColumns], [L.VALUES, someValues], [L.RANKS, ranks! + 4 * begin],
        [L.PLACE, places!], [L.GIVEN, given],
      ), false);
    }
    if (first < pivots) {
      const factors = memory.u32(diagonal, pivots).subarray(first, end);
      factors.set(minusReciprocals(F, factors));
      team.launch('scaleRows', argumentList(...out, [L.MODULUS, F.p]), false);
    }
    release(2);
    return { colIdx: memory.u32(columns, nnz), values: memory.u32(values, nnz), release: () => release(0) };
  } catch (error) {
    release(0);
    if (error instanceof MemoryError) return null;
    throw error;
  }
}

/** Rows begin … stop − 1 of up to `batch` entries, or one row. */
function cutBatches(rowPtr: Uint32Array, batch: number): { begin: number; stop: number }[] {
  const batches: { begin: number; stop: number }[] = [];
  const rows = rowPtr.length - 1;
  for (let begin = 0, stop = 0; begin < rows; begin = stop) {
    stop = begin + 1;
    while (stop < rows && rowPtr[stop + 1] - rowPtr[begin] <= batch) stop++;
    batches.push({ begin, stop });
  }
  return batches;
}

function invert(order: Uint32Array): Uint32Array {
  const ranks = new Uint32Array(order.length);
  for (let k = 0; k < order.length; k++) ranks[order[k]] = k;
  return ranks;
}
