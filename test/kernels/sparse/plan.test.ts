/** Formats refuse what they are not, plans hold every entry once and say why they are what they are. */
import { describe, expect, test } from 'vitest';
import { StructureError } from '../../../kernels/errors/structure-error.js';
import { coo, fromCoo, toCoo } from '../../../kernels/sparse/formats/coo.js';
import { csr } from '../../../kernels/sparse/formats/csr.js';
import { dia } from '../../../kernels/sparse/formats/dia.js';
import { cutRectangle, ell } from '../../../kernels/sparse/formats/ell.js';
import { ellR, toEllR } from '../../../kernels/sparse/formats/ell-r.js';
import { FORMAT_NAMES, type FormatName, formatNamed, formatOf, toRows } from '../../../kernels/sparse/formats/index.js';
import { jad } from '../../../kernels/sparse/formats/jad.js';
import { describePlan, planOf } from '../../../kernels/sparse/plan.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { splitByValue } from '../../../kernels/sparse/unit-split.js';
import { CASES, matrixOf } from '../executors/cases.js';
import { entries } from './entries.js';

const words = (...values: number[]): Uint32Array => Uint32Array.from(values);

// 1 0 -1      mod 7
// 0 0  0
// 3 1  0
const SMALL: ResidueMatrix = {
  rows: 3,
  cols: 3,
  rowPtr: words(0, 2, 2, 4),
  colIdx: words(0, 2, 0, 1),
  values: words(1, 6, 3, 1),
};

