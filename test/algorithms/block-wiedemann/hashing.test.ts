/** The order in which rows are dealt to the rows of H: random enough to keep rank, local enough to stream. */
import { expect, test } from 'vitest';
import { dealingWords, dealtOrder } from '../../../algorithms/block-wiedemann/hashing.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/reference.js';

const executor = new ReferenceExecutor(WordPrime.of(65521));
const dealt = (m: number, seed: bigint, layer: number): Uint32Array =>
  dealtOrder(m, dealingWords(executor, m, seed, layer));

// One by one, the first size dealt in blocks, and a last block and group that are not whole.
const SIZES = [0, 1, 63, 2 ** 14 - 1, 2 ** 14, 3 * 2 ** 13 + 77];

test('every row is dealt once', () => {
  for (const m of SIZES) {
    const order = dealt(m, 5n, 0);
    expect(order.slice().sort()).toEqual(Uint32Array.from({ length: m }, (_, i) => i));
  }
});

test('two layers agree on the residues of places as often as chance has it, so that no period of the rows survives', () => {
  for (const m of SIZES.slice(3)) {
    const place = [0, 1].map((layer) => {
      const at = new Uint32Array(m);
      dealt(m, 5n, layer).forEach((row, t) => {
        at[row] = t;
      });
      return at;
    });
    for (const period of [2, 8, 64]) {
      // Places in runs of 8, as long as a row of H is wide in a tall matrix.
      const run = (layer: number, row: number): number => Math.floor(place[layer][row] / 8) % period;
      let same = 0;
      for (let row = 0; row < m; row++) if (run(0, row) === run(1, row)) same++;
      expect(same / m, `${m} rows, period ${period}`).toBeLessThan(1 / period + 0.1);
    }
  }
});

test('large orders read few streams: a row is near one of the 16 before it', () => {
  const m = 2 ** 15;
  const order = dealt(m, 7n, 0);
  let near = 0;
  for (let t = 16; t < m; t++) if (order.subarray(t - 16, t).includes(order[t] - 1)) near++;
  expect(near / m).toBeGreaterThan(0.9);
});
