/** What is counted while a file is read is what is counted of the matrix in it. */
import { describe, expect, test } from 'vitest';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { readMatrix, streamEntries } from '../../src/io/read-matrix.js';
import { writeSms } from '../../src/io/write-matrix.js';
import { LineCounts } from '../../src/pictures/line-counts.js';
import { CLASSES } from '../../src/pictures/raster.js';
import { classParts, type FillPart, fillOf, fillPanel } from '../../src/pictures/row-fill.js';
import { Sketch, type Sketched, type SketchRules, sketchMatrix } from '../../src/pictures/sketch.js';

const RULES: SketchRules = { size: () => [10, 6] };

async function streamed(text: string | Uint8Array, rules = RULES): Promise<Sketched> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  const sketch = new Sketch(rules);
  await streamEntries(bytes, { name: 'a file', sink: sketch });
  return sketch.finish();
}

/** All that is known, as plain data. */
function plain({ raster, rowCounts, colCounts, totals }: Sketched): unknown {
  const of = (counts: LineCounts): [number, number[]][] => {
    const found: [number, number[]][] = [];
    counts.forEach((line, all, at) => {
      found.push([line, [...all.subarray(at, at + counts.classes)]]);
    });
    return found.sort(([a], [b]) => a - b);
  };
  return { raster, rows: of(rowCounts), cols: of(colCounts), totals: [...totals] };
}

const MARKET = '%%MatrixMarket matrix';
const FILES: Readonly<Record<string, string>> = {
  sms: '4 7 M\n1 1 1\n1 7 -1\n4 2 99999999999\n4 2 5\n3 3 0\n0 0 0\n',
  rational: '2 2 R\n1 1 1/2\n2 2 -1\n0 0 0\n',
  'no entries': '3 0 M\n0 0 0\n',
  general: `${MARKET} coordinate integer general\n3 3 2\n1 2 1\n3 1 -4\n`,
  symmetric: `${MARKET} coordinate integer symmetric\n3 3 3\n1 1 1\n2 1 -1\n3 2 88888888888\n`,
  'skew-symmetric': `${MARKET} coordinate integer skew-symmetric\n3 3 2\n2 1 1\n3 2 9\n`,
  pattern: `${MARKET} coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n`,
  array: `${MARKET} array integer general\n2 2\n1\n0\n-1\n3\n`,
  'symmetric array': `${MARKET} array integer symmetric\n2 2\n1\n-1\n3\n`,
};

describe('a sketch of a stream', () => {
  test.each(Object.keys(FILES))('is that of the matrix: %s', async (name) => {
    const matrix = await readMatrix(new TextEncoder().encode(FILES[name]!));
    for (const mod of [0n, 2n, 5n, 2305843009213693951n]) {
      // 1/2 has no residue mod 2.
      if (name === 'rational' && mod === 2n) continue;
      const rules = { ...RULES, mod };
      expect(plain(await streamed(FILES[name]!, rules))).toEqual(plain(sketchMatrix(matrix, rules)));
    }
  });

  test('is that of a matrix of many batches, read by the kernel', async () => {
    const entries = Array.from({ length: 100_000 }, (_, k): [number, number, number | bigint] => {
      return [(k * 7919) % 5000, (k * 104729) % 3001, k % 1000 === 0 ? 10n ** 12n : (k % 5) - 2];
    });
    const matrix = SparseMatrix.fromTriplets(5000, 3001, entries);
    const text = Buffer.concat([...writeSms(matrix)]);
    const found = await streamed(text);
    expect(plain(found)).toEqual(plain(sketchMatrix(matrix, RULES)));
    // k % 5 = 3 makes +1, 1 makes −1, 2 makes 0, but for every thousandth, which are multiples of 5.
    expect([...found.totals]).toEqual([20_000, 20_000, 40_000, 20_000]);
  });

  test('refuses what the reader refuses', async () => {
    await expect(streamed('2 2 M\n1 1 1\n')).rejects.toThrow('cut off');
    await expect(streamed('2 2 M\n3 1 1\n0 0 0\n')).rejects.toThrow('a row in 1…2');
    await expect(streamed(`${MARKET} coordinate integer general\n2 2 2\n1 1 1\n`)).rejects.toThrow('2 entries');
    await expect(streamed('1 1 R\n1 1 1/5\n0 0 0\n', { ...RULES, mod: 5n })).rejects.toThrow('entry (1, 1) = 1/5');
  });

  test('takes no more memory than it may', async () => {
    const rules = { ...RULES, maxMemory: 20_000 };
    await expect(streamed('100 100 M\n0 0 0\n', rules)).resolves.toBeDefined();
    await expect(streamed('10000 100 M\n0 0 0\n', rules)).rejects.toThrow('a picture: expected counts of at most');
    // Of 10^9 lines those with entries are counted.
    const far = (entries: number): string => {
      const lines = Array.from({ length: entries }, (_, k) => `${1 + 7919 * k} ${1 + 104729 * k} 1\n`);
      return `1000000000 1000000000 M\n${lines.join('')}0 0 0\n`;
    };
    const some = { ...RULES, maxMemory: 200_000 };
    await expect(streamed(far(1000), some)).resolves.toBeDefined();
    await expect(streamed(far(9000), some)).rejects.toThrow('a picture: expected counts of at most');
  });
});

