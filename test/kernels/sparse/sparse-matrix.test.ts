import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { MAX_SIZE, StructureError } from '../../../kernels/errors/structure-error.js';
import { allocateUint32 } from '../../../kernels/sparse/coordinates.js';
import { withoutIdleLines } from '../../../kernels/sparse/drop-empty.js';
import { merge } from '../../../kernels/sparse/residue-matrix.js';
import { type Entry, EntryError, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';

const PRIMES = [2, 3, 65521, 65537, 2147483647 /* the largest a word takes */];

/** Σ of the entries at each position mod p, by bigints and a map: the definition. */
function residuesByDefinition(entries: readonly (readonly [number, number, bigint])[], p: number): string[] {
  const sums = new Map<string, bigint>();
  for (const [i, j, v] of entries) {
    const key = `${i},${j}`;
    sums.set(key, ((((sums.get(key) ?? 0n) + v) % BigInt(p)) + BigInt(p)) % BigInt(p));
  }
  const kept = [...sums].filter(([, v]) => v !== 0n).map(([key, v]) => ({ at: key.split(',').map(Number), v }));
  kept.sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1]);
  return kept.map(({ at, v }) => `${at[0]} ${at[1]} ${v}`);
}

/** The same list out of compressed rows. */
function listed(a: {
  rows: number;
  rowPtr: Uint32Array;
  colIdx: Uint32Array;
  values: ArrayLike<number | bigint>;
}): string[] {
  const out: string[] = [];
  for (let i = 0; i < a.rows; i++) {
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) out.push(`${i} ${a.colIdx[k]} ${a.values[k]}`);
  }
  return out;
}

const VALUES = fc.oneof(
  fc.bigInt(-3n, 3n),
  fc.bigInt(-(2n ** 31n), 2n ** 31n - 1n),
  fc.constantFrom(-(2n ** 31n), 2n ** 31n, 2n ** 53n + 1n, -(10n ** 40n), 65521n, 0n),
);
const CASES = fc.integer({ min: 1, max: 9 }).chain((rows) =>
  fc.integer({ min: 1, max: 9 }).chain((cols) =>
    fc.record({
      rows: fc.constant(rows),
      cols: fc.constant(cols),
      entries: fc.array(
        fc.tuple(fc.integer({ min: 0, max: rows - 1 }), fc.integer({ min: 0, max: cols - 1 }), VALUES),
        {
          maxLength: 60 /* more than places: duplicates are certain */,
        },
      ),
    }),
  ),
);

describe('residues', () => {
  test.each([2, 3, 65521, 2147483647])('entries at the bounds of 32 bits and of p = %d', (p) => {
    const entries = [-(2 ** 31), 1 - 2 ** 31, -p - 1, -p, 1 - p, -1, 1, p - 1, p, p + 1, 2 ** 31 - 1].filter(
      (value) => value === (value | 0),
    );
    const residues = entries
      .map((value, j) => `0 ${j} ${((value % p) + p) % p}`)
      .filter((line) => !line.endsWith(' 0'));
    expect(listed(SparseMatrix.fromDense([entries]).residues(p))).toEqual(residues);
  });

  test.each(PRIMES)('mod %i are the sums by definition, in row order, without zeros', (p) => {
    fc.assert(
      fc.property(CASES, ({ rows, cols, entries }) => {
        const matrix = SparseMatrix.fromTriplets(rows, cols, entries);
        const expected = residuesByDefinition(entries, p);
        expect(listed(matrix.residues(p))).toEqual(expected);
        expect(listed(matrix.residuesBig(BigInt(p)))).toEqual(expected);
        const twice = transpose(transpose(matrix.residues(p)));
        expect(listed(twice)).toEqual(expected);
      }),
      { seed: p, numRuns: 150 },
    );
  });

  test('of a 3 × 3 matrix, by eye', () => {
    const matrix = SparseMatrix.fromTriplets(3, 3, [
      [2, 1, 5],
      [0, 2, -1],
      [0, 0, 7],
      [2, 1, 2], // 5 + 2 = 7: gone mod 7
      [0, 2, 10],
    ]);
    expect(listed(matrix.residues(7))).toEqual(['0 2 2']);
    expect(listed(matrix.residues(11))).toEqual(['0 0 7', '0 2 9', '2 1 7']);
    expect(listed(transpose(matrix.residues(11)))).toEqual(['0 0 7', '1 2 7', '2 0 9']);
    expect(matrix.nnz).toBe(5);
  });

  test('of a fraction a/b are a·b⁻¹, in lowest terms, and an EntryError where p divides b', () => {
    const matrix = SparseMatrix.fromTriplets(1, 4, [
      [0, 0, '1/2'],
      [0, 1, '-3/4'],
      [0, 2, '6/2'],
      [0, 3, '-10/-4'],
    ]);
    expect(listed(matrix.residues(7))).toEqual(['0 0 4', '0 1 1', '0 2 3', '0 3 6']);
    expect(() => matrix.residues(2)).toThrow(
      new EntryError('entry (1, 1) = 1/2: expected a denominator prime to 2, got a multiple of it'),
    );
    expect(listed(SparseMatrix.fromDense([['6/2']]).residues(2))).toEqual(['0 0 1']);
  });

  test('mod a 127-bit prime keep what no word holds', () => {
    const p = 2n ** 127n - 1n;
    const matrix = SparseMatrix.fromDense([[-1, 2n ** 130n, '1/2']]);
    expect(listed(matrix.residuesBig(p))).toEqual([`0 0 ${p - 1n}`, '0 1 8', `0 2 ${(p + 1n) / 2n}`]);
  });

  test('refuse a modulus that is no word', () => {
    const matrix = SparseMatrix.fromDense([[1]]);
    for (const p of [1, 0, -7, 2.5, 2 ** 31, Number.NaN]) expect(() => matrix.residues(p)).toThrow(StructureError);
  });
});

