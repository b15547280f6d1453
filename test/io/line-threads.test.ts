/** Plain lines read by threads: the same entries as one thread reads, the same line numbers, the same complaints. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { LineThreads, lineThreadsWorth } from '../../dist/src/io/line-threads.node.js';
import { parseMatrix } from '../../dist/src/io/read-matrix.js';
import { CounterRandom } from '../../fields/random.js';
import { TripleKernel } from '../../kernels/sparse/scan-triples.js';
import { type LineReaders, linesRead, newControl, type Places, readPieces } from '../../src/io/line-pieces.js';
import { bytesOf } from './text.js';

const PIECE = (await TripleKernel.get()).room;
const BANNER = '%%MatrixMarket matrix coordinate';
const LINES = 240_000; // twice as many bytes as the beginning that says how many entries there will be
const SIZE = 90_000;
const random = new CounterRandom(5, 0);
const lines = Array.from({ length: LINES }, (_, k) => {
  const [i, j] = [random.residueAt(2 * k, SIZE), random.residueAt(2 * k + 1, SIZE)];
  return `${1 + Math.max(i, j)} ${1 + Math.min(i, j)} ${(k % 7) - 3}`;
});
/** The lines with `line` in place of the one at `at`. */
const without = (at: number, line: string): string => `${lines.with(at, line).join('\n')}\n`;
const plain = `${lines.join('\n')}\n`;
const sms = (body: string, end = '0 0 0\n'): string => `${SIZE} ${SIZE} M\n${body}${end}`;
const market = (kind: string, entries: number, body: string): string =>
  `${BANNER} ${kind}\n% a comment\n${SIZE} ${SIZE} ${entries}\n${body}`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function digest(list: ArrayLike<number>): number {
  let sum = 7;
  for (let k = 0; k < list.length; k++) sum = (Math.imul(sum, 31) + list[k]!) | 0;
  return sum;
}

/** What comes of a file: its entries, or the complaint; `read` : what is handed to its reader's threads, if any. */
async function outcomeOf(text: string | Uint8Array, read?: LineReaders['read'], threads?: LineThreads | null) {
  const path = join(folder, 'a.txt');
  writeFileSync(path, text);
  const own = threads === undefined ? LineThreads.start(path, text.length, 3, (work) => work()) : threads;
  const readers = own && {
    isReady: true, // which the end of the file would not wait for
    read: read ?? own.read.bind(own),
    bytesFrom: (from: number) => own.bytesFrom(from),
    end: () => own.end(),
  };
  const reading = { name: 'a.txt', startReaders: () => readers };
  try {
    const { rows, cols, rowIdx, colIdx, values, wide } = await parseMatrix(path, reading);
    const sums = [rowIdx, colIdx, values].map((list: ArrayLike<number>) => digest(list));
    return { rows, cols, nnz: values.length, sums, wide: wide.entries.map(String) };
  } catch (error) {
    return String(error);
  }
}

describe('a file is the same whether threads read it or not', () => {
  const wide = `5 5 ${10n ** 20n}`;
  const far = LINES - 7;
  test.each([
    ['SMS', sms(plain)],
    ['values of 20 digits in the middle', sms(without(LINES >> 1, wide))],
    ['a comment in the middle', sms(without(LINES >> 1, '# a comment'))],
    ['more lines than the beginning says', sms(plain + '1 1 1\n'.repeat(LINES))],
    ['lines of Windows', sms(plain.replaceAll('\n', '\r\n'))],
    ['a line of many blanks', sms(without(LINES >> 1, `1 1${' '.repeat(5000)}1`))],
    ['a symmetric matrix', market('integer symmetric', LINES, plain)],
    ['no newline at the end', market('integer symmetric', LINES, plain.trimEnd())],
    ['a pattern', market('pattern general', LINES, plain.replaceAll(/ \S+\n/g, '\n'))],
    ['a row outside', sms(without(far, `${SIZE + 1} 1 1`))],
    ['a word', sms(without(far, '1 one 1'))],
    ['an entry above the diagonal', market('integer symmetric', LINES, without(far, '1 2 1'))],
    ['an entry more', market('integer general', LINES - 1, plain)],
    ['an entry less', market('integer general', LINES + 1, plain)],
    ['a file that is cut off', sms(plain, '')],
    ['a line that is cut off', sms(plain, '1 1')],
    ['something behind the end', sms(plain, '0 0 0\n1 1 1\n')],
  ])('%s', async (_, text) => {
    let entries = 0;
    const path = join(folder, 'a.txt');
    writeFileSync(path, text);
    const threads = LineThreads.start(path, text.length, 3, (work) => work())!;
    const read: LineReaders['read'] = async (...asked) => {
      const done = await threads.read(...asked);
      entries += done!.entries;
      return done;
    };
    expect(await outcomeOf(text, read, threads)).toEqual(await outcomeOf(text, undefined, null));
    expect(entries).toBeGreaterThan(20_000);
  });
});