describe('counts of lines', () => {
  test('of few and of many lines are those of a map', () => {
    for (const lines of [5000, 2 ** 31 - 1]) {
      const counts = new LineCounts(lines, CLASSES);
      const expected = new Map<number, number[]>();
      const [idx, classOf] = [new Uint32Array(20_000), new Uint8Array(20_000)];
      for (let k = 0; k < idx.length; k++) {
        idx[k] = Math.floor(((k * 7919) % 5000) * (lines / 5000));
        classOf[k] = k % 4;
        if (classOf[k]! >= CLASSES) continue;
        const line = expected.get(idx[k]!) ?? [0, 0, 0];
        line[classOf[k]!]!++;
        expected.set(idx[k]!, line);
      }
      counts.add(idx, classOf, idx.length);
      const found = new Map<number, number[]>();
      counts.forEach((line, all, at) => {
        found.set(line, [...all.subarray(at, at + CLASSES)]);
      });
      expect(found).toEqual(expected);
      const { filled, empty } = counts.lengths();
      expect([filled.nnz, filled.rows, empty]).toEqual([15_000, expected.size, lines - expected.size]);
    }
  });

  test('of no lines have no lengths', () => {
    expect(new LineCounts(0, 1).lengths()).toMatchObject({ filled: { rows: 0, nnz: 0 }, empty: 0 });
  });
});

describe('row fill', () => {
  // Rows of 1, 3, 0, 8 entries: two to a pixel line.
  const lengths = [1, 3, 0, 8];
  const entries = lengths.flatMap((length, i) => Array.from({ length }, (_, j): [number, number, number] => [i, j, 1]));
  const sketched = sketchMatrix(SparseMatrix.fromTriplets(4, 8, entries), { size: () => [8, 2] });
  const { raster } = sketched;
  const [part, ...others] = classParts(sketched);

  test('is the mean and the longest of the rows in a line of pixels', () => {
    const { mean, longest } = fillOf(raster, part!.forEachRow, 4);
    expect([...mean]).toEqual([2, 2, 4, 4]);
    expect([...longest]).toEqual([3, 3, 8, 8]);
    expect(part!.classes).toEqual([0]);
    expect(others).toEqual([]);
  });

  test('has the cut between main format and remainder drawn in', () => {
    const panel = (cut: FillPart['cut']): unknown =>
      fillPanel({ ...part!, storage: 'ell + csr', cut }, raster, 0, 0, 100).filter(
        (shape) => shape.kind === 'rect' && shape.width === 2,
      );
    expect(panel(null)).toEqual([]);
    // At 2 of 8 entries, on 120 pixels.
    expect(panel({ at: 2, between: 'formats' })).toMatchObject(Array.from({ length: 14 }, () => ({ x: 29 })));
  });

  test.each([1, 3, 40, 41, 99, 191, 1300, 4987, 10_000, 99_999_999])(
    'has labels with room between them, up to %i',
    (end) => {
      const one: FillPart = { ...part!, forEachRow: (visit) => visit(0, end) };
      const shapes = fillPanel({ ...one, storage: 'slices-1x2 + 12 x csr-sorted + coo' }, raster, 0, 0, 100);
      const texts = shapes.flatMap((shape) => (shape.kind === 'text' ? [shape] : []));
      const numbers = texts.filter(({ text }) => /^\d+$/.test(text));
      expect(numbers.at(-1)!.text).toBe(`${end}`);
      // Digits take 7 pixels at most, letters on average.
      const half = ({ text }: { text: string }): number => (7 * text.length) / 2;
      numbers.slice(1).forEach((label, i) => {
        expect(label.x - half(label) - (numbers[i]!.x + half(numbers[i]!))).toBeGreaterThanOrEqual(4);
      });
      const under = texts.filter(({ y }) => y >= 130);
      expect(under.map(({ text }) => text).join(' ')).toBe('slices-1x2 + 12 x csr-sorted + coo');
      expect(new Set(under.map(({ y }) => y)).size).toBe(under.length);
      for (const { x, text, anchor } of texts) {
        expect(anchor === 'start' ? x + 7 * text.length : x + (7 * text.length) / 2).toBeLessThanOrEqual(144);
      }
    },
  );
});
