/** Sliced ELLPACK holds every entry once, gives back the rows it was made of, and its check refuses what it is not. */
import { describe, expect, test } from 'vitest';
import { StructureError } from '../../../../kernels/errors/structure-error.js';
import { csrUnchecked } from '../../../../kernels/sparse/formats/csr.js';
import { bytesOf, toRows } from '../../../../kernels/sparse/formats/index.js';
import { SLICED_ELL, type SlicedEll, slicedEll, toSlicedEll } from '../../../../kernels/sparse/formats/sliced-ell.js';
import { SEGMENT } from '../../../../kernels/sparse/formats/sliced-ell-segments.js';
import { LONG, SLICE, VACANT, WINDOW } from '../../../../kernels/sparse/formats/sliced-ell-slices.js';
import { CASES, matrixOf } from '../../executors/cases.js';

const words = (...values: number[]): Uint32Array => Uint32Array.from(values);

describe.each([2, 3, 101, 65521, 65537, 2147483629])('p = %d', (p) => {
  test.each([
    ...CASES,
    {
      name: 'the longest short row beside long ones',
      matrix: (p: number) => matrixOf(70, 600, p, 'mixed', (i) => LONG - 1 + (i % 3)),
    },
    {
      name: 'rows that are long beside short ones',
      matrix: (p: number) => matrixOf(200, 600, p, 'mixed', (i) => (i % 40 === 7 ? 33 + i : 4)),
    },
    {
      name: 'a long row of two segments',
      matrix: (p: number) => matrixOf(3, 20000, p, 'mixed', (i) => (i === 1 ? SEGMENT + 5 : 4)),
    },
  ])('$name: back to the same rows, whole and in pieces', ({ matrix }) => {
    const a = csrUnchecked(matrix(p));
    for (const maxBytes of [undefined, 4096]) {
      const stored = toSlicedEll({ ...a, values: a.values! }, p, maxBytes);
      slicedEll(stored, p);
      expect(toRows(stored, Number.NaN)).toEqual(a);
      if (maxBytes === undefined) expect(stored.pieces.length).toBeLessThanOrEqual(1);
    }
  });
});

test('rows beyond 32 and four times the mean are long, unless they have much', () => {
  const longOf = (lengthOf: (i: number) => number): number[] => {
    const a = csrUnchecked(matrixOf(200, 600, 65521, 'mixed', lengthOf));
    return [...toSlicedEll({ ...a, values: a.values! }, 65521).longRows].filter((_, t) => t % 2 === 0).slice(0, -1);
  };
  expect(longOf((i) => (i === 7 ? 32 : i === 60 ? 33 : 4))).toEqual([60]);
  // Of a mean of 30, beyond 120.
  expect(longOf((i) => (i === 7 ? 120 : i === 60 ? 125 : 29))).toEqual([60]);
  // 10 rows of 40 entries have more than a quarter of all.
  expect(longOf((i) => (i % 20 === 0 ? 40 : 4))).toEqual([]);
  expect(longOf((i) => (i % 20 === 0 ? 40 : i === 61 ? 256 : 4))).toEqual([61]);
});

test('two windows of rows', () => {
  const a = csrUnchecked(matrixOf(WINDOW + 40, 300, 65521, 'mixed', (i) => (i % 5000 === 7 ? 290 : i % 4)));
  const [stored] = SLICED_ELL.fromRows(a, 65521);
  slicedEll(stored as SlicedEll, 65521);
  expect(toRows(stored!, Number.NaN)).toEqual(a);
});

test('a 3 x 5 matrix, word by word', () => {
  // 1 0 5 0 6      mod 7
  // 0 0 0 0 0
  // 6 1 2 3 4
  const a = {
    rows: 3,
    cols: 5,
    rowPtr: words(0, 3, 3, 8),
    colIdx: words(0, 2, 4, 0, 1, 2, 3, 4),
    values: words(1, 5, 6, 6, 1, 2, 3, 4),
  };
  const { pieces, longRows, segmentPieces } = toSlicedEll(a, 7);
  const [{ slots, slices, units, pairs }] = pieces;
  const [row2, row0, row1] = slots;
  expect([row2, row0, row1]).toEqual([2 + 2 * 2 ** 14 + 3 * 2 ** 22, 0 + 2 * 2 ** 14 + 2 ** 22, 1]);
  expect([...slices]).toEqual([0, 0]);
  expect([0, SLICE].map((t) => [units[t], units[t + 1]])).toEqual([
    [0 * 2 + 1, 0 * 2],
    [1 * 2, 4 * 2 + 1],
  ]);
  const pairsOf = (r: number): number[] => Array.from({ length: 6 }, (_, w) => pairs[SLICE * w + r]);
  expect(pairsOf(0)).toEqual([2, 3, 2 + 3 * 2 ** 16, 4, 0, 4]);
  expect(pairsOf(1)).toEqual([2, 0, 5, 0, 0, 0]);
  expect([[...longRows], segmentPieces]).toEqual([[0, 0], []]);
  expect(bytesOf(toSlicedEll(a, 7))).toBe(4 * (3 + 2 + 2 * SLICE + 2 * 3 * SLICE + 2));
});

