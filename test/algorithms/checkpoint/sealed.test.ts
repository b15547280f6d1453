/** Arrays that show whether they are what was written, in pieces and beyond what is hashed in one turn. */
import { expect, test } from 'vitest';
import { joinBytes, seal, sealPieces, unseal } from '../../../algorithms/checkpoint/sealed.js';

const FIELDS = { run: 'r', name: 'x' };
const SLICE = 2 ** 22;

/** No two slices of them are alike. */
function bytesOf(length: number, seed: number): Uint8Array {
  return new Uint8Array(length).map((_, i) => Math.imul(i + seed, 0x9e3779b1) >>> 24);
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test.each([[[]], [[0, 5, 0]], [[SLICE]], [[SLICE + 1]], [[3, SLICE - 4, 2 * SLICE + 7, 1, 9]]])(
  'pieces of %j bytes have the line of the same bytes in one',
  async (lengths) => {
    const pieces = lengths.map(bytesOf);
    const head = await sealPieces(FIELDS, pieces);
    const array = joinBytes([head, ...pieces]);
    expect(Buffer.compare(array, seal(FIELDS, joinBytes(pieces)))).toBe(0);
    expect(unseal(array)?.fields).toEqual(FIELDS);
    if (array.length === head.length) return;
    array[array.length - 1]! ^= 1;
    expect(unseal(array)).toBeNull();
  },
);

test('others have their turn while long pieces are hashed', async () => {
  let [turns, isOver] = [0, false];
  const others = (async () => {
    for (; !isOver; turns++) await turn();
  })();
  await sealPieces(FIELDS, [bytesOf(2 * SLICE, 0), bytesOf(2 * SLICE, 1)]);
  isOver = true;
  const had = turns;
  await others;
  expect(had).toBeGreaterThanOrEqual(2);
});
