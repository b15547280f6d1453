/** Bytes as text and back: the kernels, and whatever else bytes may be. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KERNELS_ORDER, KERNELS_TEXT } from '../../../kernels/generated/wasm.js';
import { bytesOfText } from '../../../kernels/threads/byte-text.js';

const { textOfBytes } = (await import(new URL('../../../scripts/byte-text.mjs', import.meta.url).href)) as {
  textOfBytes(bytes: Uint8Array): { order: string; text: string };
};

test('the kernels are what the compiler has made', () => {
  const bytes = new Uint8Array(readFileSync('kernels/generated/kernels.wasm'));
  expect(bytesOfText(KERNELS_ORDER, KERNELS_TEXT)).toEqual(bytes);
  expect(KERNELS_TEXT.length).toBeLessThan(1.1 * bytes.length);
});

test.each([
  ['none', []],
  ['every byte, each once', [...new Array(256).keys()]],
  [
    'every byte, the last ones often',
    [...new Array(256).keys()].flatMap((byte) => new Array<number>(byte + 1).fill(byte)),
  ],
] as const)('%s', (_, list) => {
  const bytes = Uint8Array.from(list);
  const { order, text } = textOfBytes(bytes);
  expect(bytesOfText(order, text)).toEqual(bytes);
  expect(/^[#$(-[\]-~]*$/.test(text)).toBe(true); // nothing that a string has to escape
});
