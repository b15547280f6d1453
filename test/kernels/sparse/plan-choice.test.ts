/** What a plan chooses unasked: by row lengths, values and dense blocks, and the reason that it gives. */
import { describe, expect, test } from 'vitest';
import { narrowPlans } from '../../../kernels/sparse/narrow-plans.js';
import { describePlan, planOf } from '../../../kernels/sparse/plan.js';
import { type ResidueMatrix, transpose } from '../../../kernels/sparse/residue-matrix.js';
import { matrixOf } from '../executors/cases.js';
import { entries } from './entries.js';

const words = (...values: number[]): Uint32Array => Uint32Array.from(values);

test('the choice follows the row lengths and says so', () => {
  // All +1, so that a row's length is its class's.
  const only = (lengths: (i: number) => number): ResidueMatrix => {
    const a = matrixOf(400, 64, 65521, 'unit', lengths);
    return { ...a, values: a.values.map(() => 1) };
  };
  const described = (lengths: (i: number) => number) => describePlan(planOf(only(lengths), 65521)).parts[0]!;
  expect(
    describePlan(
      planOf(
        only(() => 0),
        65521,
      ),
    ).parts,
  ).toEqual([]);
  expect(described(() => 5).reason).toBe('every row has 5');
  expect(described(() => 5).formats.map(({ format }) => format)).toEqual(['ell']);
  const kinds = (lengths: (i: number) => number) => described(lengths).formats.map(({ format }) => format);
  // 2 places of 2000, and 200 of 2200: 0.1 and 9 %.
  expect(kinds((i) => (i % 200 === 0 ? 4 : 5))).toEqual(['ell-r']);
  expect(described((i) => (i % 200 === 0 ? 4 : 5)).reason).toBe('rows have from 4 to 5, nearly all 5');
  expect(kinds((i) => (i < 200 ? 5 : 6))).toEqual(['csr']);
  expect(described((i) => (i < 200 ? 5 : 6)).reason).toBe('rows have from 5 to 6: 9 % more places if all had 6');
  expect(kinds((i) => 5 + (i % 2))).toEqual(['csr-sorted']);
  expect(described((i) => 5 + (i % 2)).reason).toBe('rows have from 5 to 6, neighbours unlike: sorted');
  expect(kinds((i) => (i === 3 ? 16 : 17))).toEqual(['csr']);
  expect(described((i) => (i === 3 ? 16 : 17)).reason).toBe('rows have from 16 to 17, too many for lengths to be felt');
  expect(kinds((i) => (i === 3 ? 60 : 1))).toEqual(['csr']);
  expect(kinds((i) => i % 2)).toEqual(['csr-sorted']);
  // A substitution needs its rows in their order, and rows of two classes would be two passes.
  const uneven = only((i) => 5 + (i % 2));
  expect(describePlan(planOf(uneven, 65521, { onePass: true })).parts[0]!.formats[0]!.format).toBe('csr');
  const signed = { ...uneven, values: uneven.values.map((_, k) => (k % 2 ? 1 : 65520)) };
  expect(describePlan(planOf(signed, 65521)).parts.map(({ formats }) => formats[0]!.format)).not.toContain(
    'csr-sorted',
  );
});

describe.each([
  ['plus', 65521, 20, 10, 4],
  ['minus', 65521, 20, 10, 4],
  ['plus', 65537, 5, 2.5, 2],
  ['minus', 2147483629, 5, 2.5, 2],
] as const)('a %s class beside general entries mod %d', (name, p, any, most, even) => {
  const ROWS = 40;
  const unit = name === 'plus' ? 1 : p - 1;
  /** Rows of `length`, of which the first units(i) are ±1, the others general, or ±1 of the other sign. */
  const plan = (units: (i: number) => number, other = 7, length = 30) => {
    const a = matrixOf(ROWS, 64, p, 'unit', () => length);
    const values = a.values.map((_, k) => (k % length < units(Math.floor(k / length)) ? unit : other));
    return planOf({ ...a, values }, p);
  };
  const classes = (...args: Parameters<typeof plan>): Record<string, number> =>
    Object.fromEntries(plan(...args).parts.map(({ values, lengths }) => [values, lengths.nnz]));
  const uneven = (mean: number) => (i: number) => Math.floor(mean) - 1 + 2 * (i % 2) + (mean % 1 && i % 4 < 2 ? 1 : 0);

  test('has a part of its own if it is large, even, or nearly all', () => {
    expect(classes(uneven(any))).toEqual({ [name]: any * ROWS, general: (30 - any) * ROWS });
    expect(classes(() => even)).toEqual({ [name]: even * ROWS, general: (30 - even) * ROWS });
    const length = Math.ceil(most) + 1;
    expect(classes((i) => (i % 20 ? length : length - 1), 7, length)).toMatchObject({ general: 2 });
  });
  test('is among them if it is none of these', () => {
    expect(classes((i) => (i === 0 ? 0 : uneven(any)(i)))).toEqual({ general: 30 * ROWS });
    expect(classes(uneven(even))).toEqual({ general: 30 * ROWS });
    expect(classes(() => even - 1)).toEqual({ general: 30 * ROWS });
    const length = Math.floor(most);
    expect(classes((i) => (i % 20 ? length : length - 1), 7, length)).toEqual({ general: length * ROWS });
    const few = plan((i) => (i === 3 ? 1 : 0));
    expect(few.parts.map(({ reason }) => reason)).toEqual([
      'every row has 30; 1 are ±1, too few a row for a part of their own',
    ]);
  });
  test('has one beside ±1 alone, however small', () => {
    const others = name === 'plus' ? 'minus' : 'plus';
    expect(classes((i) => (i === 3 ? 1 : 0), p - unit)).toEqual({ [name]: 1, [others]: 30 * ROWS - 1 });
  });
});

