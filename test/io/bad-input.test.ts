/** Bad input is one FormatError on one line, naming file, line, what was expected and what came. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { FormatError } from '../../src/io/format-error.js';
import { readMatrix } from '../../src/io/read-matrix.js';
import { bytesOf, inChunks, readText } from './text.js';

const COORDINATE = '%%MatrixMarket matrix coordinate';
const ARRAY = '%%MatrixMarket matrix array';

test.each([
  ['an empty file', '', "1: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got the end of the file"],
  [
    'comments alone',
    '# a\n# b\n',
    "3: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got the end of the file",
  ],
  ['a wrong header', '# a\n3 3\n1 1 1\n', "2: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got '3 3'"],
  ['an unknown letter', '3 3 Q\n', "1: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got '3 3 Q'"],
  ['a negative size', '-3 3 M\n', "1: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got '-3 3 M'"],
  [
    'binary garbage',
    '\x7fELF\x02\x01\x00\x00',
    "1: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got '\\x7fELF\\x02\\x01\\x00\\x00'",
  ],
  ['garbage behind a header', '3 3 M\n\x00\x01\x02\n', "2: expected 'row column value', got '\\x00\\x01\\x02'"],
  ['a size of 2^31', '2147483648 1 M\n', "1: expected sizes in 0…2147483647, got '2147483648'"],
  [
    'a size of 10^30',
    '1 1000000000000000000000000000000 M\n',
    "1: expected sizes in 0…2147483647, got '1000000000000000000000000000000'",
  ],
  ['a row out of range', '3 4 M\n1 1 1\n4 1 1\n', '3: expected a row in 1…3, got 4'],
  ['a column out of range', '3 4 M\n1 1 1\n3 5 1\n', '3: expected a column in 1…4, got 5'],
  ['row 0', '3 4 M\n0 1 1\n', '2: expected a row in 1…3, got 0'],
  ['column 0', '3 4 M\n1 0 1\n', '2: expected a column in 1…4, got 0'],
  ['0 0 with a value', '3 4 M\n0 0 5\n', '2: expected a row in 1…3, got 0'],
  ['a row beyond every integer', `3 4 M\n${'9'.repeat(400)} 1 1\n`, '2: expected a row in 1…3, got Infinity'],
  ['an entry in an empty matrix', '0 0 M\n1 1 1\n', '2: expected a row in 1…0, got 1'],
  ['a partial last triple', '3 4 M\n1 1 1\n2 2', "3: expected 'row column value', got '2 2'"],
  ['a partial last triple with a blank', '3 4 M\n1 1 1\n2 2 ', '3: expected an integer value, got the end of the line'],
  ['a lone row index', '3 4 M\n1\n', "2: expected 'row column value', got '1'"],
  ['four words', '3 4 M\n1 1 1 1\n', "2: expected 'row column value', got '1 1 1 1'"],
  ['entries behind the terminator', '3 4 M\n0 0 0\n1 1 1\n', "3: expected nothing behind '0 0 0', got '1 1 1'"],
  ['a real value', '3 4 M\n1 1 1.5\n', "2: expected an integer value, got '1.5'"],
  ['a real value with zeros', '3 4 M\n1 1 1.0\n1 2 10.050\n', "3: expected an integer value, got '10.050'"],
  ['a real value of type R', '3 4 R\n1 1 1.5\n', "2: expected an integer or a fraction a/b, got '1.5'"],
  ['a fraction of reals', '3 4 R\n1 1 1.0/2\n', "2: expected an integer or a fraction a/b, got '1.0/2'"],
  ['a point alone', '3 4 M\n1 1 .\n', "2: expected an integer value, got '.'"],
  [
    'a real in an integer file',
    `${COORDINATE} integer general\n1 1 1\n1 1 1.0\n`,
    "3: expected an integer value, got '1.0'",
  ],
  [
    'two byte-order marks',
    '\ufeff\ufeff1 1 M\n',
    "1: expected a header '%%MatrixMarket matrix …' or 'rows cols M', got 'ï»¿1 1 M'",
  ],
  ['a fraction of type M', '3 4 M\n1 1 1/2\n', "2: expected an integer value, got '1/2'"],
  ['a zero denominator', '3 4 R\n1 1 1/0\n', "2: expected an integer or a fraction a/b, got '1/0'"],
  ['a fraction of fractions', '3 4 R\n1 1 1/2/3\n', "2: expected an integer or a fraction a/b, got '1/2/3'"],
  ['half a fraction', '3 4 R\n1 1 1/\n', "2: expected an integer or a fraction a/b, got '1/'"],
  ['a word', '3 4 M\n1 1 x\n', "2: expected an integer value, got 'x'"],
  ['a sign alone', '3 4 M\n1 1 -\n', "2: expected an integer value, got '-'"],
  ['a negative index', '3 4 M\n-1 1 1\n', "2: expected 'row column value', got '-1 1 1'"],
  ['a wrong object', '%%MatrixMarket vector coordinate real general\n', "1: expected matrix, got 'vector'"],
  ['a wrong layout', '%%MatrixMarket matrix sparse real general\n', "1: expected coordinate or array, got 'sparse'"],
  [
    'complex',
    `${COORDINATE} complex general\n1 1 1\n1 1 1 0\n`,
    "1: expected integer or unsigned-integer or real or double or pattern, got 'complex'",
  ],
  [
    'hermitian',
    `${COORDINATE} real hermitian\n`,
    "1: expected general or symmetric or skew-symmetric, got 'hermitian'",
  ],
  [
    'a short banner',
    `${COORDINATE} real\n`,
    '1: expected general or symmetric or skew-symmetric, got the end of the line',
  ],
  ['a long banner', `${COORDINATE} real general really\n`, "1: expected the end of the line, got 'really'"],
  ['no sizes', `${COORDINATE} real general\n% x\n`, "3: expected 'rows cols', got the end of the file"],
  ['two sizes', `${COORDINATE} real general\n3 3\n`, "2: expected 'rows cols entries', got '3 3'"],
  ['three sizes of an array', `${ARRAY} real general\n3 3 9\n`, "2: expected 'rows cols', got '3 3 9'"],
  ['a size that is none', `${COORDINATE} real general\n3 x 3\n`, "2: expected sizes in 0…2147483647, got 'x'"],
  ['fewer entries', `${COORDINATE} integer general\n3 3 2\n1 1 1\n`, '4: expected 2 entries, got 1'],
  ['more entries', `${COORDINATE} integer general\n3 3 1\n1 1 1\n2 2 2\n`, '4: expected 1 entries, got one more'],
  [
    'an entry where none was announced',
    `${COORDINATE} pattern general\n3 3 0\n1 1\n`,
    '3: expected 0 entries, got one more',
  ],
  ['a value in a pattern', `${COORDINATE} pattern general\n3 3 1\n1 1 1\n`, "3: expected 'row column', got '1 1 1'"],
  [
    'a non-integral real',
    `${COORDINATE} real general\n3 3 1\n1 1 2.50\n`,
    "3: expected a value that is an integer, got '2.50'",
  ],
  [
    'a non-integral power',
    `${COORDINATE} real general\n3 3 1\n1 1 5e-1\n`,
    "3: expected a value that is an integer, got '5e-1'",
  ],
  [
    'a power that fills the memory',
    `${COORDINATE} real general\n3 3 1\n1 1 1e999999999\n`,
    "3: expected a value that is an integer, got '1e999999999'",
  ],
  ['NaN', `${COORDINATE} real general\n3 3 1\n1 1 NaN\n`, "3: expected a value that is an integer, got 'NaN'"],
  ['infinity', `${COORDINATE} real general\n3 3 1\n1 1 inf\n`, "3: expected a value that is an integer, got 'inf'"],
  [
    'a real value in an integer file',
    `${COORDINATE} integer general\n3 3 1\n1 1 1.0\n`,
    "3: expected an integer value, got '1.0'",
  ],
  [
    'a symmetric matrix that is not square',
    `${COORDINATE} real symmetric\n3 4 0\n`,
    '2: expected a square symmetric matrix, got 3 x 4',
  ],
  [
    'a skew-symmetric diagonal',
    `${COORDINATE} integer skew-symmetric\n3 3 1\n2 2 1\n`,
    '3: expected no entry on the diagonal, got one in row 2',
  ],
  [
    'both halves of a symmetric matrix',
    `${COORDINATE} integer symmetric\n2 2 2\n2 1 1\n1 2 1\n`,
    '4: expected entries on and below the diagonal, as the matrix is symmetric, got one at (1, 2)',
  ],
  [
    'the upper half of a symmetric pattern',
    `${COORDINATE} pattern symmetric\n3 3 2\n1 1\n2 3\n`,
    '4: expected entries on and below the diagonal, as the matrix is symmetric, got one at (2, 3)',
  ],
  [
    'a zero above the diagonal',
    `${COORDINATE} integer symmetric\n2 2 1\n1 2 0\n`,
    '3: expected entries on and below the diagonal, as the matrix is symmetric, got one at (1, 2)',
  ],
  [
    'the upper half of a skew-symmetric matrix',
    `${COORDINATE} integer skew-symmetric\n3 3 1\n2 3 99999999999\n`,
    '3: expected entries below the diagonal, as the matrix is skew-symmetric, got one at (2, 3)',
  ],
  ['an array of pattern', `${ARRAY} pattern general\n3 3\n`, "2: expected values in an array, got 'pattern'"],
  ['fewer values', `${ARRAY} integer general\n2 2\n1\n2\n3\n`, '6: expected 4 entries, got 3'],
  ['more values', `${ARRAY} integer symmetric\n2 2\n1\n2\n3\n4\n`, '6: expected 3 entries, got one more'],
  ['a word in an array', `${ARRAY} integer general\n1 1\nx\n`, "3: expected an integer value, got 'x'"],
])('%s', async (_, text, message) => {
  const failure = await readText(text).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(FormatError);
  expect((failure as FormatError).message).toBe(`text:${message}`);
  expect((failure as FormatError).line).toBe(Number.parseInt(message, 10));
});

test.each([
  ['symmetric', 'entries on and below the diagonal, as the matrix is symmetric, got one at (5, 6)'],
  ['skew-symmetric', 'entries below the diagonal, as the matrix is skew-symmetric, got one at (5, 6)'],
])('an entry above the diagonal in a long %s file, whoever reads its lines', async (symmetry, message) => {
  const lines = Array.from({ length: 40_000 }, (_, k) => `${k + 2} ${(k % (k + 1)) + 1} ${(k % 7) - 3}`);
  lines[30_000] = '5 6 2';
  const text = `${COORDINATE} integer ${symmetry}\n50000 50000 40000\n${lines.join('\n')}\n`;
  await expect(readText(text)).rejects.toThrow(`text:30003: expected ${message}`);
});

describe('files', () => {
  test('a missing file and a directory are named', async () => {
    const folder = mkdtempSync(`${tmpdir()}/bad-`);
    await expect(readMatrix(`${folder}/none.sms`)).rejects.toThrow(
      new FormatError(`${folder}/none.sms`, 0, 'a readable file', 'no such file'),
    );
    await expect(readMatrix(folder)).rejects.toThrow(new FormatError(folder, 0, 'a readable file', 'a directory'));
    rmSync(folder, { recursive: true });
  });

  test('a name with a line break still makes one line', () => {
    expect(new FormatError('a\nb', 3, 'x', 'y').message).toBe('a\\x0ab:3: expected x, got y');
  });

  test.each([10 /* inside the header */, 30, -9 /* inside the last block */, -4 /* inside the trailer */])(
    'a gzip file cut at %i',
    async (at) => {
      const packed = gzipSync(
        bytesOf(`9 9 M\n${Array.from({ length: 500 }, (_, k) => `${(k % 9) + 1} 1 ${k * k}`).join('\n')}\n`),
      );
      const failure = await readMatrix(packed.subarray(0, at < 0 ? packed.length + at : at), { name: 'cut.gz' }).catch(
        (e) => e,
      );
      expect(failure).toBeInstanceOf(FormatError);
      expect(failure.message).toMatch(/^cut\.gz:\d+: expected a whole gzip file, got '[^\n]+'$/);
    },
  );

  test('a gzip file with a flipped byte', async () => {
    const packed = gzipSync(bytesOf('9 9 M\n1 1 1\n'.repeat(1)));
    packed[14] ^= 0xff;
    await expect(readMatrix(packed)).rejects.toBeInstanceOf(FormatError);
  });
});

