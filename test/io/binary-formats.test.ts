/** Matrices in binary files: what they hold, and that damaged and cut-off ones are met in one line with the byte. */
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/io/format-error.js';
import { readMatrix, streamEntries } from '../../src/io/read-matrix.js';
import { type Arrays, example, NUMBER_TYPES, npy, npyText, npz } from './archives.js';
import { joined, listOf, name, refusal, sorted, withstands, words } from './binary-reading.js';
import { SCIPY_FILES } from './scipy-files.js';
import { bytesOf, inChunks, listed } from './text.js';

describe('npz', () => {
  test.each(SCIPY_FILES)("scipy's own %s", async (_, bytes) => {
    expect(await listOf(bytes)).toBe('2 3: 1 2 1, 1 3 -2, 2 1 300');
    for (const size of [1, 7, 100])
      expect(sorted(listed(await readMatrix(inChunks(bytes, size))))).toBe(await listOf(bytes));
  });

  const types = NUMBER_TYPES.filter((type) => type !== '|b1').flatMap((type) =>
    ['csr', 'csc', 'coo'].map((format) => [type, format] as const),
  );
  test.each(types)('values of type %s in %s', async (type, format) => {
    for (const level of [0, 6] as const)
      expect(await listOf(npz(example(format, type), level))).toBe('2 3: 1 2 5, 1 3 7, 2 1 9');
  });

  test.each([
    ['|b1', [1, 0, 1], '2 3: 1 2 1, 1 3 0, 2 1 1'],
    ['|i1', [-128, 127, -1], '2 3: 1 2 -128, 1 3 127, 2 1 -1'],
    ['<i4', [-(2 ** 31), 2 ** 31 - 1, 0], '2 3: 1 2 -2147483648, 1 3 2147483647, 2 1 0'],
    ['<u4', [2 ** 32 - 1, 2 ** 31, 1], '2 3: 1 2 4294967295, 1 3 2147483648, 2 1 1'],
    ['<i8', [-(2n ** 63n), 2n ** 63n - 1n, -1n], '2 3: 1 2 -9223372036854775808, 1 3 9223372036854775807, 2 1 -1'],
    ['>i8', [2n ** 31n, -(2n ** 31n), 2n ** 32n], '2 3: 1 2 2147483648, 1 3 -2147483648, 2 1 4294967296'],
    ['<u8', [2n ** 64n - 1n, 2n ** 32n, 3n], '2 3: 1 2 18446744073709551615, 1 3 4294967296, 2 1 3'],
    ['<f8', [2 ** 70, -(2 ** 31), -0], '2 3: 1 2 1180591620717411303424, 1 3 -2147483648, 2 1 0'],
  ])('the ends of %s', async (type, values, expected) => {
    expect(await listOf(npz(example('coo', type, values)))).toBe(expected);
  });

  test('entries at one place add up, empty rows and arrays of other names pass, indices have 64 bits', async () => {
    const arrays = {
      ...{ indptr: npy('<i8', [0, 0, 2, 3]), indices: npy('<i8', [1, 1, 0]) },
      ...{ data: npy('<i4', [2, 3, 4]), shape: npy('<i8', [3, 2]), format: npyText('csr'), _is_array: npy('|b1', [1]) },
    };
    const matrix = await readMatrix(npz(arrays));
    expect([matrix.rows, matrix.cols, matrix.get(1, 1), matrix.get(2, 0), matrix.get(0, 0)]).toEqual([3, 2, 5, 4, 0]);
    const empty = { row: npy('<i4', []), col: npy('<i4', []), data: npy('<f8', []) };
    expect(listed(await readMatrix(npz({ ...empty, format: npyText('coo'), shape: npy('<i8', [0, 7]) })))).toBe('0 7:');
  });

  const csr = example('csr', '<f8');
  test.each<[string, Arrays, string]>([
    [
      'a format of blocks',
      { ...csr, format: npyText('bsr') },
      "x/format.npy: byte 131: expected csr, csc or coo (in scipy tocsr() makes one), got 'bsr'",
    ],
    [
      'a fraction',
      example('csr', '<f8', [5, 0.5, 1]),
      'x/data.npy: byte 136: expected a value that is an integer, got 0.5',
    ],
    [
      'a NaN',
      example('csr', '<f8', [5, 1, Number.NaN]),
      'x/data.npy: byte 144: expected a value that is an integer, got NaN',
    ],
    [
      'a column outside',
      { ...csr, indices: npy('<i4', [1, 3, 0]) },
      'x/indices.npy: byte 132: expected an index in 0…2, got 3',
    ],
    [
      'a negative column',
      { ...csr, indices: npy('<i4', [1, -1, 0]) },
      'x/indices.npy: byte 132: expected an index in 0…2147483647, got -1',
    ],
    [
      'row ends that fall',
      { ...csr, indptr: npy('<i4', [0, 3, 2]) },
      'x/indptr.npy: byte 136: expected a number in 3…3, got 2',
    ],
    [
      'row ends beyond the values',
      { ...csr, indptr: npy('<i4', [0, 2, 4]) },
      'x/indptr.npy: byte 136: expected a number in 2…3, got 4',
    ],
    ['row ends before them', { ...csr, indptr: npy('<i4', [0, 1, 2]) }, 'x/indptr.npy: byte 136: expected 3, got 2'],
    ['rows that begin late', { ...csr, indptr: npy('<i4', [1, 2, 3]) }, 'x/indptr.npy: byte 128: expected 0, got 1'],
    [
      'a row end too many',
      { ...csr, indptr: npy('<i4', [0, 1, 2, 3]) },
      'x/indptr.npy: byte 128: expected 3 items, got 4',
    ],
    ['a column too few', { ...csr, indices: npy('<i4', [1, 2]) }, 'x/indices.npy: byte 128: expected 3 items, got 2'],
    [
      'no shape',
      { ...csr, shape: new Uint8Array(0) },
      'x/shape.npy: byte 0: expected an array of NumPy, got the end of the file: cut off?',
    ],
    [
      'indices of floats',
      { ...csr, indices: npy('<f8', [1, 2, 0]) },
      "x/indices.npy: byte 128: expected integers, got 3 items of NumPy's type f8",
    ],
    [
      'an array that is longer than it says',
      { ...csr, data: joined(csr['data']!, words(0)) },
      'x/data.npy: byte 152: expected the end of the array, got more behind it',
    ],
  ])('%s is one line', async (_, arrays, expected) => {
    expect(await refusal(npz(arrays))).toBe(expected);
  });

  test('an archive without the arrays of a matrix is one line', async () => {
    expect(await refusal(npz({ a: npy('<i4', [1]) }))).toBe(
      'x/format.npy: byte 0: expected an array in the zip, got none',
    );
    const { indptr: _, ...rest } = csr;
    expect(await refusal(npz(rest))).toBe('x/indptr.npy: byte 0: expected an array in the zip, got none');
  });

  test('cut anywhere, or with any bit changed, it is one line or the same matrix', async () => {
    await withstands(npz(example('csr', '<i4'), 0));
    await withstands(npz(example('coo', '<i8')));
  });

  test('values and indices count for maxMemory', async () => {
    const long = Array.from({ length: 50_000 }, () => 1);
    const arrays = {
      row: npy('|u1', long),
      col: npy('|u1', long),
      data: npy('|u1', long),
      format: npyText('coo'),
      shape: npy('<i8', [2, 2]),
    };
    await expect(readMatrix(npz(arrays), { name, maxMemory: 600_000 })).rejects.toThrow(
      /^x\S*: byte \d+: expected entries of at most/,
    );
    expect((await readMatrix(npz(arrays), { name, maxMemory: 2_000_000 })).nnz).toBe(50_000);
    // Two arrays are held while the third grows: it is met there, not when all are in memory.
    await expect(readMatrix(npz(arrays), { name, maxMemory: 900_000 })).rejects.toThrow(/^\S*\/data\.npy: byte \d+: /);
  });
});

