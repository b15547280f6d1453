/** SMS after SMS cut into matrices, wherever chunks end. */
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { matricesInARow } from '../../src/io/matrices-in-a-row.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The texts of the matrices in `source`, which comes in chunks of `size` bytes. */
async function cut(source: Uint8Array, size: number, maxBytes = 1e6): Promise<string[]> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    // One buffer for all chunks, as some sources have it.
    const buffer = new Uint8Array(size);
    for (let at = 0; at < source.length; at += size) {
      const part = source.subarray(at, at + size);
      buffer.fill(0);
      buffer.set(part);
      yield buffer.subarray(0, part.length);
    }
  }
  const found: string[] = [];
  for await (const matrix of matricesInARow(chunks(), 'in', maxBytes)) found.push(new TextDecoder().decode(matrix));
  return found;
}

const ONE = '2 2 M\n1 1 1\n2 2 30\n0 0 0\n';
const EMPTY = '0 0 M\n0 0 0\n';
const SPACED = `# a comment 0 0 0\n3 3 M\r\n1 1 10\r\n${' '.repeat(40)}0\t0 0\r\n`;
const LONG = `2 2 M\n1 1 ${'0'.repeat(200)}7\n0 0 0\n`;

describe.each([1, 2, 3, 7, 64, 4096])('chunks of %s bytes', (size) => {
  test('each matrix ends with its 0 0 0', async () => {
    const all = [ONE, EMPTY, SPACED, LONG, ONE];
    expect(await cut(bytes(all.join('')), size)).toEqual(all);
    expect(await cut(gzipSync(bytes(all.join(''))), size)).toEqual(all);
  });

  test('blank lines and comments behind the last one are nothing; anything else is a matrix', async () => {
    expect(await cut(bytes(`${ONE}\n  \n# end\n%`), size)).toEqual([ONE]);
    expect(await cut(bytes(''), size)).toEqual([]);
    expect(await cut(bytes(`${ONE}2 2 M\n1 1 1`), size)).toEqual([ONE, '2 2 M\n1 1 1']);
    expect(await cut(bytes(ONE.trimEnd()), size)).toEqual([ONE.trimEnd()]);
  });
});

test('a matrix larger than allowed is refused by its first line', async () => {
  await expect(cut(bytes(`${ONE}${LONG}`), 50, 100)).rejects.toThrow('in:5: expected matrices of at most 100 bytes');
});
