/** The raster against a plain loop, and what is drawn of it. */
import { describe, expect, test } from 'vitest';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../../src/errors.js';
import { braille } from '../../src/pictures/braille.js';
import { COLOURS, paint } from '../../src/pictures/paint.js';
import { cellStarts, type Raster } from '../../src/pictures/raster.js';
import { spy } from '../../src/pictures/spy.js';

type Triple = [number, number, number | string];

/** Reproducible numbers below `n`. */
function dice(seed: number): (n: number) => number {
  let state = seed;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/** Values of every class, some of them beyond 32 bits; what each is over Z and mod 7. */
const VALUES: readonly [value: number | string, overZ: string, mod7: string][] = [
  [1, 'plus', 'plus'],
  [-1, 'minus', 'minus'],
  [0, 'none', 'none'],
  [5, 'general', 'general'],
  [6, 'general', 'minus'],
  [-6, 'general', 'plus'],
  [8, 'general', 'plus'],
  [-7, 'general', 'none'],
  ['70000000000', 'general', 'none'],
  ['70000000001', 'general', 'plus'],
  ['1/3', 'general', 'general'],
  ['1/6', 'general', 'minus'],
];

function triples(rows: number, cols: number, count: number): { entries: Triple[]; kinds: number[] } {
  const next = dice(rows + cols);
  const kinds = Array.from({ length: count }, () => next(VALUES.length));
  return { entries: kinds.map((kind) => [next(rows), next(cols), VALUES[kind]![0]]), kinds };
}

describe('spy', () => {
  const SHAPES = [
    [1, 1, 1],
    [3, 5, 40 /* repeats */],
    [63, 65, 900],
    [1000, 7, 20000 /* more than one batch */],
    [2 ** 31 - 1, 2 ** 31 - 1, 500 /* cells of a fraction of 2^31 */],
  ] as const;
  const SIZES = [
    [512, 512],
    [1, 1],
    [7, 100],
    [64, 3],
  ] as const;

  test.each(SHAPES)('of %i x %i with %i entries is a plain loop', (rows, cols, count) => {
    const { entries, kinds } = triples(rows, cols, count);
    const matrix = SparseMatrix.fromTriplets(rows, cols, entries);
    for (const [width, height] of SIZES) {
      for (const mod of [undefined, 7]) {
        const raster = spy(matrix, { width, height, mod });
        expect([raster.width, raster.height]).toEqual([Math.min(width, cols), Math.min(height, rows)]);
        const expected: Record<string, Record<number, number>> = { plus: {}, minus: {}, general: {}, none: {} };
        const counts = { plus: 0, minus: 0, general: 0, none: 0 };
        entries.forEach(([i, j], k) => {
          const kind = VALUES[kinds[k]!]![mod === undefined ? 1 : 2] as keyof typeof counts;
          const x = Number((BigInt(j) * BigInt(raster.width)) / BigInt(cols));
          const y = Number((BigInt(i) * BigInt(raster.height)) / BigInt(rows));
          const cell = y * raster.width + x;
          expected[kind]![cell] = (expected[kind]![cell] ?? 0) + 1;
          counts[kind]++;
        });
        for (const kind of ['plus', 'minus', 'general'] as const) {
          const found = Object.fromEntries([...raster[kind].entries()].filter(([, n]) => n > 0));
          expect(found).toEqual(expected[kind]);
          // Nothing is lost, and nothing counted twice.
          expect(raster[kind].reduce((a, b) => a + b, 0)).toBe(counts[kind]);
        }
      }
    }
  });

  test('mod 2 every odd entry is +1, and mod a prime beyond 2^31 the integers decide', () => {
    const matrix = SparseMatrix.fromDense([[1, -1, 3, 4, -5]]);
    expect([...spy(matrix, { mod: 2 }).plus]).toEqual([1, 1, 1, 0, 1]);
    const large = spy(matrix, { mod: 2305843009213693951n });
    expect([[...large.plus], [...large.minus], [...large.general]]).toEqual([
      [1, 0, 0, 0, 0],
      [0, 1, 0, 0, 0],
      [0, 0, 1, 1, 1],
    ]);
  });

  test('of no rows or no columns has no cells', () => {
    const raster = spy(SparseMatrix.fromTriplets(0, 5, []));
    expect([raster.width, raster.height, raster.plus.length]).toEqual([5, 0, 0]);
  });

  test('says what is wrong with its arguments', () => {
    const one = SparseMatrix.fromDense([[1]]);
    expect(() => spy(one, { width: 0 })).toThrow('spy: expected width to be a number of cells from 1 on, got 0');
    expect(() => spy(one, { height: 2.5 })).toThrow(OptionError);
    expect(() => spy(one, { width: 2 ** 14, height: 2 ** 13 })).toThrow('spy: expected at most 67108864 cells');
    expect(() => spy(one, { mod: 6 })).toThrow('not prime');
    expect(() => spy([[1]] as unknown as SparseMatrix)).toThrow('spy: expected a SparseMatrix');
    expect(() => spy(SparseMatrix.fromDense([['1/7']]), { mod: 7 })).toThrow('entry (1, 1) = 1/7');
  });

  test('cells begin where the quotient changes', () => {
    for (const [lines, cells] of [
      [10, 3],
      [2 ** 31 - 1, 512],
      [7, 7],
    ] as const) {
      const starts = cellStarts(lines, cells);
      expect(starts[cells]).toBe(lines);
      for (let x = 0; x < cells; x++) {
        const cellOf = (line: number): bigint => (BigInt(line) * BigInt(cells)) / BigInt(lines);
        expect(cellOf(starts[x]!)).toBe(BigInt(x));
        if (x > 0) expect(cellOf(starts[x]! - 1)).toBe(BigInt(x - 1));
      }
    }
  });
});

function rasterOf(width: number, height: number, counts: readonly (readonly number[])[], scale = 1): Raster {
  const [plus, minus, general] = counts.map((plane) => Uint32Array.from(plane));
  return { rows: scale * height, cols: scale * width, width, height, plus: plus!, minus: minus!, general: general! };
}

const pixel = (pixels: Uint8Array, at: number): number[] => [...pixels.subarray(3 * at, 3 * at + 3)];

describe('pixels', () => {
  test('have the colour of most entries; of equals the general, then -1; white where there are none', () => {
    const raster = rasterOf(
      5,
      1,
      [
        [2, 1, 1, 1, 0],
        [1, 1, 1, 0, 0],
        [0, 0, 1, 1, 0],
      ],
      100,
    );
    // All cells at one strength: the same number of places and 3, 2, 3, 2 entries would differ.
    const even = rasterOf(
      5,
      1,
      [
        [4, 2, 1, 2, 0],
        [0, 2, 1, 0, 0],
        [0, 0, 2, 2, 0],
      ],
      100,
    );
    expect([0, 1, 2, 3].map((at) => pixel(paint(even, 5, 1), at))).toEqual([
      COLOURS[0],
      COLOURS[1],
      COLOURS[2],
      COLOURS[2],
    ]);
    expect(pixel(paint(even, 5, 1), 4)).toEqual([255, 255, 255]);
    const [three, two] = [pixel(paint(raster, 5, 1), 0), pixel(paint(raster, 5, 1), 3)];
    expect(three).toEqual(COLOURS[0]);
    expect(two[0]).toBeGreaterThan(COLOURS[2]![0]);
    expect(two[0]).toBeLessThan(255);
  });

  test('are as strong as the share of places that are filled: cells of two columns beside cells of three', () => {
    // 5 columns in 2 cells: columns 0 to 2 and 3 to 4, all filled.
    const raster = spy(SparseMatrix.fromDense([[1, 1, 1, 1, 1]]), { width: 2, height: 1 });
    expect([...raster.plus]).toEqual([3, 2]);
    const pixels = paint(raster, 2, 1);
    expect(pixel(pixels, 0)).toEqual(pixel(pixels, 1));
  });

  test('of a small matrix are squares', () => {
    const pixels = paint(spy(SparseMatrix.fromDense([[1], [0], [-1]])), 2, 6);
    const rows = Array.from({ length: 6 }, (_, y) => [pixel(pixels, 2 * y), pixel(pixels, 2 * y + 1)]);
    const white = [255, 255, 255];
    expect(rows.map(([left]) => left)).toEqual([COLOURS[0], COLOURS[0], white, white, COLOURS[1], COLOURS[1]]);
    for (const [left, right] of rows) expect(left).toEqual(right);
  });

  test('of few entries among many are marks of several pixels', () => {
    const pixels = paint(
      spy(SparseMatrix.fromTriplets(1000, 1000, [[500, 500, 1]]), { width: 100, height: 100 }),
      100,
      100,
    );
    const filled = Array.from({ length: 10000 }, (_, at) => at).filter((at) => pixels[3 * at] !== 255);
    expect(filled.length).toBe(25);
    expect([filled[0], filled.at(-1)]).toEqual([4848, 5252]);
  });

  test('of nothing are white', () => {
    expect(paint(spy(SparseMatrix.fromTriplets(0, 3, [])), 2, 2)).toEqual(new Uint8Array(12).fill(255));
  });
});

describe('braille', () => {
  test('has each of its eight dots', () => {
    const dots = Array.from({ length: 8 }, (_, k) => {
      const raster = spy(SparseMatrix.fromTriplets(4, 2, [[k >> 1, k & 1, 5]]));
      return braille(raster)[1]!.charCodeAt(1) - 0x2800;
    });
    expect(dots).toEqual([0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80]);
  });

  test('is framed, and a character has the colour of most of its dots', () => {
    const matrix = SparseMatrix.fromDense([
      [1, -1, 0],
      [0, -1, 0],
      [0, 0, 0],
      [0, 0, 0],
      [7, 0, 1],
    ]);
    expect(braille(spy(matrix))).toEqual(['┌──┐', '│⠙⠀│', '│⠁⠁│', '└──┘']);
    const coloured = braille(spy(matrix), (text, c) => `${c}${text}`);
    expect(coloured.slice(1, 3)).toEqual(['│1⠙⠀│', '│2⠁0⠁│']);
    expect(braille(spy(SparseMatrix.fromTriplets(0, 3, [])))).toEqual(['┌──┐', '└──┘']);
  });
});