describe('checked constructors', () => {
  const { rows, cols, rowPtr, colIdx, values } = SMALL;
  const refused: [RegExp, () => unknown][] = [
    [/csr: expected 4 offsets from 0 to 4/, () => csr({ rows, cols, rowPtr: words(0, 2, 2), colIdx, values }, 7)],
    [/csr: .* a fall at 1/, () => csr({ rows, cols, rowPtr: words(0, 3, 2, 4), colIdx, values }, 7)],
    [/csr: expected columns below 2, got 2 in row 0/, () => csr({ rows, cols: 2, rowPtr, colIdx, values }, 7)],
    [/csr: .* got 2, 0 in row 0/, () => csr({ rows, cols, rowPtr, colIdx: words(2, 0, 0, 1), values }, 7)],
    [/csr: expected values in 1…4, got 6 at entry 1/, () => csr({ rows, cols, rowPtr, colIdx, values }, 5)],
    [/csr: expected 4 values, got 1/, () => csr({ rows, cols, rowPtr, colIdx, values: words(1) }, 7)],
    [/coo: .* got \(3, 0\)/, () => coo({ rows, cols, rowIdx: words(0, 3), colIdx: words(0, 0), values: null }, 7)],
    [
      /coo: .* in order, got \(0, 0\) at 1/,
      () => coo({ rows, cols, rowIdx: words(0, 0), colIdx: words(0, 0), values: null }, 7),
    ],
    [
      /coo: expected arrays of one length/,
      () => coo({ rows, cols, rowIdx: words(0), colIdx: words(0, 0), values: null }, 7),
    ],
    [/ell: expected a width from 1 on, got 0/, () => ell({ rows, cols, width: 0, colIdx: words(), values: null }, 7)],
    [/ell: expected 3·2 columns/, () => ell({ rows, cols, width: 2, colIdx: words(0, 1), values: null }, 7)],
    [
      /ell: expected columns below 3, got 4 in row 1/,
      () => ell({ rows, cols, width: 1, colIdx: words(0, 4, 0), values: null }, 7),
    ],
    [
      /ell-r: expected lengths up to 1, got 2 in row 2/,
      () => ellR({ rows, cols, width: 1, lengths: words(0, 1, 2), colIdx: words(0, 0, 0), values: null }, 7),
    ],
    [
      /ell-r: .* got 0 at entry 0/,
      () => ellR({ rows, cols, width: 1, lengths: words(0, 1, 0), colIdx: words(0, 0, 0), values: words(0, 0, 0) }, 7),
    ],
  ];
  const jads = { rows, cols, order: words(2, 0, 1), diagonals: words(0, 2, 4), colIdx, values };
  test.each<[RegExp, Partial<typeof jads>]>([
    [/jad: expected each of 3 rows once/, { order: words(2, 0, 0) }],
    [/jad: expected offsets from 0 to 4/, { diagonals: words(0, 2, 3) }],
    [/jad: expected diagonal 1 to have 1…1 entries, got 3/, { diagonals: words(0, 1, 4) }],
    [/jad: expected columns below 3, got 7/, { colIdx: words(0, 0, 7, 1) }],
    [/jad: expected columns in order, got 0 at 2/, { colIdx: words(0, 0, 0, 1) }],
    [/jad: expected values in 1…6, got 0/, { values: words(1, 0, 3, 1) }],
  ])('%s', (message, wrong) => {
    const right = { ...jads, colIdx: words(0, 0, 2, 1) };
    expect(jad(right, 7).nnz).toBe(4);
    expect(() => jad({ ...right, ...wrong }, 7)).toThrow(message);
  });

  const even = { rows: 4, cols: 4, rowPtr: words(0, 2, 4, 6, 8), colIdx: words(0, 2, 0, 2, 0, 2, 0, 2) };
  /** The one part of a matrix of threes in a format, some of it replaced. */
  const partOf = (storage: FormatName, wrong: object) => {
    const [{ formats }] = planOf({ ...even, values: words(3, 3, 3, 3, 3, 3, 3, 3) }, 7, { storage }).parts;
    return { ...formats[0], ...wrong };
  };
  test.each<[FormatName, RegExp, object]>([
    ['coo-s', /coo-s: expected rows below 4, got 9/, { rowIdx: words(0, 1, 2, 9) }],
    ['coo-s', /coo-s: expected rows in order, got 1, 1/, { rowIdx: words(0, 1, 1, 2) }],
    ['coo-s', /coo-s: expected 5 offsets from 0 to 8/, { rowPtr: words(0, 2, 8) }],
    ['coo-s', /coo-s: expected 8 values, got 1/, { values: words(1) }],
    ['csr-sorted', /csr-sorted: expected each of 4 rows once/, { order: words(0, 1, 1, 2) }],
    ['csr-sorted', /csr-sorted: expected 5 offsets from 0 to 8/, { rowPtr: words(0, 2, 8) }],
    ['csr-sorted', /csr-sorted: expected columns below 4, got 9 in row 0/, { colIdx: new Uint32Array(8).fill(9) }],
    ['csr-sorted', /csr-sorted: expected values in 1…6, got 0/, { values: new Uint32Array(8) }],
    ['csr-sorted', /csr-sorted: expected 8 values, got 1/, { values: words(1) }],
    ['dense', /dense: expected 4·4 values, got 2/, { values: words(1, 2) }],
    ['dense', /dense: expected values in 0…6, got 7 at entry 0/, { values: new Uint32Array(16).fill(7) }],
    ['bcsr-2', /bcsr-2: expected 3 offsets from 0 to/, { blockPtr: words(0, 1) }],
    [
      'bcsr-2',
      /bcsr-2: expected 1·2² values, got 3/,
      { blockPtr: words(0, 0, 1), colIdx: words(0), values: words(1, 1, 1) },
    ],
    [
      'bcsr-2',
      /bcsr-2: expected blocks in order at multiples of 2, got column 1 at 0/,
      { blockPtr: words(0, 0, 1), colIdx: words(1), values: words(1, 1, 1, 1) },
    ],
    [
      'bcsr-3',
      /bcsr-3: expected 0 below the last row, got 1 at 1/,
      { blockPtr: words(0, 0, 1), colIdx: words(0), values: new Uint32Array(9).fill(1) },
    ],
    ['sell-4', /sell-4: expected each of 4 rows once/, { order: words(0, 1, 1, 2) }],
    ['sell-4', /sell-4: expected slot 1 beside the others/, { firsts: words(0, 2, 2, 3, 8) }],
    ['slices-4', /slices-4: expected columns in order below 4, got 9/, { colIdx: new Uint32Array(8).fill(9) }],
    ['slices-4', /slices-4: expected values in 1…6, got 0/, { values: new Uint32Array(8) }],
    ['csc', /csc: expected 5 offsets from 0 to 8/, { colPtr: words(0, 4, 8) }],
    ['csc', /csc: expected 8 rows and values, got 1 and 8/, { rowIdx: words(0) }],
    ['csc', /csc: expected rows below 4, got 9 in column 0/, { rowIdx: words(0, 1, 2, 9, 0, 1, 2, 3) }],
    ['csc', /csc: expected rows in order, got 1, 1 in column 2/, { rowIdx: words(0, 1, 2, 3, 0, 1, 1, 3) }],
    ['csc', /csc: expected values in 1…6, got 0/, { values: new Uint32Array(8) }],
    ['dense-columns', /dense-columns: expected 4·m values, m from 1 on, got 8 and 0 columns/, { colIdx: words() }],
    ['dense-columns', /dense-columns: expected columns in order below 4, got 0 at 1/, { colIdx: words(2, 0) }],
    ['dense-columns', /dense-columns: expected values in 0…6, got 7/, { values: new Uint32Array(8).fill(7) }],
    ['dense-columns', /dense-columns: expected 8 entries, got 0/, { values: new Uint32Array(8) }],
    ['slices-v', /slices-v: expected a slice of 1 to 32 rows at row 0, got 5/, { heights: words(5, 4, 4, 4) }],
    ['slices-v', /slices-v: expected row 1 in the slice of row 0/, { firsts: words(0, 2, 2, 3, 8) }],
    ['slices-v', /slices-v: expected 8 places, got 7/, { colIdx: words(0, 0, 0, 0, 2, 2, 2) }],
    ['slices-v', /slices-v: expected columns in order, got 2, 0/, { colIdx: words(2, 0, 0, 0, 0, 2, 2, 2) }],
    ['slices-v', /slices-v: expected values in 1…6, got 0/, { values: new Uint32Array(8) }],
    ['slices-1x2', /slices-1x2: expected row 1 beside the others/, { slots: words(0, 2, 2, 2, 2, 2, 3, 2) }],
    ['slices-1x2', /slices-1x2: expected 64 blocks of 2, got 1, 128 values/, { colIdx: words(0) }],
    [
      'slices-1x2',
      /slices-1x2: expected blocks in order up to column 4, got 3/,
      { colIdx: new Uint32Array(64).fill(3) },
    ],
    ['slices-1x2', /slices-1x2: expected 8 entries, got 0/, { values: new Uint32Array(128) }],
    ['slices-1x4', /slices-1x4: expected values in 0…6, got 7/, { values: new Uint32Array(128).fill(7) }],
    ['slices-1x4', /slices-1x4: expected blocks in order/, { cols: 3 }],
    ['slices-dia', /slices-dia: expected 1 slices of 4 rows/, { slices: words(0, 0) }],
    ['slices-dia', /slices-dia: expected slice 0 as long as its longest row, 3, got 2/, { lengths: words(2, 2, 2, 3) }],
    ['slices-dia', /slices-dia: expected 64 indices and their values, got 1/, { indices: words(0) }],
    ['slices-dia', /slices-dia: expected columns in order below 4, got 9/, { indices: new Uint32Array(64).fill(9) }],
    ['slices-dia', /slices-dia: expected columns in order.*value 0/, { values: new Uint32Array(64) }],
  ])('%s is checked: %s', (storage, message, wrong) => {
    const part = partOf(storage, wrong);
    expect(() => formatOf(part).check(part, 7)).toThrow(message);
  });
  test.each<[RegExp, object]>([
    [/dia: expected 1·3 values, got 1/, { values: words(1) }],
    [/dia: expected offsets in order, above -3 and below 3, got 3 at 0/, { offsets: Int32Array.of(3) }],
    [/dia: expected values in 0…6, got 8/, { values: words(1, 8, 1) }],
    [/dia: expected 0 outside of the matrix, got 1 at row 2/, { offsets: Int32Array.of(1) }],
  ])('%s', (message, wrong) => {
    const right = { rows: 3, cols: 3, offsets: Int32Array.of(0), values: words(1, 0, 1) };
    expect(dia(right, 7).nnz).toBe(2);
    expect(() => dia({ ...right, ...wrong }, 7)).toThrow(message);
  });

  test.each(refused)('%s', (message, make) => {
    expect(make).toThrow(StructureError);
    expect(make).toThrow(message);
  });

  test('places that ELL_R does not use are not looked at', () => {
    const parts = { rows, cols, width: 2, lengths: words(1, 0, 2), colIdx: words(1, 9, 9, 9, 0, 2), values: null };
    expect(ellR(parts, 7).nnz).toBe(3);
  });
});

