/** SHA-256 of a list of arrays: that of their digests, whoever makes them. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { PieceDigest } from '../../../algorithms/checkpoint/piece-digest.js';
import * as browser from '../../../kernels/platform/browser.js';
import * as node from '../../../kernels/platform/node.js';

/** Bytes of a piece: other ones refuse the folders of runs. */
const PIECE_BYTES = 2 ** 18;

const hash = (...arrays: readonly Uint8Array[]): Buffer => {
  const made = createHash('sha256');
  for (const each of arrays) made.update(each);
  return made.digest();
};

test('more arrays than are digested at once, whose memory is used again', async () => {
  const digest = new PieceDigest();
  const digests: Buffer[] = [];
  const bytes = new Uint8Array(1000);
  for (let i = 0; i < 100; i++) {
    const some = bytes.fill(i).subarray(0, 10 * i);
    digests.push(hash(some));
    await digest.add(some);
  }
  bytes.fill(0);
  expect(await digest.digest()).toBe(hash(...digests).toString('hex'));
});

test.each([0, 1, PIECE_BYTES, PIECE_BYTES + 1])("%d bytes, of one's own and shared", async (length) => {
  const expected = Array.from({ length: Math.ceil(length / PIECE_BYTES) }, (_, i) =>
    hash(new Uint8Array(Math.min(PIECE_BYTES, length - i * PIECE_BYTES)).fill(7)),
  );
  for (const buffer of [new ArrayBuffer(length), new SharedArrayBuffer(length)]) {
    const digest = new PieceDigest();
    await digest.addAll(new Uint8Array(buffer).fill(7));
    expect(await digest.digest()).toBe(hash(...expected).toString('hex'));
  }
});

test('a page without digests of its own makes the same', async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const expected = new Uint8Array(hash(bytes));
  expect(await node.sha256Beside(bytes)).toEqual(expected);
  expect(await browser.sha256Beside(bytes)).toEqual(expected);
  const { subtle } = globalThis.crypto;
  Object.defineProperty(globalThis.crypto, 'subtle', { value: undefined, configurable: true });
  try {
    expect(await browser.sha256Beside(bytes)).toEqual(expected);
  } finally {
    Object.defineProperty(globalThis.crypto, 'subtle', { value: subtle, configurable: true });
  }
});