test('a thread that fails leaves all to the reader', async () => {
  const text = sms(plain);
  const path = join(folder, 'a.txt');
  writeFileSync(path, text);
  const threads = LineThreads.start(path, text.length, 3, (work) => work())!;
  const results: unknown[] = [];
  const read: LineReaders['read'] = async (rules, places, most, from) => {
    const few = { ...places, colIdx: places.colIdx.subarray(0, places.first + 20_000) };
    results.push(await threads.read(rules, few, most, from));
    return results[0] as null;
  };
  expect(await outcomeOf(text, read, threads)).toEqual(await outcomeOf(text, undefined, null));
  expect(results[0]).toBe(null);
  expect(threads.isReady).toBe(false);
});

test('packed files, those of another size by now, and those that are not there have no threads', () => {
  const path = join(folder, 'a.gz');
  const packed = gzipSync(sms(plain));
  writeFileSync(path, packed);
  expect(LineThreads.start(path, packed.length, 3, (work) => work())).toBe(null);
  const text = sms(plain);
  writeFileSync(path, text);
  for (const size of [text.length - 1, text.length + 1])
    expect(LineThreads.start(path, size, 3, (work) => work())).toBe(null);
  expect(LineThreads.start(join(folder, 'none'), 10 ** 8, 3, (work) => work())).toBe(null);
});

test('there are none where no memory can be shared', () => {
  expect(lineThreadsWorth(10 ** 9, 4)).toBe(4);
  vi.stubGlobal('SharedArrayBuffer', undefined);
  try {
    expect(lineThreadsWorth(10 ** 9, 4)).toBe(0);
  } finally {
    vi.unstubAllGlobals();
  }
});

describe('a thread', () => {
  const before = 'not to be read\n';
  /** What one thread reads of `text`, at most so many entries; so many bytes at a time come from the file. */
  async function readAlone(text: string, most = 1e6, atOnce = Infinity, size?: number) {
    const bytes = bytesOf(before + text);
    const kernel = await TripleKernel.get();
    const control = newControl(before.length);
    const places: Places = {
      rowIdx: new Uint32Array(1e5),
      colIdx: new Uint32Array(1e5),
      values: new Int32Array(1e5),
      first: 3,
    };
    const rules = { rows: 1e6, cols: 1e6, valued: true, below: -Infinity };
    const work = { lines: rules, places, most, from: before.length, size: size ?? bytes.length, control };
    readPieces(work, kernel, (into, at) => {
      const found = bytes.subarray(at, at + Math.min(into.length, atOnce));
      into.set(found);
      return found.length;
    });
    const { entries, end } = linesRead(control);
    const rows = places.rowIdx.subarray(3, 3 + entries);
    return { entries, end: end - before.length, isInOrder: rows.every((i, k) => i === k) };
  }
  const numbered = (count: number, pad = 0): string =>
    Array.from({ length: count }, (_, k) => `${String(k + 1).padStart(pad)} 1 1\n`).join('');

  test.each([7, 100, 400])('reads pieces that end inside lines of %i bytes', async (pad) => {
    const text = numbered(Math.ceil((5 * PIECE) / (pad + 5)), pad);
    expect(await readAlone(text)).toEqual({
      entries: text.split('\n').length - 1,
      end: text.length,
      isInOrder: true,
    });
  });

  test.each([1, 5, 1000])('reads on where a file system gives %i bytes at a time', async (atOnce) => {
    const text = numbered(atOnce === 1 ? 1000 : 40_000);
    const { entries, end, isInOrder } = await readAlone(text, 1e6, atOnce);
    expect([entries, end, isInOrder]).toEqual([text.split('\n').length - 1, text.length, true]);
  });

  test('leaves what a file has lost meanwhile', async () => {
    const text = numbered(40_000);
    const cut = text.lastIndexOf('\n', 3 * PIECE) + 1;
    const read = await readAlone(text.slice(0, cut), 1e6, Infinity, text.length);
    expect(read).toEqual({ entries: text.slice(0, cut).split('\n').length - 1, end: cut, isInOrder: true });
  });

  test('leaves the first line that is not plain, and a line without its end', async () => {
    const text = numbered(40_000);
    const at = text.indexOf('\n30001 ') + 1;
    const odd = `${text.slice(0, at)}# ${text.slice(at)}`;
    expect(await readAlone(odd)).toEqual({ entries: 30_000, end: at, isInOrder: true });
    expect(await readAlone(`${text}40001 1`)).toEqual({ entries: 40_000, end: text.length, isInOrder: true });
  });

  test('leaves a piece that has more entries than there is room for', async () => {
    const text = numbered(40_000);
    const { entries, end, isInOrder } = await readAlone(text, 30_000);
    expect(isInOrder && entries > 10_000 && entries <= 30_000).toBe(true);
    expect(text.slice(end).startsWith(`${entries + 1} 1 1\n`)).toBe(true);
  });

  test('leaves a line that ends far behind its piece', async () => {
    const text = `${numbered(30_000)}30001 1${' '.repeat(2 * PIECE)}1\n${numbered(10)}`;
    const { entries, isInOrder } = await readAlone(text);
    expect([entries, isInOrder]).toEqual([30_000, true]);
  });
});
