/** What a run's folder asks of its disk: few writes, however small the pieces of an array are. */
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RunFolder } from '../../src/io/run-folder.js';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'wiedemann-folder-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  fs.rmSync(folder, { recursive: true });
});

const MOST = 2 ** 18; // bytes that are joined

/** The buffers of the writes that these pieces take. */
async function writesOf(lengths: readonly number[]) {
  const pieces = lengths.map((length, i) => new Uint8Array(length).fill(1 + (i % 255)));
  const writes: Uint8Array[] = [];
  const { open } = fs.promises;
  vi.spyOn(fs.promises, 'open').mockImplementation(async (...path) => {
    const file = await open(...path);
    const write = file.write.bind(file) as (...asked: unknown[]) => ReturnType<typeof file.write>;
    file.write = (async (bytes: Uint8Array, ...rest: unknown[]) => {
      writes.push(bytes);
      return write(bytes, ...rest);
    }) as never;
    return file;
  });
  const run = await RunFolder.open(folder);
  await run.writePieces('blocks', pieces);
  expect(Buffer.compare(fs.readFileSync(join(folder, 'blocks')), Buffer.concat(pieces))).toBe(0);
  return { pieces, writes };
}

test.each([
  ['none', [], 0],
  ['small ones', new Array<number>(3000).fill(1000), 12],
  ['halves', new Array<number>(6).fill(MOST / 2), 3],
  ['one that fills what is joined, to the byte, and one more', [MOST - 1, 1, 1], 2],
  ['empty ones', [0, 0, 7, 0], 1],
])('pieces in writes of 256 KiB: %s', async (_, lengths, count) => {
  const { writes } = await writesOf(lengths);
  expect(writes.length).toBe(count);
});

test('large pieces are written from where they are', async () => {
  const { pieces, writes } = await writesOf([100, 3 * MOST, 5, 6, MOST]);
  expect(writes.map((bytes) => bytes.length)).toEqual([100, 3 * MOST, 11, MOST]);
  expect(writes[1]).toBe(pieces[1]);
  expect(writes[3]).toBe(pieces[4]);
});

test('two of one process write arrays of the same names at the same time: each is whole', async () => {
  const folders = await Promise.all([1, 2].map(() => RunFolder.open(folder)));
  for (let turn = 0; turn < 20; turn++) {
    await Promise.all(folders.map((each) => each.write('vectors', new Uint8Array(MOST).fill(turn))));
    expect(fs.readFileSync(join(folder, 'vectors')).equals(Buffer.alloc(MOST, turn))).toBe(true);
    expect(fs.readdirSync(folder)).toEqual(['vectors']);
  }
});