test('a 3 x 3 matrix by value', () => {
  const { plus, minus, general } = splitByValue(SMALL, 7);
  expect([[...plus.rowPtr], [...plus.colIdx], plus.values]).toEqual([[0, 1, 1, 2], [0, 1], null]);
  expect([[...minus.rowPtr], [...minus.colIdx], minus.values]).toEqual([[0, 1, 1, 1], [2], null]);
  expect([[...general.rowPtr], [...general.colIdx], [...general.values!]]).toEqual([[0, 0, 0, 1], [0], [3]]);
  // 1 = −1 mod 2: one class.
  const two = { ...SMALL, values: words(1, 1, 1, 1) };
  expect(splitByValue(two, 2).plus.nnz).toBe(4);
});

describe.each([2, 3, 101, 65521])('p = %d', (p) => {
  test.each(CASES)('$name: every plan holds every entry once, in checked formats', ({ matrix }) => {
    const a = matrix(p);
    const expected: string[] = [];
    for (let i = 0; i < a.rows; i++) {
      for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) expected.push(`${i},${a.colIdx[k]},${a.values[k]}`);
    }
    expected.sort();
    for (const storage of [undefined, ...FORMAT_NAMES]) {
      const plan = planOf(a, p, storage ? { storage } : {});
      expect(entries(plan)).toEqual(expected);
      for (const part of plan.parts.flatMap(({ formats }) => formats)) formatOf(part).check(part, p);
    }
  });
});