test('entries of one place are added up in a copy', () => {
  const a = {
    ...{ rows: 2, cols: 3, rowPtr: Uint32Array.of(0, 4, 5) },
    ...{ colIdx: Uint32Array.of(0, 1, 1, 2, 2), values: Uint32Array.of(4, 3, 2, 0, 1) },
  };
  const before = structuredClone(a);
  const sum = merge(a, (x, y) => (x + y) % 5);
  expect(a).toEqual(before);
  expect([[...sum.rowPtr], [...sum.colIdx], [...sum.values]]).toEqual([
    [0, 1, 2],
    [0, 2],
    [4, 1],
  ]);
  expect(merge(sum, () => 0)).toBe(sum);
});

describe('constructors', () => {
  test('triplets, compressed rows and dense rows give one matrix', () => {
    const expected = ['0 1 3', '1 0 65520', '1 2 4'];
    const triplets = SparseMatrix.fromTriplets(2, 3, {
      rowIdx: Int32Array.of(1, 0, 1),
      colIdx: Uint16Array.of(0, 1, 2),
      values: Float64Array.of(-1, 3, 4),
    });
    const csr = SparseMatrix.fromCsr(2, 3, { rowPtr: [0, 1, 3], colIdx: [1, 0, 2], values: [3, -1, 4] });
    const dense = SparseMatrix.fromDense([
      [0, 3, 0],
      [-1, 0, 4],
    ]);
    for (const matrix of [triplets, csr, dense]) expect(listed(matrix.residues(65521))).toEqual(expected);
    expect(dense.nnz).toBe(3);
  });

  test.each<[string, Entry, number]>([
    ['a number beyond 32 bits', 2 ** 40, 2 ** 40 % 65521],
    ['a number just beyond 32 bits', 2 ** 31, 2 ** 31 % 65521],
    ['the least 32-bit number', -(2 ** 31), 65521 - (2 ** 31 % 65521)],
    ['a bigint', 10n ** 30n, Number(10n ** 30n % 65521n)],
    ['a decimal string', '123456789012345678901', Number(123456789012345678901n % 65521n)],
    ['a signed string', '+17', 17],
  ])('take %s', (_, entry, residue) => {
    expect(listed(SparseMatrix.fromTriplets(1, 1, [[0, 0, entry]]).residues(65521))).toEqual([`0 0 ${residue}`]);
  });

  test.each<[string, Entry]>([
    ['a fraction of a number', 1.5],
    ['a number beyond 2^53', 2 ** 60],
    ['NaN', Number.NaN],
    ['infinity', Number.POSITIVE_INFINITY],
    ['a word', 'seven'],
    ['a zero denominator', '1/0'],
    ['nothing', ''],
  ])('refuse %s', (_, entry) => {
    expect(() => SparseMatrix.fromTriplets(1, 1, [[0, 0, entry]])).toThrow(EntryError);
  });

  test.each([
    [2, 0],
    [0, 2],
    [-1, 0],
    [0, 0.5],
    [Number.NaN, 0],
  ])('refuse the index (%d, %d) of a 2 × 2 matrix', (i, j) => {
    expect(() => SparseMatrix.fromTriplets(2, 2, [[i, j, 1]])).toThrow(StructureError);
  });

  test('refuse sizes that are none, ragged rows and offsets out of order', () => {
    for (const size of [-1, 1.5, MAX_SIZE + 1])
      expect(() => SparseMatrix.fromTriplets(size, 1, [])).toThrow(StructureError);
    expect(() => SparseMatrix.fromDense([[1, 2], [3]])).toThrow(StructureError);
    const colIdx = [0, 0];
    expect(() => SparseMatrix.fromCsr(2, 1, { rowPtr: [0, 3, 2], colIdx, values: [1, 1] })).toThrow(StructureError);
    expect(() => SparseMatrix.fromCsr(2, 1, { rowPtr: [0, 2], colIdx, values: [1, 1] })).toThrow(StructureError);
    expect(() => SparseMatrix.fromTriplets(2, 2, { rowIdx: [0], colIdx: [0, 1], values: [1, 1] })).toThrow(
      StructureError,
    );
  });

  test('sizes 0 × n and n × 0 are matrices', () => {
    for (const [rows, cols] of [
      [0, 0],
      [0, 5],
      [5, 0],
    ]) {
      const a = SparseMatrix.fromTriplets(rows, cols, []).residues(7);
      expect([a.rows, a.cols, a.rowPtr.length, a.colIdx.length]).toEqual([rows, cols, rows + 1, 0]);
    }
  });
});

