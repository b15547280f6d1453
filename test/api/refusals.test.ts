/** What the library refuses, with the class of the error, and without the end of the program. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  det,
  FormatError,
  type Input,
  ModulusError,
  minpoly,
  OptionError,
  rank,
  StructureError,
  solve,
} from 'wiedemann';
import { operatorOf } from './operator-of.js';

const TEXT = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n';
const ENTRIES = [
  [0, 0, 1],
  [0, 2, -1],
  [1, 0, 2],
  [1, 2, -2],
  [2, 3, 5],
] as const;
const BYTES = new TextEncoder().encode(TEXT);

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-api-'));
  writeFileSync(join(folder, 'small.sms'), TEXT);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('what is refused', () => {
  const small = { rows: 1, cols: 1, entries: [[0, 0, 1]] as const };
  test.each([
    [{ mod: 65520 }, ModulusError],
    [{ mod: 1 }, ModulusError],
    [{ mod: '0x7' }, ModulusError],
    [{ mod: 7, threads: 0 }, OptionError],
    [{ mod: 7, threads: 1.5 }, OptionError],
    [{ mod: 7, block: [4, 0] as const }, OptionError],
    [{ mod: 7, seed: -1 }, OptionError],
    [{ mod: 7, seed: '18446744073709551616' }, OptionError],
    [{ mod: 7, sead: 3 }, OptionError],
    [{ mod: 7, method: 'magic' as 'auto' }, OptionError],
    [{ mod: 7, method: 'hybrid' as const, formula: 'classical' as const }, OptionError],
    [{ mod: 7, method: 'elimination' as const, block: 4 }, OptionError],
    [{ mod: '2305843009213693951', method: 'hybrid' as const }, OptionError],
    [{ mod: 7, atLeast: -1 }, OptionError],
    [{ mod: 7, device: 'abacus' as 'cpu' }, OptionError],
    [{ mod: 7, gpus: 1.5 }, OptionError],
    [{ mod: 7, gpus: 2, device: 'reference' as const }, OptionError],
    [{ method: 'hybrid' as const } as unknown as { mod: number }, OptionError],
  ])('options %j', async (options, kind) => {
    await expect(rank(small, options)).rejects.toThrow(kind);
  });

  test('inputs: with the class of the error kept across threads', async () => {
    await expect(rank(42 as unknown as Input, { mod: 7 })).rejects.toThrow(OptionError);
    const format = await rank(new TextEncoder().encode('2 2 M\n5 5 5\n'), { mod: 7 }).catch((error) => error);
    expect(format).toBeInstanceOf(FormatError);
    expect(format).toMatchObject({ file: '<input>', line: 2 });
    const outside = { rows: 2, cols: 2, rowIdx: [2], colIdx: [0], values: [1] };
    await expect(rank(outside, { mod: 7 })).rejects.toThrow(StructureError);
    await expect(det({ rows: 2, cols: 3, entries: [] }, { mod: 7 })).rejects.toThrow(StructureError);
  });

  test('an operator whose results are no residues, or of the wrong length, or that throws', async () => {
    const good = operatorOf(3, 4, ENTRIES, 7);
    const own = new RangeError('mine');
    const wrong = (apply: typeof good.apply): Promise<unknown> => rank({ ...good, apply }, { mod: 7 });
    await expect(wrong((_, width) => new Uint32Array(3 * width).fill(7))).rejects.toThrow(/residues below 7, got 7/);
    await expect(wrong(() => new Uint32Array(1))).rejects.toThrow(StructureError);
    await expect(
      wrong(() => {
        throw own;
      }),
    ).rejects.toBe(own);
  });

  test('an operator of no size, and one for a prime beyond a word', async () => {
    const good = operatorOf(3, 4, ENTRIES, 7);
    await expect(rank({ ...good, rows: 2 ** 31 }, { mod: 7 })).rejects.toThrow(OptionError);
    await expect(rank({ ...good, cols: -1 }, { mod: 7 })).rejects.toThrow(OptionError);
    await expect(rank(good, { mod: 7, method: 'hybrid' })).rejects.toThrow(/method hybrid: expected a matrix/);
    await expect(rank(good, { mod: 2n ** 61n - 1n })).rejects.toThrow(/operator is served for primes below 2\^31/);
  });

  test('several GPUs for what they do not share', async () => {
    const several = { mod: 7, gpus: 2 };
    await expect(rank(operatorOf(3, 4, ENTRIES, 7), several)).rejects.toThrow(
      'gpus: expected a matrix, got an operator',
    );
    // Each process keeps its columns itself.
    const store = { read: async () => null, write: async () => {}, list: async () => [], remove: async () => {} };
    const byStore = 'checkpoint: expected a directory beside gpus 2, got a store';
    for (const ask of [rank, minpoly, det])
      await expect(ask(small, { ...several, checkpoint: { store } })).rejects.toThrow(byStore);
    const bySequence = { ...several, method: 'wiedemann' as const, checkpoint: { store } };
    await expect(solve(small, [1], bySequence)).rejects.toThrow(byStore);
    await expect(minpoly(operatorOf(3, 4, ENTRIES, 7), several)).rejects.toThrow(
      'gpus: expected a matrix, got an operator',
    );
  });

  test('a stream of text', async () => {
    const text = Readable.from([TEXT]) as AsyncIterable<unknown> as AsyncIterable<Uint8Array>;
    await expect(rank(text, { mod: 7 })).rejects.toThrow('expected a stream of Uint8Array chunks, got ');
  });

  test('a file stream that cannot be opened, without the end of the program', async () => {
    await expect(rank(createReadStream(join(folder, 'none.sms')), { mod: 7 })).rejects.toThrow(/ENOENT/);
  });

  test('a path that no system has, and URLs that lead nowhere', async () => {
    for (const input of ['a\0b', new URL('file:///a%00b'), new URL('file:///%ff'), new URL('file://elsewhere/a')]) {
      await expect(rank(input, { mod: 7 })).rejects.toThrow(OptionError);
    }
  });

  test('a composite of thousands of digits, at once', async () => {
    await expect(rank(BYTES, { mod: `1${'0'.repeat(3000)}7` })).rejects.toThrow(/bits is not prime$/);
  });

  test('a stream that fails, with its own error', async () => {
    const own = new Error('the cable was cut');
    async function* cut(): AsyncGenerator<Uint8Array> {
      yield BYTES.subarray(0, 10);
      throw own;
    }
    await expect(rank(cut(), { mod: 7 })).rejects.toBe(own);
  });
});
