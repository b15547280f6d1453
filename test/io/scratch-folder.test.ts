/** Scratch files: what is written comes back, and no name stands in the folder at any time. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openScratch, ScratchError } from '../../src/io/scratch-folder.js';

const fs = process.getBuiltinModule('node:fs');

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-scratch-file-'));
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

async function writeAndRead(): Promise<string[]> {
  const file = openScratch(folder).file();
  expect([file.append(Uint8Array.of(1, 2, 3)), file.append(Uint8Array.of(4))]).toEqual([0, 3]);
  const back = new Uint8Array(2);
  await file.read(back, 2);
  expect([...back, file.bytes]).toEqual([3, 4, 4]);
  const names = readdirSync(folder);
  file.close();
  return names;
}

// A process that ends between the two calls leaves what the first one made.
test.skipIf(process.platform !== 'linux')('a file has no name even where nothing can be removed', async () => {
  vi.spyOn(fs, 'unlinkSync').mockImplementation(() => {
    throw new Error('the process has ended');
  });
  expect(await writeAndRead()).toEqual([]);
});

test('where the system makes no such file its name goes at once', async () => {
  const { openSync } = fs;
  const asked = vi.spyOn(fs, 'openSync').mockImplementation((path, flags, mode) => {
    if (typeof flags === 'number') throw Object.assign(new Error('no'), { code: 'EOPNOTSUPP' });
    return openSync(path, flags, mode);
  });
  expect(await writeAndRead()).toEqual([]);
  expect(asked.mock.calls.some(([, flags]) => flags === 'wx+')).toBe(true);
  expect(readdirSync(folder)).toEqual([]);
});

test('bytes beyond 2^32 come back from where they are', async () => {
  const file = openScratch(folder).file();
  const { writeSync } = fs;
  // Of so many the system is told nothing, so that the file has a hole there, and takes no room.
  const hole = { length: 5 * 2 ** 30 } as Uint8Array;
  const write = vi.spyOn(fs, 'writeSync').mockImplementation(() => hole.length);
  expect(file.append(hole)).toBe(0);
  write.mockImplementation(writeSync as typeof fs.writeSync);
  expect(file.append(Uint8Array.of(1, 2, 3, 4))).toBe(hole.length);
  const back = new Uint8Array(6);
  await file.read(back, hole.length - 2);
  expect([...back, file.bytes]).toEqual([0, 0, 1, 2, 3, 4, hole.length + 4]);
  file.close();
});

test('a folder that is missing is one line', () => {
  expect(() => openScratch(join(folder, 'none'))).toThrow(ScratchError);
  expect(() => openScratch(join(folder, 'none'))).toThrow(/^scratch .*none: ENOENT: no such file or directory/);
});
