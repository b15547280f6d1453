/** What is written reads back the same, in every format: a new one is a row of the table. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EntryError, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { readMatrix } from '../../src/io/read-matrix.js';
import { writeMatrixMarket, writeSms } from '../../src/io/write-matrix.js';
import { listed } from './text.js';

const FORMATS = [
  { format: 'sms', write: writeSms, fractions: true },
  { format: 'matrixmarket', write: writeMatrixMarket, fractions: false },
] as const;

const text = (chunks: Iterable<Uint8Array>): string => Buffer.concat([...chunks]).toString();

const INTEGERS = fc.oneof(
  fc.bigInt(-12n, 12n),
  fc.bigInt(-(2n ** 31n), 2n ** 31n - 1n),
  fc.bigInt(-(10n ** 60n), 10n ** 60n),
  fc.constantFrom(2147483647n, -2147483648n, 2147483648n, 999999999n, 1000000000n, -1000000000n, 0n),
);

test.each(FORMATS)('$format: any matrix comes back', async ({ format, write, fractions }) => {
  const value = fractions
    ? fc.oneof(
        INTEGERS,
        fc.tuple(INTEGERS, fc.bigInt(1n, 99n)).map(([a, b]) => `${a}/${b}`),
      )
    : INTEGERS;
  const entry = fc.tuple(fc.integer({ min: 0, max: 99 }), fc.integer({ min: 0, max: 2 ** 31 - 2 }), value);
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { maxLength: 30 }), async (entries) => {
      const matrix = SparseMatrix.fromTriplets(100, 2 ** 31 - 1, entries);
      const source = Buffer.concat([...write(matrix)]);
      expect(listed(await readMatrix(new Uint8Array(source), { format }))).toBe(listed(matrix));
    }),
    { seed: 5, numRuns: 200 },
  );
});

test('by eye', () => {
  const matrix = SparseMatrix.fromDense([
    [1, 0],
    [-20, 2n ** 40n],
  ]);
  expect(text(writeSms(matrix))).toBe('2 2 M\n1 1 1\n2 1 -20\n2 2 1099511627776\n0 0 0\n');
  expect(text(writeMatrixMarket(matrix))).toBe(
    '%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 1\n2 1 -20\n2 2 1099511627776\n',
  );
  expect(text(writeSms(SparseMatrix.fromDense([['-1/2']])))).toBe('1 1 R\n1 1 -1/2\n0 0 0\n');
});

test('chunks hold whole lines of at most 1 MiB, and a value longer than that travels alone', async () => {
  const n = 120_000;
  const rowIdx = Uint32Array.from({ length: n }, (_, k) => k);
  const values = Int32Array.from({ length: n }, (_, k) => (k * 48271) | 0);
  const matrix = SparseMatrix.fromTriplets(n, n, { rowIdx, colIdx: rowIdx, values });
  const chunks = [...writeSms(matrix)];
  expect(chunks.length).toBeGreaterThan(4); // header, two full chunks and more, the rest, the terminator
  for (const chunk of chunks) {
    expect(chunk.length).toBeLessThanOrEqual(1 << 20);
    expect(chunk[chunk.length - 1]).toBe(10);
  }
  expect(listed(await readMatrix(new Uint8Array(Buffer.concat(chunks))))).toBe(listed(matrix));
});

test('MatrixMarket refuses fractions', () => {
  expect(() => text(writeMatrixMarket(SparseMatrix.fromDense([['1/2']])))).toThrow(EntryError);
});