describe('memory follows what was read', () => {
  test.each([
    ['SMS', '2147483647 2147483647 M\n'],
    ['coordinate', `${COORDINATE} integer general\n2147483647 2147483647 2147483647\n1 1 1\n`],
    ['array', `${ARRAY} integer general\n2147483647 2147483647\n1\n`],
  ])('not what a %s header announces', async (kind, text) => {
    const before = process.memoryUsage();
    const result = await readText(text).catch((error: unknown) => error);
    const after = process.memoryUsage();
    expect(after.arrayBuffers + after.rss - before.arrayBuffers - before.rss).toBeLessThan(64e6);
    // Empty is a matrix in SMS, which announces no entries; the others miss theirs.
    if (kind === 'SMS') expect(result).toBe('2147483647 2147483647:');
    else expect(result).toBeInstanceOf(FormatError);
  });

  test.each([
    ['zeros', '', 0],
    ['zeros behind a header', '3 3 M\n1 1 ', 0],
    ['digits', '3 3 M\n1 1 ', 55],
    ['digits of a real', `${COORDINATE} real general\n1 1 1\n1 1 `, 55],
  ])('an endless line of %s ends with an error', async (_, head, byte) => {
    let chunks = 0;
    const endless = async function* () {
      yield bytesOf(head);
      for (; ; chunks++) yield new Uint8Array(1 << 14).fill(byte);
    };
    await expect(readMatrix(endless())).rejects.toThrow(/expected lines below 65536 bytes/);
    expect(chunks).toBeLessThan(8);
  });

  test('a value of too many digits inside one chunk is refused before it is converted', async () => {
    await expect(readText(`1 1 M\n1 1 ${'7'.repeat(100_000)}\n`)).rejects.toThrow(
      'text:2: expected an integer value, got one of 100000 digits',
    );
  });

  test('noise of any kind never gets past the header unnoticed', async () => {
    let state = 1;
    const noise = Uint8Array.from({ length: 1 << 16 }, () => {
      state = (state * 48271) % 2147483647;
      return state & 0xff;
    });
    for (const head of [
      '',
      '5 5 M\n',
      '5 5 R\n',
      `${COORDINATE} real general\n5 5 5\n`,
      `${ARRAY} real general\n5 5\n`,
    ]) {
      const bytes = Uint8Array.of(...bytesOf(head), ...noise.subarray(0, 5000));
      await expect(readMatrix(inChunks(bytes, 777)), head).rejects.toBeInstanceOf(FormatError);
    }
  });
});