describe('rows are sorted where X is near', () => {
  /** 400 rows, `run` of 10 entries, `run` of 12 and so on; columns scattered, or beside each other. */
  const uneven = (cols: number, run: number, step = 7919): ResidueMatrix => {
    const lengths = Array.from({ length: 400 }, (_, i) => 10 + 2 * (Math.floor(i / run) % 2));
    const rowPtr = Uint32Array.of(0, ...lengths);
    for (let i = 0; i < 400; i++) rowPtr[i + 1]! += rowPtr[i]!;
    const colIdx = lengths.flatMap((length, i) =>
      Array.from({ length }, (_, t) => (i * 17 + t * step) % cols).sort((a, b) => a - b),
    );
    return { rows: 400, cols, rowPtr, colIdx: words(...colIdx), values: words(...colIdx.map((_, k) => 2 + (k % 99))) };
  };
  const kindsOf = ({ parts }: { parts: readonly { formats: readonly { kind: string }[] }[] }): string[] =>
    parts.flatMap(({ formats }) => formats.map(({ kind }) => kind));

  // Bytes of X: 32 a column mod 65521, 64 mod 65537. Entries for each change of length: 11 · run.
  test.each([
    ['the second cache holds X', 65521, 2 ** 15, 11, 'csr-sorted', null],
    ['X is larger', 65521, 2 ** 15 + 1, 11, 'csr', 15],
    ['X is larger', 65537, 2 ** 14 + 1, 11, 'csr', 15],
    ['X is larger, and every row differs', 65521, 2 ** 16, 1, 'csr-sorted', null],
    ['X is twice as large, and every row differs', 65521, 2 ** 16 + 1, 1, 'csr', 7],
    ['a vector is as large as the cache', 65521, 2 ** 19, 1, 'csr', 1],
    ['a vector is larger than the cache', 65521, 2 ** 19 + 1, 1, 'csr', null],
    ['lengths are alike', 65521, 2 ** 15 + 1, 12, 'csr', null],
    ['neighbours read the same of a large X', 65521, 2 ** 20, 11, 'csr-sorted', null, 1],
  ] as const)('%s, mod %i, %i columns, run %d: %s', (_, p, cols, run, kind, mostWidth, step: number = 7919) => {
    const a = uneven(cols, run, step);
    const plan = planOf(a, p);
    expect(kindsOf(plan)).toEqual([kind]);
    const narrow = narrowPlans(a, plan, null)?.(false) ?? null;
    expect(narrow?.mostWidth ?? null).toBe(mostWidth);
    if (narrow === null) return;
    expect(kindsOf(narrow.make())).toEqual(['csr-sorted']);
    expect(entries(narrow.make())).toEqual(entries(plan));
  });
});

