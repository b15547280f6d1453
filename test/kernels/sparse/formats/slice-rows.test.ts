/** Slices that a team makes are, word by word, those that are made without one. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sliceRowsOnTeam as sliceOnThreads } from '../../../../dist/kernels/sparse/formats/slice-rows-team.js';
import { Team as ThreadedTeam } from '../../../../dist/kernels/threads/team.js';
import type { ProductSizes } from '../../../../kernels/sparse/formats/product-sizes.js';
import { type RowRuns, wholeRows } from '../../../../kernels/sparse/formats/row-runs.js';
import { type SlicedRows, sliceRows } from '../../../../kernels/sparse/formats/slice-rows.js';
import { sliceRowsOnTeam } from '../../../../kernels/sparse/formats/slice-rows-team.js';
import { LONG, WINDOW } from '../../../../kernels/sparse/formats/sliced-ell-slices.js';
import { splitColumns } from '../../../../kernels/sparse/split-columns.js';
import { KernelMemory } from '../../../../kernels/threads/memory.js';
import { Team } from '../../../../kernels/threads/team.js';
import { CASES, matrixOf } from '../../executors/cases.js';

let team: Team;
let threads: ThreadedTeam;
beforeAll(async () => {
  [team, threads] = [await Team.create(1), await ThreadedTeam.create(3)];
});
afterAll(() => Promise.all([team.dispose(), threads.dispose()]));

/** What was there before must not show. */
function soil(memory: KernelMemory): void {
  const at = memory.alloc(2 ** 22);
  memory.u32(at, 2 ** 20).fill(0xffffffff);
  memory.release(at);
}

function copyOf({ pieces, long }: SlicedRows): unknown {
  return {
    long,
    pieces: pieces.map(({ first, slice, window, ...arrays }) => [
      [first, slice, window],
      ...Object.values(arrays).map((words) => words.slice()),
    ]),
  };
}

/** On one thread and on three; kernel memory is as it was. */
function expectSame(
  a: RowRuns,
  p: number,
  maxBytes = Number.POSITIVE_INFINITY,
  batch?: number,
  sizes: ProductSizes = {},
): void {
  const expected = copyOf(sliceRows(a, p, maxBytes, sizes));
  for (const [slice, on] of [
    [sliceRowsOnTeam, team],
    [sliceOnThreads, threads],
  ] as [typeof sliceRowsOnTeam, Team][]) {
    soil(on.memory);
    const free = on.memory.alloc(1);
    on.memory.release(free);
    const sliced = slice(on, a, p, maxBytes, sizes, batch)!;
    expect(copyOf(sliced)).toEqual(expected);
    sliced.release();
    expect(on.memory.alloc(1)).toBe(free);
    on.memory.release(free);
  }
}

describe.each([2, 3, 101, 65521, 65537, 2147483629])('p = %d', (p) => {
  test.each([
    ...CASES,
    {
      name: 'three windows of rows, long ones among them',
      matrix: (p: number) => matrixOf(2 * WINDOW + 40, 300, p, 'mixed', (i) => (i % 5000 === 7 ? 290 : i % 6)),
    },
    {
      name: 'rows as long as they may be',
      matrix: (p: number) => matrixOf(70, 600, p, 'mixed', (i) => LONG - 1 + (i % 3)),
    },
  ])('$name, whole, in pieces and cut between columns', ({ matrix }) => {
    const a = wholeRows(matrix(p));
    for (const maxBytes of [undefined, 4096]) expectSame(a, p, maxBytes);
    for (const maxBytes of [undefined, 4096, 2 ** 17]) expectSame(a, p, maxBytes, 1); // a window of rows at a time
    const small = { window: 64, slice: 8, cut: 5 };
    for (const sizes of [small, { slice: 256, window: 2 ** 12 }]) {
      for (const maxBytes of [undefined, 4096]) expectSame(a, p, maxBytes, 40, sizes);
    }
    for (const part of splitColumns(a, [Math.floor(a.cols / 3)])) expectSame(part, p);
  });
});

test('of a matrix that stands in kernel memory', () => {
  const { memory } = team;
  const a = wholeRows(matrixOf(500, 300, 65521, 'mixed', (i) => i % 40));
  const place = (words: Uint32Array): Uint32Array => {
    const at = memory.alloc(4 * words.length);
    const view = memory.u32(at, words.length);
    view.set(words);
    return view;
  };
  const [colIdx, values] = [place(a.colIdx), place(a.values)];
  const sliced = sliceRowsOnTeam(team, { ...a, colIdx, values }, 65521, 4096)!;
  expect(copyOf(sliced)).toEqual(copyOf(sliceRows(a, 65521, 4096)));
  sliced.release();
  for (const words of [colIdx, values]) memory.release(words.byteOffset);
});

test('none where kernel memory has no room, which then is as before', async () => {
  const memory = new KernelMemory(16);
  const small = await Team.create(1, memory);
  const a = wholeRows(matrixOf(100_000, 50, 101, 'mixed', () => 3));
  expect(sliceRowsOnTeam(small, a, 101, Number.POSITIVE_INFINITY)).toBeNull();
  const [at, room] = [memory.alloc(1), new KernelMemory(16).alloc(1)];
  expect(at).toBe(room);
  await small.dispose();
});