describe('zstd', () => {
  // 2 x 2, 60000 times 1 at (1, 1) and 5 at (2, 2): `zstd` 1.5 writes three blocks of runs and a checksum.
  const packed = new Uint8Array(
    Buffer.from(
      'KLUv/aRSfgUAnAAAWDIgMiBNCjEgMSAxAQDy/8mLF0wAAAgxAQD8/zkQAq0AAGgxMiAyIDUKMCAwIDAKAQBCfjkQAm3853U=',
      'base64',
    ),
  );
  const sumOf = async (bytes: Uint8Array): Promise<string> => {
    const matrix = await readMatrix(bytes, { name });
    return [matrix.rows, matrix.cols, matrix.nnz, matrix.get(0, 0), matrix.get(1, 1)].join(' ');
  };
  const whole = '2 2 60001 60000 5';

  test('a file of several blocks, in chunks of any size, between frames to skip', async () => {
    expect(await sumOf(packed)).toBe(whole);
    expect((await readMatrix(inChunks(packed, 5))).get(0, 0)).toBe(60000);
    const skipped = joined(words(0x184d2a57, 3), Uint8Array.of(9, 9, 9));
    expect(await sumOf(joined(packed, skipped))).toBe(whole);
  });

  test('cut anywhere, or with any bit changed, it is one line or the same matrix', async () => {
    for (let length = 4; length < packed.length; length++)
      expect(await refusal(packed.slice(0, length))).toMatch(/^x: byte \d+: .*cut off\?$/);
    for (let k = 4; k < packed.length; k++) {
      const changed = packed.slice();
      changed[k]! ^= 1 << (k % 8);
      const found = await sumOf(changed).catch((error: unknown) => error);
      if (typeof found === 'string') expect(found, `byte ${k}`).toBe(whole);
      else expect(found, `byte ${k}`).toBeInstanceOf(FormatError);
    }
  });

  test('a window that a header asks for is refused before it is allocated', async () => {
    expect(await refusal(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0xf8, 0, 0, 0))).toContain(
      'a window of at most 134217728 bytes',
    );
  });

  test('more behind it is one line', async () => {
    expect(await refusal(joined(packed, bytesOf('more')))).toBe('x: byte 71: expected a zstd frame, got 0x65726f6d');
  });
});

test('a format asked for by name is the only one, and no other is read as it', async () => {
  await expect(readMatrix(bytesOf('1 1 M\n1 1 1\n0 0 0\n'), { name, format: 'npz' })).rejects.toThrow(
    'x: byte 4: expected a file or the directory of the zip, got 0x20312031'.replace('byte 4', 'byte 0'),
  );
  await expect(readMatrix(bytesOf(''), { format: 'hdf5' as 'npz' })).rejects.toThrow(
    "readMatrix: format: expected auto, sms, matrixmarket, npz, cado, cado-coeffs, gbla, got 'hdf5'",
  );
});

test('a sink takes the entries of a binary file', async () => {
  const taken: unknown[] = [];
  const sink = {
    begin: (...sizes: unknown[]) => taken.push(sizes),
    take: (rowIdx: Uint32Array, colIdx: Uint32Array, values: Int32Array) =>
      taken.push([...rowIdx], [...colIdx], [...values]),
  };
  await streamEntries(npz(example('coo', '<i4')), { name, sink });
  expect(taken).toEqual([
    [2, 3, 'general'],
    [0, 0, 1],
    [1, 2, 0],
    [5, 7, 9],
  ]);
});
