/** Bytes as text and back: the kernels, and whatever else bytes may be. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { KERNELS_LOCALS, KERNELS_ORDER, KERNELS_TEXT } from '../../../kernels/generated/wasm.js';
import { bytesOfText } from '../../../kernels/threads/byte-text.js';

const { textOfBytes } = (await import(new URL('../../../scripts/byte-text.mjs', import.meta.url).href)) as {
  textOfBytes(bytes: Uint8Array): { order: string; text: string; locals: string };
};

test('the kernels are what the compiler has made', () => {
  const bytes = new Uint8Array(readFileSync('kernels/generated/kernels.wasm'));
  expect(bytesOfText(KERNELS_ORDER, KERNELS_TEXT, KERNELS_LOCALS)).toEqual(bytes);
  expect(KERNELS_TEXT.length + KERNELS_LOCALS.length).toBeLessThan(1.1 * bytes.length);
});

test.each([
  ['none', []],
  ['every byte, each once', [...new Array(256).keys()]],
  [
    'every byte, the last ones often',
    [...new Array(256).keys()].flatMap((byte) => new Array<number>(byte + 1).fill(byte)),
  ],
  ['operations on locals', [0x20, 5, 0x21, 0x22, 0x20, 0xff, 0x41, 0x20]],
  ['a local at the end', [0x41, 0x22, 0x22, 0x22, 1]],
] as const)('%s', (_, list) => {
  const bytes = Uint8Array.from(list);
  const { order, text, locals } = textOfBytes(bytes);
  expect(bytesOfText(order, text, locals)).toEqual(bytes);
  expect(/^[#$(-[\]-~]*$/.test(text + locals)).toBe(true); // nothing that a string has to escape
});