test('slices take what they are for', () => {
  const { rowPtr, ...a } = CASES.find(({ name }) => name === 'diagonals and runs of columns')!.matrix(65521);
  const stored = (storage: FormatName) =>
    planOf({ rowPtr, ...a }, 65521, { storage }).parts[0]!.formats[0] as unknown as Record<string, Uint32Array>;
  // Of diagonals −2, 0 and 20 the first leaves the matrix in the first slice, the last in the second one.
  const { slices } = stored('slices-dia');
  expect([slices![3], slices![5]]).toEqual([2, 4]);
  const blocks = (storage: FormatName): number =>
    stored(storage).slots!.reduce((sum: number, word: number, at: number) => sum + (at % 2 ? word : 0), 0);
  expect(blocks('slices-1x2')).toBeLessThan(a.colIdx.length);
  expect(blocks('slices-1x4')).toBeLessThan(blocks('slices-1x2'));
  // 40 rows of 1, 40 of 9, one of 60: slices end where lengths change.
  const lengths = (i: number): number => (i < 40 ? 1 : i < 80 ? 9 : 60);
  const [part] = planOf(matrixOf(81, 64, 101, 'general', lengths), 101, { storage: 'slices-v' }).parts.slice(-1);
  const { heights, colIdx } = part!.formats[0] as unknown as { heights: Uint32Array; colIdx: Uint32Array };
  expect([heights[39]! <= 32, heights[80], colIdx.length < 520]).toEqual([true, 1, true]);
});

test('dense columns are those that half of the rows are in', () => {
  const a = CASES.find(({ name }) => name === 'dense columns')!.matrix(65521);
  const [part] = planOf(a, 65521, { storage: 'dense-columns' }).parts;
  expect(part!.formats.map(({ kind, nnz }) => [kind, nnz])).toEqual([
    ['dense-columns', 63 + 36],
    ['csr', 15],
  ]);
  const without = matrixOf(20, 30, 101, 'general', () => 3);
  const [whole] = planOf(without, 101, { storage: 'dense-columns' }).parts;
  expect(whole!.formats.map(({ kind }) => kind)).toEqual(['csr']);
});

test('conversions there and back', () => {
  const a = splitByValue(
    matrixOf(20, 30, 101, 'general', (i) => 3 + (i % 4)),
    101,
  ).general;
  expect(fromCoo(toCoo(a))).toEqual(a);
  const [main, rest] = cutRectangle(a, 3);
  expect([main.nnz, rest?.nnz]).toEqual([60, a.nnz - 60]);
  expect(toRows(toEllR(a, 6), 1)).toEqual(a);
  for (const name of [
    'csc',
    'csr-sorted',
    'dense-columns',
    'slices-v',
    'slices-1x2',
    'slices-1x4',
    'slices-dia',
  ] as const) {
    expect(
      formatNamed(name)
        .fromRows(a, 101)
        .map((part) => toRows(part, 1)),
    ).toEqual([a]);
  }
});

test('a description counts rows, classes and bytes', () => {
  const described = describePlan(planOf({ ...SMALL, values: words(1, 1, 6, 6) }, 7, { storage: 'csr' }));
  expect([described.rows, described.cols, described.nnz, described.mod]).toEqual([3, 3, 4, 7]);
  expect(described.rowLengths).toEqual({
    ...{ rows: 3, nnz: 4, min: 0, max: 2, mean: 4 / 3, median: 2, empty: 1 },
    histogram: [
      { from: 0, to: 0, rows: 1 },
      { from: 2, to: 3, rows: 2 },
    ],
  });
  expect(described.parts.map(({ values, nnz }) => [values, nnz])).toEqual([
    ['plus', 2],
    ['minus', 2],
  ]);
  // Two CSR parts: 4 offsets each, 4 columns in all, 4 bytes each.
  expect(described.bytes).toBe(4 * (8 + 4));
});

test.each(['csr', 'coo', 'ell', 'jad'] as const)(
  'few ±1 entries are among the general ones of %s by name',
  (storage) => {
    const classes = (a: ResidueMatrix) =>
      planOf(a, 7, { storage }).parts.map(({ values, lengths }) => [values, lengths.nnz]);
    expect(classes(SMALL)).toEqual([['general', 4]]);
    const even = matrixOf(40, 64, 7, 'unit', () => 8);
    const values = even.values.map((_, k) => (k % 8 < 4 ? 1 : 3));
    expect(classes({ ...even, values })).toEqual([
      ['plus', 160],
      ['general', 160],
    ]);
  },
);