test('parts survive structured cloning, wide entries included; a matrix made of them has its own arrays', () => {
  const matrix = SparseMatrix.fromDense([[1, '-2/3', 2n ** 80n]]);
  for (const parts of [matrix.toParts(), structuredClone(matrix.toParts()), structuredClone(matrix)]) {
    const clone = SparseMatrix.fromParts(parts);
    expect(listed(clone.residues(65521))).toEqual(listed(matrix.residues(65521)));
    clone.values[0] = 9;
    expect(matrix.values[0]).toBe(1);
  }
});

describe('memory follows the entries', () => {
  const peak = (): number => process.resourceUsage().maxRSS;
  const [LONG, P] = [10 ** 9, 2n ** 89n - 1n];
  const wide = SparseMatrix.fromTriplets(2, LONG, [
    [1, LONG - 1, 3],
    [0, 7, 1],
    [1, 5, 2],
    [1, LONG - 1, 4],
  ]);

  test('of a matrix with more columns than an array could have: in order, repeats summed', () => {
    const before = peak();
    const entries = ['0 7 1', '1 5 2', `1 ${LONG - 1} 7`];
    expect(listed(wide.residues(65521))).toEqual(entries);
    expect(listed(wide.residuesBig(P))).toEqual(entries);
    expect(peak() - before).toBeLessThan(30 * 1024);
  });

  test('and arrays of rows that nearly all are empty are refused', () => {
    const before = peak();
    const tall = SparseMatrix.fromTriplets(LONG, 2, [[LONG - 1, 1, 3]]);
    for (const made of [() => tall.residues(65521), () => tall.residuesBig(P), () => transpose(wide.residues(65521))]) {
      expect(made).toThrow(MemoryError);
      expect(made).toThrow(
        /^a matrix of \d entries: expected at most 16777216 rows and columns, got 1000000000: leave empty ones out$/,
      );
    }
    expect(listed(withoutIdleLines(tall).residues(65521))).toEqual(['0 0 3']);
    expect(listed(transpose(withoutIdleLines(wide).residues(65521)))).toEqual(['0 1 2', '1 0 1', '2 1 7']);
    expect(peak() - before).toBeLessThan(30 * 1024);
  });

  test('many rows with some entries in each stay', () => {
    const rows = 2 ** 24 + 1;
    const some = SparseMatrix.fromTriplets(rows, 1, {
      rowIdx: Uint32Array.from({ length: 2 ** 20 + 1 }, (_, k) => 16 * k),
      colIdx: new Uint32Array(2 ** 20 + 1),
      values: new Int32Array(2 ** 20 + 1).fill(5),
    });
    expect(some.residues(3).rowPtr[rows]).toBe(2 ** 20 + 1);
  });

  test('as many entries as offsets of 32 bits cannot count are one line', () => {
    const message = 'a matrix: expected fewer than 2^32 entries in memory, got 4294967296';
    expect(() => allocateUint32(2 ** 32)).toThrow(new MemoryError(message));
  });
});