describe('the check', () => {
  const p = 101;
  const good = toSlicedEll(
    matrixOf(40, 300, p, 'mixed', (i) => (i % 9 === 4 ? 280 : i % 7)),
    p,
  );
  const piece = good.pieces[0]!;
  const segments = good.segmentPieces[0]!;
  const vacant = piece.slots.indexOf(VACANT);
  const changed = (array: Uint32Array, at: number, value: number): Uint32Array => array.with(at, value) as Uint32Array;
  const withPiece = (part: Partial<typeof piece>): SlicedEll => ({ ...good, pieces: [{ ...piece, ...part }] });
  const withSegments = (part: Partial<typeof segments>): SlicedEll => ({
    ...good,
    segmentPieces: [{ ...segments, ...part }],
  });
  const unit = (at: number): number => piece.units[at]!;
  const refused: [RegExp, SlicedEll][] = [
    [/expected residues mod 101, got ones mod 97/, { ...good, p: 97 }],
    [/expected sizes in/, { ...good, cols: -1 }],
    [/expected a piece from slot 0 on, a slice each 32, got 32/, withPiece({ first: 32 })],
    [/expected 40 slots, got 0/, { ...good, pieces: [] }],
    [/expected slice 1 at \d+ and \d+, got 1 and/, withPiece({ slices: changed(piece.slices, 2, 1) })],
    [/expected \d+ units and \d+ words of pairs, got 0/, withPiece({ units: words() })],
    [
      /expected falling lengths within a window, got a rise at 1$/,
      withPiece({ slots: changed(piece.slots, 0, VACANT) }),
    ],
    [
      /expected rows of up to 255 entries, got more at slot 0$/,
      withPiece({ slots: changed(piece.slots, 0, 255 * 2 ** 14 + 2 ** 22) }),
    ],
    [/expected each row once, got \d+ again/, withPiece({ slots: changed(piece.slots, 1, piece.slots[0]!) })],
    [/expected each row once, got none for/, withPiece({ slots: changed(piece.slots, vacant - 1, VACANT) })],
    [/expected columns below 300, got 3000 in row/, withPiece({ units: changed(piece.units, 0, 6000) })],
    [/expected columns in order, got/, withPiece({ units: changed(piece.units, SLICE, unit(0)) })],
    [/expected values in 1…100, got 0/, withPiece({ pairs: changed(piece.pairs, 2 * SLICE, 0) })],
    [/expected ±1 as units in row/, withSegments({ generals: changed(segments.generals, 1, p - 1) })],
    [/expected long rows with segments from 0 to 5$/, { ...good, segmentCount: 5 }],
    [/expected long rows in order, with segments, got row 4$/, { ...good, longRows: changed(good.longRows, 2, 4) }],
    [/expected up to 256 entries behind the last, got segment 0$/, withSegments({ small: 1 })],
    [/expected a piece from segment 0 on, got 3/, withSegments({ first: 3 })],
    [/behind the last, got segment 1$/, withSegments({ segments: changed(segments.segments, 4, 0) })],
    [/expected \d+ units and \d+ words, got \d+ and 2$/, withSegments({ generals: words(1, 2) })],
    [/expected 4 segments, got 0/, { ...good, segmentPieces: [] }],
    [/expected 7 entries, got/, { ...good, nnz: 7 }],
  ];
  test.each(refused)('refuses: %s', (message, part) => {
    const check = (): unknown => slicedEll(part, p);
    expect(check).toThrow(StructureError);
    expect(check).toThrow(message);
  });

  test('a part that stores no values is none of a whole matrix', () => {
    const parts = { rows: 1, cols: 1, rowPtr: words(0, 1), colIdx: words(0), values: null };
    expect(() => SLICED_ELL.fromRows(csrUnchecked(parts), 7)).toThrow(/sliced-ell: expected the values of all entries/);
  });
});
