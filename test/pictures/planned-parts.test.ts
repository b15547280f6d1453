/** Panels of row fill are the plan's own parts: each has the entries that the part has, in the rows of the matrix. */
import { describe, expect, test } from 'vitest';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { figure } from '../../src/pictures/figure.js';
import { plannedParts } from '../../src/pictures/planned-parts.js';
import type { FillPart } from '../../src/pictures/row-fill.js';
import { sketchMatrix } from '../../src/pictures/sketch.js';

const P = 65521;
const COLS = 20_000; // four panels of 5120 columns

type Entry = readonly [row: number, col: number, value: number];

/** `count` entries of row i over all columns, their values in turns. */
function rowOf(i: number, count: number, values: readonly number[]): Entry[] {
  return Array.from({ length: count }, (_, k) => [i, Math.floor((k * COLS) / count), values[k % values.length]!]);
}

/** Short rows of 1 to 3 entries; long ones, each of which reaches all panels; rows without entries mod P. */
const LONG = new Map([
  [5, 200],
  [44, 1000],
  [60, COLS], // no column is empty
]);
const ENTRIES: Entry[] = Array.from({ length: 100 }, (_, i) => {
  if (i % 10 === 9) return i < 50 ? [] : rowOf(i, 2, [P]);
  return rowOf(i, LONG.get(i) ?? 1 + (i % 3), i % 2 === 0 ? [1, -1, 7] : [3, -1, 1, 5]);
}).flat();
const MATRIX = SparseMatrix.fromTriplets(100, COLS, ENTRIES as never);

const rowsOf = ({ forEachRow }: FillPart): Record<number, number> => {
  const rows: Record<number, number> = {};
  forEachRow((row, length) => {
    rows[row] = length;
  });
  return rows;
};

/** Entries a row of those that count. */
function counted(counts: (entry: Entry) => boolean): Record<number, number> {
  const rows: Record<number, number> = {};
  for (const entry of ENTRIES) if (entry[2] !== P && counts(entry)) rows[entry[0]] = (rows[entry[0]] ?? 0) + 1;
  return rows;
}

describe('panels of a plan', () => {
  const [whole, short, ...long] = plannedParts(MATRIX, P, null);

  test('are all entries with the shortest long row, the short rows with their units, the long rows by class', () => {
    expect(whole).toMatchObject({ classes: [0, 1, 2], rows: 'all', cut: { at: 200, between: 'rows' } });
    expect(rowsOf(whole!)).toEqual(counted(() => true));
    expect(short).toMatchObject({ classes: [0, 1, 2], rows: 'short', storage: 'csr-sorted', cut: null });
    expect(rowsOf(short!)).toEqual(counted(([i]) => !LONG.has(i)));
    expect(long.map(({ classes, rows, storage }) => [...classes, rows, storage])).toEqual(
      [0, 1, 2].map((c) => [c, 'long', '4 x coo-s']),
    );
    const ofClass = [(v: number) => v === 1, (v: number) => v === -1, (v: number) => v > 1];
    long.forEach((part, c) => {
      expect(rowsOf(part)).toEqual(counted(([i, , value]) => LONG.has(i) && ofClass[c]!(value)));
    });
  });

  test('have names that say which rows, and a note of the dashed line', () => {
    const sketched = sketchMatrix(MATRIX, { size: () => [200, 100], mod: BigInt(P) });
    const { width, shapes } = figure('M', sketched, [whole!, short!, ...long], 200, 100);
    const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []));
    const words = texts.map(({ text }) => text);
    const names = ['all in a row', 'all in short rows', '+1 in long rows', '-1 in long rows', 'other in long rows'];
    for (const text of [...names, 'long rows apart,', 'from 200 on', '4 x coo-s']) expect(words).toContain(text);
    expect(words.at(-1)).toBe('Dashed: the shortest of the long rows, which are stored apart.');
    // Nothing under the panels lies on the histograms, or beyond the edge.
    const heading = texts.find(({ text }) => text.startsWith('rows by'))!;
    expect(heading.y).toBeGreaterThan(texts.find(({ text }) => text === 'from 200 on')!.y + 12);
    for (const { x, text } of texts.filter(({ text }) => names.includes(text)))
      expect(x + 7 * text.length).toBeLessThan(width);
  });

  test('of one format by name are its classes, without a panel of all', () => {
    const parts = plannedParts(MATRIX, P, 'coo');
    expect(parts.map(({ rows, cut }) => [rows, cut])).toEqual(parts.map(() => ['all', null]));
    const total = parts.flatMap((part) => Object.values(rowsOf(part))).reduce((a, b) => a + b, 0);
    expect(total).toBe(ENTRIES.filter(([, , value]) => value !== P).length);
  });
});
