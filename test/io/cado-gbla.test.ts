/** Matrices of CADO-NFS and of gbla: what they hold, and that damaged ones are met in one line with the byte. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { readMatrix } from '../../src/io/read-matrix.js';
import { halves, joined, listOf, name, refusal, words } from './binary-reading.js';
import { listed } from './text.js';

describe('CADO-NFS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wiedemann-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'm.bin');
  const bits = words(2, 0, 2, 0, 1, 1);
  beforeAll(() => writeFileSync(path, bits));
  const beside = (suffix: string, ...list: number[]): void =>
    writeFileSync(join(folder, `m.${suffix}.bin`), words(...list));
  const read = async (): Promise<string> => listed(await readMatrix(path, { format: 'cado', name }));

  test('rows of columns, and of columns with values', async () => {
    expect(await listOf(bits, 'cado')).toBe('3 3: 1 1 1, 1 3 1, 3 2 1');
    expect(await listOf(words(1, 4, -5 >>> 0, 2, 0, 3, 0, 4), 'cado-coeffs')).toBe('2 5: 1 5 -5, 2 1 3, 2 1 4');
    expect(await listOf(words(), 'cado')).toBe('0 0:');
  });

  test('what was read is what was written', async () => {
    const random = new CounterRandom(7n, 0);
    const rows = Array.from({ length: 400 }, (_, i) =>
      Array.from({ length: random.residueAt(i, 200) }, (_, k) => random.residueAt(400 + 200 * i + k, 1000)),
    );
    const matrix = await readMatrix(words(...rows.flatMap((row) => [row.length, ...row])), { format: 'cado' });
    expect([...matrix.entries()]).toEqual(rows.flatMap((row, i) => row.map((j) => [i, j, 1])));
  });

  test('the companion gives the number of columns, and both are compared', async () => {
    expect(await read()).toBe('3 3: 1 1 1, 1 3 1, 3 2 1');
    beside('cw', 1, 1, 1, 0, 0);
    beside('rw', 2, 0, 1);
    expect(await read()).toBe('3 5: 1 1 1, 1 3 1, 3 2 1');
    beside('rw', 2, 0, 1, 0);
    await expect(read()).rejects.toThrow(
      `${folder}/m.rw.bin: byte 12: expected 3 numbers of entries, as in the matrix, got 4`,
    );
    beside('rw', 2, 1, 1);
    await expect(read()).rejects.toThrow(`${folder}/m.rw.bin: byte 4: expected 0 entries, as in the matrix, got 1`);
    beside('cw', 1, 1);
    await expect(read()).rejects.toThrow(
      `${folder}/m.cw.bin: byte 8: expected 3 numbers of entries, as in the matrix, got 2`,
    );
  });

  test.each([
    [
      'half a row',
      words(2, 0),
      'cado',
      'x: byte 8: expected 1 more entries of row 1, got the end of the file: cut off?',
    ],
    [
      'half a word',
      bits.slice(0, 6),
      'cado',
      'x: byte 6: expected words of 32 bits, got the end of the file: cut off?',
    ],
    ['a column of 2^31', words(1, 2 ** 31 - 1), 'cado', 'x: byte 4: expected columns in 0…2147483647, got 2147483648'],
    [
      'a row of 2^31',
      words(2 ** 31),
      'cado',
      'x: byte 0: expected a number of entries in 0…2147483647, got 2147483648',
    ],
    [
      'a value that is missing',
      words(1, 4),
      'cado-coeffs',
      'x: byte 8: expected 1 more entries of row 1, got the end of the file: cut off?',
    ],
  ] as const)('%s is one line', async (_, bytes, format, expected) => {
    expect(await refusal(bytes, format)).toBe(expected);
  });

  test('entries count for maxMemory', async () => {
    const row = words(60_000, ...Array.from({ length: 60_000 }, () => 0));
    await expect(readMatrix(row, { name, format: 'cado', maxMemory: 500_000 })).rejects.toThrow(
      /^x: byte \d+: expected entries of at most/,
    );
  });
});

test('rows without entries, and a run of columns, count for maxMemory before they are held', async () => {
  const few = { name, maxMemory: 200_000 };
  const rows = new Uint8Array(400_000);
  await expect(readMatrix(rows, { ...few, format: 'cado' })).rejects.toThrow(
    /^x: byte \d+: expected entries of at most/,
  );
  const cols = 10_000_000;
  const run = [words(1, cols), halves(101), words(cols, 0), words(cols), words(0), words(2, 0), words(0, cols)];
  const gbla = joined(words(0x80000002), ...run);
  await expect(readMatrix(gbla, { ...few, format: 'gbla' })).rejects.toThrow(
    /^x: byte \d+: expected entries of at most/,
  );
});

describe('gbla', () => {
  const size = words(3, 0); // a number of 64 bits
  const plain = joined(words(2, 4, 65521), size, halves(5, 7, 65520), words(0, 2, 3), words(2, 1));
  const compressed = joined(
    ...[words(0x80000002, 3, 4), halves(101), words(5, 0), words(2, 1, 2), words(1, 0, 1)],
    ...[words(5, 0), words(1, 2, 2 ** 31 + 3, 2, 2), words(2), words(3, 0), words(1, 2), halves(9, 5, 7)],
  );
  const expected = '2 4: 1 1 5, 1 3 7, 2 4 65520';

  test('plain, with a word in front, and compressed, where rows share the values of a polynomial', async () => {
    expect(await listOf(plain, 'gbla')).toBe(expected);
    expect(await listOf(joined(words(0xffff0002), plain), 'gbla')).toBe(expected);
    expect(await listOf(compressed, 'gbla')).toBe('3 4: 1 2 5, 1 3 7, 2 4 9, 3 3 5, 3 4 7');
  });

  test.each([
    ['plain', plain],
    ['compressed', compressed],
  ])('a %s file that is cut off, or longer, is one line', async (_, bytes) => {
    for (let length = 0; length < bytes.length; length++)
      expect(await refusal(bytes.slice(0, length), 'gbla')).toContain('cut off?');
    expect(await refusal(joined(bytes, words(0)), 'gbla')).toBe(
      `x: byte ${bytes.length}: expected the end of the file, got more behind it`,
    );
  });

  test('numbers that contradict each other are one line', async () => {
    const at = (bytes: Uint8Array, word: number, value: number): Uint8Array => {
      const out = bytes.slice();
      new DataView(out.buffer).setUint32(word, value, true);
      return out;
    };
    expect(await refusal(at(plain, 30, 4), 'gbla')).toBe('x: byte 30: expected columns in 0…3, got 4');
    expect(await refusal(at(plain, 38, 3), 'gbla')).toBe('x: byte 46: expected 3 entries in rows, got 4');
    expect(await refusal(at(compressed, 34, 2), 'gbla')).toContain(
      'expected a polynomial of 2 values for row 1, got none',
    );
    expect(await refusal(at(compressed, 54, 3), 'gbla')).toBe(
      'x: byte 58: expected columns below 4, 5 in all, got 2 from 3 on',
    );
  });
});
