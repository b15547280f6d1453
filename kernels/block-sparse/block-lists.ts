/**
 * What a product with A or A^T reads of the pattern: a list of blocks for each block row of what is multiplied, and
 * these lists in an order that has equal lengths together.
 *
 *   list q of block row i : places[s] of blocks at block columns others[s], ptr[q] ≤ s < ptr[q + 1]     i = rows[q]
 *
 * Invocations of a SIMD group that have several lists take as many turns as the longest of them has blocks. Lists of
 * equal length side by side let none of them wait. Source of the grouping: Afanasyev, Potapov 2014.
 *
 * The lists themselves stand in the new order, so that neighbours read neighbouring words of ptr, places and others,
 * and the row's number is all that is read in addition. With a permutation in front of lists in their old order that
 * number is read too, and ptr, places and others of neighbours are in sectors apart: of each about 28 of 32 bytes a row
 * are read in vain. Blocks, and b rows of X or Y, are whole sectors wherever they stand.
 */
import type { BlockPattern } from './block-pattern.js';

export interface BlockLists {
  readonly ptr: Uint32Array;
  readonly places: Uint32Array;
  readonly others: Uint32Array;
}

interface GroupedLists extends BlockLists {
  readonly rows: Uint32Array; // a permutation
}

/** Grouping is made where it saves so many of all turns: fewer are not worth lists of their own. */
const LEAST_SAVED = 0.05;

/** Block rows. */
export function rowLists({ rowPtr, colIdx }: BlockPattern): BlockLists {
  return { ptr: rowPtr, places: Uint32Array.from(colIdx.keys()), others: colIdx };
}

/** Block columns, each from its first block row on. */
export function transposedLists({ n, rowPtr, colIdx }: BlockPattern): BlockLists {
  const ptr = new Uint32Array(n + 1);
  for (const j of colIdx) ptr[j + 1]!++;
  for (let j = 0; j < n; j++) ptr[j + 1]! += ptr[j]!;
  const [places, others, next] = [new Uint32Array(colIdx.length), new Uint32Array(colIdx.length), ptr.slice()];
  for (let i = 0; i < n; i++)
    for (let s = rowPtr[i]!; s < rowPtr[i + 1]!; s++) {
      const at = next[colIdx[s]!]!++;
      places[at] = s;
      others[at] = i;
    }
  return { ptr, places, others };
}

/** The lists by length, the longest first; null where `together` neighbours at a time hardly wait for one another. */
export function groupByLength(lists: BlockLists, together: number): GroupedLists | null {
  const rows = rowsByLength(lists.ptr);
  const ptr = new Uint32Array(lists.ptr.length);
  for (const [q, i] of rows.entries()) ptr[q + 1] = ptr[q]! + lists.ptr[i + 1]! - lists.ptr[i]!;
  if (turnsOf(ptr, together) >= (1 - LEAST_SAVED) * turnsOf(lists.ptr, together)) return null;
  const [places, others] = [lists.places.slice(), lists.others.slice()];
  for (const [q, i] of rows.entries()) {
    const from = lists.ptr[i]! - ptr[q]!;
    for (let s = ptr[q]!; s < ptr[q + 1]!; s++) {
      places[s] = lists.places[from + s]!;
      others[s] = lists.others[from + s]!;
    }
  }
  return { ptr, places, others, rows };
}

/**
 * A stable counting sort, so that lists of one length in one problem stay neighbours, as the rows of X that they read
 * are. The longest come first: the last workgroups of a dispatch are short ones.
 */
function rowsByLength(ptr: Uint32Array): Uint32Array {
  const n = ptr.length - 1;
  let longest = 0;
  for (let i = 0; i < n; i++) longest = Math.max(longest, ptr[i + 1]! - ptr[i]!);
  const next = new Uint32Array(longest + 2); // by what the longest has more
  for (let i = 0; i < n; i++) next[longest - (ptr[i + 1]! - ptr[i]!) + 1]!++;
  for (let less = 0; less < longest; less++) next[less + 1]! += next[less]!;
  const rows = new Uint32Array(n);
  for (let i = 0; i < n; i++) rows[next[longest - (ptr[i + 1]! - ptr[i]!)]!++] = i;
  return rows;
}

/** Of all lists, `together` neighbours waiting for the longest of them. */
function turnsOf(ptr: Uint32Array, together: number): number {
  const n = ptr.length - 1;
  let turns = 0;
  for (let first = 0; first < n; first += together) {
    const end = Math.min(first + together, n);
    let most = 0;
    for (let q = first; q < end; q++) most = Math.max(most, ptr[q + 1]! - ptr[q]!);
    turns += most * (end - first);
  }
  return turns;
}
