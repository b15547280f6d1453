/** Every format trap met in real files, and the ways bytes arrive. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { readMatrix } from '../../src/io/read-matrix.js';
import { bytesOf, inChunks, listed, readText } from './text.js';

const BANNER = '%%MatrixMarket matrix';

describe('a long text is the same matrix whether its length is known or not', () => {
  const LINES = 160_000; // more bytes than the beginning that says how many entries there will be
  const WIDE = 7001; // of so many lines one has a value beyond 32 bits
  const random = new CounterRandom(5, 0);
  const column = (k: number): number => 1 + random.residueAt(k, 90_000);
  const lines = Array.from({ length: LINES }, (_, k) => `90000 ${column(k)} ${k % WIDE === 0 ? 10 ** 10 : 7}\n`);
  const sms = (body: string): string => `90000 90000 M\n${body}0 0 0\n`;
  test.each([
    ['as many entries as its beginning says', sms(lines.join('')), LINES, true],
    ['more of them', sms(lines.join('') + '1 1 1\n'.repeat(LINES)), 2 * LINES, false],
    [
      'a symmetric matrix',
      `${BANNER} coordinate integer symmetric\n90000 90000 ${LINES}\n${lines.join('')}`,
      2 * LINES - lines.filter((line) => line.startsWith('90000 90000 ')).length,
      true,
    ],
  ])('%s', async (_, text, nnz, fits) => {
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-'));
    const path = join(folder, 'long.txt');
    writeFileSync(path, text);
    const [known, streamed] = [await readMatrix(path), await readMatrix(inChunks(bytesOf(text), 1 << 18))];
    rmSync(folder, { recursive: true });
    expect(known.nnz).toBe(nnz);
    const differ = (['rowIdx', 'colIdx', 'values'] as const).filter((name) =>
      known[name].some((word, k) => word !== streamed[name][k]),
    );
    expect(differ).toEqual([]);
    expect(known.wide).toEqual(streamed.wide);
    // The entries are where they were read to, or were copied in the end.
    expect([known, streamed].map(({ rowIdx }) => rowIdx.buffer.byteLength > rowIdx.byteLength)).toEqual([fits, false]);
  });
});

describe('SMS', () => {
  test.each([
    ['plain', '2 3 M\n1 2 -7\n2 3 10\n0 0 0\n', '2 3: 1 2 -7, 2 3 10'],
    ['no terminator', '2 3 M\n1 2 -7\n', '2 3: 1 2 -7'],
    ['no final newline behind an entry', '2 3 M\n1 2 -75', '2 3: 1 2 -75'],
    ['no final newline behind the terminator', '2 3 M\n1 2 -7\n0 0 0', '2 3: 1 2 -7'],
    ['0 x 0 without entries or newline', '0 0 M', '0 0:'],
    ['10 x 10 without entries or newline', '10 10 M', '10 10:'],
    ['an empty shape', '0 7 M\n0 0 0\n', '0 7:'],
    ['tabs, runs of blanks, blanks around', ' 2\t3   M \n\t1\t 2  -7 \t\n', '2 3: 1 2 -7'],
    ['CRLF', '2 3 M\r\n1 2 -7\r\n0 0 0\r\n', '2 3: 1 2 -7'],
    [
      'rows unsorted, duplicates, an explicit zero',
      '3 3 M\n3 1 1\n1 1 2\n1 1 3\n2 2 0\n0 0 0\n',
      '3 3: 3 1 1, 1 1 2, 1 1 3, 2 2 0',
    ],
    [
      '# comments before the header, after it and behind the end',
      '# a\n\n#b\n1 1 M\n# c\n1 1 4\n0 0 0\n# d\n',
      '1 1: 1 1 4',
    ],
    ['% comments', '% a\n1 1 M\n % b\n1 1 4\n', '1 1: 1 1 4'],
    ['type I', '1 1 I\n1 1 +4\n', '1 1: 1 1 4'],
    ['type P', '1 1 P\n1 1 1\n', '1 1: 1 1 1'],
    ['types in lower case', '1 1 m\n1 1 4\n', '1 1: 1 1 4'],
    ['fractions of type R, in lowest terms', '1 3 r\n1 1 -1/2\n1 2 6/4\n1 3 8/-2\n', '1 3: 1 1 -1/2, 1 2 3/2, 1 3 -4'],
    [
      'integers as reals',
      '1 5 M\n1 1 1.0\n1 2 -2.\n1 3 3e2\n1 4 +.0\n1 5 12345678901.00\n0 0 0.0\n# end\n',
      '1 5: 1 1 1, 1 2 -2, 1 3 300, 1 4 0, 1 5 12345678901',
    ],
    [
      'integers as reals, and fractions, of type R',
      '1 3 R\n1 1 1.0\n1 2 -2.5e1\n1 3 1/2\n0 0 0\n',
      '1 3: 1 1 1, 1 2 -25, 1 3 1/2',
    ],
    ['a byte-order mark', '\ufeff1 1 M\n1 1 4\n0 0 0\n', '1 1: 1 1 4'],
    ['a byte-order mark, then comments', '\ufeff# a\n\n1 1 M\n1 1 4\n0 0 0\n', '1 1: 1 1 4'],
    ['an integer of type R', '1 1 R\n1 1 5\n', '1 1: 1 1 5'],
    [
      'values at and beyond 2^31',
      '1 4 M\n1 1 2147483647\n1 2 2147483648\n1 3 -2147483648\n1 4 -2147483649\n',
      '1 4: 1 1 2147483647, 1 2 2147483648, 1 3 -2147483648, 1 4 -2147483649',
    ],
    [
      'values beyond 2^53 and 2^64',
      '1 2 M\n1 1 9007199254740993\n1 2 -340282366920938463463374607431768211457\n',
      '1 2: 1 1 9007199254740993, 1 2 -340282366920938463463374607431768211457',
    ],
    ['leading zeros', '01 1 M\n1 001 0000000000000042\n', '1 1: 1 1 42'],
    ['the largest sizes', '2147483647 2147483647 M\n2147483647 1 1\n', '2147483647 2147483647: 2147483647 1 1'],
  ])('%s', async (_, text, expected) => {
    expect(await readText(text)).toBe(expected);
  });
});

describe('MatrixMarket', () => {
  test.each([
    ['integer general', `${BANNER} coordinate integer general\n2 3 2\n1 2 -7\n2 3 10\n`, '2 3: 1 2 -7, 2 3 10'],
    [
      'comments, blank lines, CRLF',
      `${BANNER} coordinate integer general\r\n% a\r\n%\r\n\r\n2 3 1\r\n% b\r\n\r\n1 2 -7\r\n`,
      '2 3: 1 2 -7',
    ],
    ['a banner in any case', '%%matrixmarket MATRIX Coordinate INTEGER General\n1 1 1\n1 1 4', '1 1: 1 1 4'],
    ['a byte-order mark', `\ufeff${BANNER} coordinate integer general\n1 1 1\n1 1 4\n`, '1 1: 1 1 4'],
    ['no entries', `${BANNER} coordinate real general\n5 5 0\n`, '5 5:'],
    ['0 x 0', `${BANNER} coordinate integer general\n0 0 0`, '0 0:'],
    ['pattern', `${BANNER} coordinate pattern general\n2 3 2\n1 2\n2 3\n`, '2 3: 1 2 1, 2 3 1'],
    ['pattern symmetric', `${BANNER} coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n`, '2 2: 1 1 1, 2 1 1, 1 2 1'],
    ['integer symmetric', `${BANNER} coordinate integer symmetric\n2 2 2\n2 1 5\n2 2 3\n`, '2 2: 2 1 5, 2 2 3, 1 2 5'],
    [
      'skew-symmetric',
      `${BANNER} coordinate integer skew-symmetric\n3 3 2\n2 1 5\n3 2 -2147483648\n`,
      '3 3: 2 1 5, 3 2 -2147483648, 1 2 -5, 2 3 2147483648',
    ],
    [
      'wide values, mirrored',
      `${BANNER} coordinate integer skew-symmetric\n2 2 1\n2 1 99999999999\n`,
      '2 2: 2 1 99999999999, 1 2 -99999999999',
    ],
    [
      'real holding integers',
      `${BANNER} coordinate real general\n1 8 8\n1 1 1.0\n1 2 -2.\n1 3 3e2\n1 4 2.50e+01\n1 5 1200E-2\n1 6 .0\n1 7 0.00e-5\n1 8 1.5D1\n`,
      '1 8: 1 1 1, 1 2 -2, 1 3 300, 1 4 25, 1 5 12, 1 6 0, 1 7 0, 1 8 15',
    ],
    [
      'real beyond 2^53, exactly',
      `${BANNER} coordinate real general\n1 2 2\n1 1 9007199254740993.000\n1 2 1e20\n`,
      '1 2: 1 1 9007199254740993, 1 2 100000000000000000000',
    ],
    [
      'array, by columns',
      `${BANNER} array integer general\n2 3\n1\n2\n3\n0\n5\n6\n`,
      '2 3: 1 1 1, 2 1 2, 1 2 3, 1 3 5, 2 3 6',
    ],
    ['array real', `${BANNER} array real general\n1 2\n1.0\n-2e0\n`, '1 2: 1 1 1, 1 2 -2'],
    [
      'array with comments and several values a line',
      `${BANNER} array integer general\n%\n2 2\n1 2\n% x\n3 4`,
      '2 2: 1 1 1, 2 1 2, 1 2 3, 2 2 4',
    ],
    ['array symmetric', `${BANNER} array integer symmetric\n2 2\n1\n2\n3\n`, '2 2: 1 1 1, 2 1 2, 2 2 3, 1 2 2'],
    [
      'array skew-symmetric',
      `${BANNER} array integer skew-symmetric\n3 3\n1\n2\n99999999999\n`,
      '3 3: 2 1 1, 3 1 2, 3 2 99999999999, 1 2 -1, 1 3 -2, 2 3 -99999999999',
    ],
    ['array 1 x 1 skew-symmetric', `${BANNER} array integer skew-symmetric\n1 1\n`, '1 1:'],
    ['array 0 x 4', `${BANNER} array integer general\n0 4\n`, '0 4:'],
  ])('%s', async (_, text, expected) => {
    expect(await readText(text)).toBe(expected);
  });
});

describe('sources', () => {
  const text = `12 40 R\n${Array.from({ length: 400 }, (_, k) => `${(k % 12) + 1} ${(k % 40) + 1} ${k % 7 === 0 ? `${k}/7919` : (k - 200) * 54321}`).join('\n')}\n0 0 0\n`;
  const bytes = bytesOf(text);
  const packed = gzipSync(bytes);
  let expected = '';
  let folder = '';

  beforeAll(async () => {
    expected = listed(await readMatrix(bytes));
    folder = mkdtempSync(join(tmpdir(), 'read-'));
    expect(expected.split(',')).toHaveLength(400);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each([1, 2, 3, 7, 64, 1000])('chunks of %i bytes change nothing, plain or gzipped', async (size) => {
    expect(listed(await readMatrix(inChunks(bytes, size)))).toBe(expected);
    expect(listed(await readMatrix(inChunks(packed, size)))).toBe(expected);
  });

  test('a gzipped file is known by its first bytes, whatever its name', async () => {
    const path = join(folder, 'matrix.sms');
    writeFileSync(path, packed);
    expect(listed(await readMatrix(path))).toBe(expected);
    writeFileSync(path, bytes);
    expect(listed(await readMatrix(path))).toBe(expected);
  });

  test('a file of many reads, plain or gzipped', async () => {
    // Comments that take zlib long beside the reads: what it works on must not be read over.
    const words = new CounterRandom(3, 0).fillWords(new Uint32Array(3 * 2 ** 17));
    const comment = (k: number): string => Array.from(words.subarray(1000 * k, 1000 * k + 1000), String).join('');
    const lines = Array.from({ length: 300 }, (_, k) => `# ${comment(k)}\n${k + 1} ${(k % 40) + 1} ${words[k] % 1000}`);
    const long = bytesOf(`300 40 M\n${lines.join('\n')}\n0 0 0\n`);
    const whole = listed(await readMatrix(long));
    const path = join(folder, 'long.sms');
    for (const content of [long, gzipSync(long, { level: 1 })]) {
      expect(content.length).toBeGreaterThan(4 * 2 ** 18);
      writeFileSync(path, content);
      expect(listed(await readMatrix(path))).toBe(whole);
      writeFileSync(path, content.subarray(0, content.length / 2));
      expect(await readMatrix(path).then(listed, String)).not.toBe(whole);
    }
  });

  test('a byte-order mark inside a gzipped file, and cut in pieces', async () => {
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    for (const whole of [marked, gzipSync(marked)]) {
      expect(listed(await readMatrix(new Uint8Array(whole)))).toBe(expected);
      expect(listed(await readMatrix(inChunks(new Uint8Array(whole), 1)))).toBe(expected);
    }
  });

  test.each([1, 64, 1000, 10 ** 6])('behind gzip members only zeros pass, in chunks of %i', async (size) => {
    const whole = Buffer.concat([gzipSync(bytes.subarray(0, 100)), gzipSync(bytes.subarray(100))]);
    const read = (...more: Uint8Array[]) => readMatrix(inChunks(Buffer.concat([whole, ...more]), size), { name: 'm' });
    expect(listed(await read(new Uint8Array(5000)))).toBe(listed(await read()));
    for (const more of ['junk', '\0junk', `${'\0'.repeat(3000)}j`]) {
      await expect(read(Buffer.from(more))).rejects.toThrow(/^m:\d+: expected a whole gzip file, got '/);
    }
    await expect(read(new Uint8Array(9), whole)).rejects.toThrow(
      /expected a whole gzip file, got 'more behind its end'$/,
    );
  });

  test('several gzip members are one file', async () => {
    const twice = Buffer.concat([gzipSync(bytes.subarray(0, 100)), gzipSync(bytes.subarray(100))]);
    expect(listed(await readMatrix(new Uint8Array(twice)))).toBe(expected);
  });

  test('a Blob and a ReadableStream', async () => {
    expect(listed(await readMatrix(new Blob([packed])))).toBe(expected);
    expect(listed(await readMatrix(new Blob([bytes]).stream()))).toBe(expected);
  });

  test('where Node is not, DecompressionStream unpacks and paths are refused', async () => {
    vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    try {
      expect(listed(await readMatrix(inChunks(packed, 100)))).toBe(expected);
      await expect(readMatrix(inChunks(packed.subarray(0, 500), 100), { name: 'cut' })).rejects.toThrow(
        /^cut:\d+: expected a whole gzip file, got '/,
      );
      await expect(readMatrix('matrix.sms')).rejects.toThrow(
        'matrix.sms: expected bytes, a stream or a Blob outside Node, got a path',
      );
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('a format asked for by name is the only one tried', async () => {
    expect(listed(await readMatrix(bytes, { format: 'sms' }))).toBe(expected);
    await expect(readMatrix(bytes, { format: 'matrixmarket', name: 'x' })).rejects.toThrow(
      "x:1: expected a header '%%MatrixMarket matrix …', got '12 40 R'",
    );
  });

  test('an error of the caller’s own stream is passed on as it is, and the stream is closed on ours', async () => {
    const own = new Error('mine');
    const failing = async function* () {
      yield bytes.subarray(0, 50);
      throw own;
    };
    await expect(readMatrix(failing())).rejects.toBe(own);
    let closed = false;
    const watched = async function* () {
      try {
        for (;;) yield bytesOf('1 1 M\n2 2 2\n');
      } finally {
        closed = true;
      }
    };
    await expect(readMatrix(watched())).rejects.toThrow('<input>:2:');
    expect(closed).toBe(true);
  });
});