describe('dense blocks are chosen', () => {
  /** 96 rows of blocks, a block in each of three places, of which every `hole`-th entry is missing. */
  function inBlocks(b: number, hole = Number.POSITIVE_INFINITY, value = (k: number) => 2 + (k % 50)): ResidueMatrix {
    const rows = 96 * b;
    const rowPtr = new Uint32Array(rows + 1);
    const [colIdx, values]: [number[], number[]] = [[], []];
    for (let i = 0; i < rows; i++) {
      for (const block of [0, 1, 2].map((t) => 5 * t + (Math.floor(i / b) % 4))) {
        for (let c = 0; c < b; c++) {
          if ((i * b + c) % hole === hole - 1) continue;
          colIdx.push(block * b + c);
          values.push(value(values.length));
        }
      }
      rowPtr[i + 1] = colIdx.length;
    }
    return { rows, cols: 14 * b, rowPtr, colIdx: words(...colIdx), values: words(...values) };
  }
  const kinds = (a: ResidueMatrix, p = 65521): string[] =>
    describePlan(planOf(a, p)).parts.flatMap(({ formats }) => formats.map(({ format }) => format));

  test.each([
    [3, 'bcsr-3'],
    [4, 'bcsr-4'],
    [8, 'bcsr-8'],
    [16, 'bcsr-8'],
  ])('of %i x %i as %s', (b, format) => {
    expect(kinds(inBlocks(b))).toEqual([format]);
    expect(describePlan(planOf(inBlocks(b), 65521)).parts[0]!.reason).toMatch(/^dense blocks of . x ., 100 % full$/);
  });

  test.each([3, 4, 8, 16])('of %i, one plan for every width', (b) => {
    const a = inBlocks(b);
    expect(narrowPlans(a, planOf(a, 65521), null)).toBe(undefined);
  });

  // t = 3b entries a row: t·(p − 1)·⌊p/2⌋ ≤ 32767 up to the first p of each b.
  test.each([
    [8, 53, 'ell'],
    [8, 59, 'bcsr-8'],
    [16, 37, 'ell'],
    [16, 41, 'bcsr-8'],
    [4, 73, 'ell'],
    [4, 79, 'bcsr-4'],
  ])('of %i mod %i as %s, by rows for 16 columns where 16 bits hold their sums', (b, p, format) => {
    const a = inBlocks(b, Number.POSITIVE_INFINITY, (k) => 2 + (k % (p - 3)));
    const plan = planOf(a, p);
    expect(kinds(a, p)).toEqual([format]);
    const at = transpose(a) as ResidueMatrix;
    for (const narrow of [narrowPlans(a, plan, null)?.(false), narrowPlans(at, null, plan)?.(true)]) {
      expect(narrow?.mostWidth).toBe(format === 'ell' ? 15 : undefined);
      const made = narrow?.make() ?? plan;
      expect(made.parts.flatMap(({ formats }) => formats.map(({ kind }) => kind))).toEqual([`bcsr-${Math.min(b, 8)}`]);
      expect(entries(made)).toEqual(entries(plan));
    }
  });

  describe('half full, of 2 x 2, for one vector', () => {
    /** Diagonals, `apart` columns from one to the next; every third entry is 1. */
    const band = (apart: number, lengthOf: (i: number) => number = () => 5): ResidueMatrix => {
      const rows = 1001;
      const rowPtr = new Uint32Array(rows + 1);
      const colIdx: number[] = [];
      for (let i = 0; i < rows; i++) {
        for (let d = 0; d < lengthOf(i); d++) colIdx.push(i + apart * d);
        rowPtr[i + 1] = colIdx.length;
      }
      const values = words(...colIdx.map((j, k) => 1 + (k % 3) * (j % 30)));
      return { rows, cols: rows + 5 * apart, rowPtr, colIdx: words(...colIdx), values };
    };
    const only = (a: ResidueMatrix, value: (k: number) => number) => ({
      ...a,
      values: a.values.map((_, k) => value(k)),
    });
    const narrowOf = (a: ResidueMatrix, p = 65521) =>
      narrowPlans(a, planOf(a, p), planOf(transpose(a) as ResidueMatrix, p));

    test.each([101, 65521])('of both directions, mod %i', (p) => {
      const a = band(4);
      const narrow = narrowOf(a, p)!;
      for (const [plan, each] of [
        [narrow(false)!.make(), a],
        [narrow(true)!.make(), transpose(a) as ResidueMatrix],
      ] as const) {
        expect(plan.parts.map(({ formats: [{ kind }] }) => kind)).toEqual(['bcsr-2']);
        expect(entries(plan)).toEqual(entries(planOf(each, p)));
      }
    });

    test('not of a direction that has no plan', () => {
      const a = band(4);
      expect(narrowPlans(a, planOf(a, 101), null)!(true)).toBe(null);
      expect(narrowPlans(a, null, null)).toBe(undefined);
    });

    test.each([
      ['less full', band(3), 65521],
      ['mod 2', only(band(4), () => 1), 2],
      ['beyond 16 bits', band(4), 65537],
      ['of 1 alone', only(band(4), () => 1), 65521],
      [
        'with rows that are sorted',
        only(
          band(4, (i) => 5 - (i % 2)),
          (k) => 2 + (k % 50),
        ),
        65521,
      ],
    ])('not %s', (_, a, p) => {
      expect(narrowPlans(a, planOf(a, p), null)).toBe(undefined);
    });
  });

  test('and not for small ones, with holes, of units, or beyond 16 bits', () => {
    expect(kinds(inBlocks(2))).toEqual(['ell']);
    expect(kinds(inBlocks(8, 10))).toEqual(['csr-sorted']);
    expect(kinds(inBlocks(8, Number.POSITIVE_INFINITY, (k) => 1 + (k % 2) * 65519))).toEqual(['ell', 'ell']);
    expect(kinds(inBlocks(8), 65537)).toEqual(['ell']);
  });
});
