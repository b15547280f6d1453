/** Lists of blocks by equal length: a permutation of the lists, by eye and by law, and only where it pays. */
import { expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import {
  type BlockLists,
  groupByLength,
  rowLists,
  transposedLists,
} from '../../../kernels/block-sparse/block-lists.js';
import { patternOf, patternWhere } from './cases.js';

const listsOf = ({ ptr, places, others }: BlockLists): [number, number][][] =>
  Array.from({ length: ptr.length - 1 }, (_, q) =>
    Array.from({ length: ptr[q + 1]! - ptr[q]! }, (_, s) => [places[ptr[q]! + s]!, others[ptr[q]! + s]!]),
  );

test('four rows, by eye', () => {
  const pattern = patternOf([[1], [0, 1, 3], [], [0, 2, 3]]);
  const text = (lists: BlockLists) =>
    listsOf(lists).map((list) => list.map(([place, at]) => `${place}:${at}`).join(' '));
  expect(text(rowLists(pattern))).toEqual(['0:1', '1:0 2:1 3:3', '', '4:0 5:2 6:3']);
  expect(text(transposedLists(pattern))).toEqual(['1:1 4:3', '0:0 2:1', '5:3', '3:1 6:3']);
  const grouped = groupByLength(rowLists(pattern), 2)!;
  expect(Array.from(grouped.rows)).toEqual([1, 3, 0, 2]);
  expect(text(grouped)).toEqual(['1:0 2:1 3:3', '4:0 5:2 6:3', '0:1', '']);
});

test.each([0, 1, 2, 3])('a permutation of lists by falling length, of one length in their order: draw %i', (draw) => {
  const random = new CounterRandom(3, draw);
  const n = 60 + draw;
  const pattern = patternWhere(n, (i, j) => random.residueAt(i * n + j, n) < (i * i + j * j) % n);
  for (const lists of [rowLists(pattern), transposedLists(pattern)]) {
    const grouped = groupByLength(lists, 8)!;
    const [before, after] = [listsOf(lists), listsOf(grouped)];
    const order = before.map((_, i) => i).sort((i, j) => before[j]!.length - before[i]!.length || i - j);
    expect(Array.from(grouped.rows)).toEqual(order);
    expect(after).toEqual(order.map((i) => before[i]!));
  }
});

test.each([
  ['no rows', 0, () => true],
  ['empty rows', 9, () => false],
  ['rows of one length', 40, (i: number, j: number) => (j - i + 40) % 40 < 5],
  ['a band, whose ends are shorter', 200, (i: number, j: number) => Math.abs(i - j) <= 1],
  ['one row of all blocks, for which its neighbours wait anyway', 100, (i: number, j: number) => i === 50 || i === j],
  ['long rows first', 64, (i: number, j: number) => j < (i < 32 ? 20 : 3)],
])('no lists of their own: %s', (_, n, has) => {
  expect(groupByLength(rowLists(patternWhere(n, has)), 8)).toBeNull();
});

test('rows whose neighbours at a time are of one length wait for none; more at a time do', () => {
  const lists = rowLists(patternWhere(64, (i, j) => j < [3, 40][(i >> 3) & 1]!));
  expect(groupByLength(lists, 8)).toBeNull();
  expect(groupByLength(lists, 16)).not.toBeNull();
});
