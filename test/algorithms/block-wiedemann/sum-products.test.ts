/** Sums of products of blocks, on the host and on a device: those of the definition, and none of what is no code. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DeviceSums } from '../../../algorithms/block-wiedemann/device-sums.js';
import { sumProducts } from '../../../algorithms/block-wiedemann/sum-products.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { ExtensionField } from '../../../fields/extension.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

describe.each([2 /* codes of GF(2^8) */, 3 /* GF(3^5) */, 17, 65521, 2147483647])(
  'over the field of blocks mod %i',
  (p) => {
    const working = new WorkingField({ field: WordPrime.of(p) }, 'block');
    const F = working.elements;
    const [rows, inner, cols, count] = [3, 70, 4, 9];

    test.each(['random', 'largest'])('are those of the definition, %s', (kind) => {
      const fill = (size: number, seed: bigint): Uint32Array =>
        kind === 'random'
          ? new CounterRandom(seed, 0).fillResidues(new Uint32Array(size), working.q)
          : new Uint32Array(size).fill(working.q - 1);
      const [factors, blocks] = [fill(count * rows * inner, 1n), fill(count * inner * cols, 2n)];
      const blockAt = (i: number): Uint32Array => blocks.subarray(i * inner * cols, (i + 1) * inner * cols);
      const product = (
        left: Uint32Array,
        right: Uint32Array,
        out: Uint32Array,
        n: number,
        k: number,
        m: number,
      ): void => {
        for (let i = 0; i < n * m; i++) {
          for (let t = 0; t < k; t++)
            out[i] = F.add(out[i], F.mul(left[Math.floor(i / m) * k + t], right[t * m + (i % m)]));
        }
      };
      const expected = new Uint32Array(rows * cols);
      for (let i = 0; i < count; i++) {
        product(factors.subarray(i * rows * inner, (i + 1) * rows * inner), blockAt(i), expected, rows, inner, cols);
      }
      const shape = { count, rows, inner, cols };
      expect(sumProducts(working, factors, blockAt, shape)).toEqual(expected);
    });

    test('on a device are the same, and none where a word is no code', async () => {
      const executor = new CpuExecutor(WordPrime.of(p), team);
      const own = working.field instanceof ExtensionField ? (executor.over(working.field) ?? executor) : executor;
      const onOwn = new WorkingField(own, 'block');
      const factors = new CounterRandom(4n, 0).fillResidues(new Uint32Array(count * rows * inner), working.q);
      const shape = { count, rows, inner, cols };
      const sums = DeviceSums.create(own, onOwn, factors, shape);
      expect(sums === null).toBe([3, 17].includes(p)); // elements in coordinates
      if (sums === null) return;
      for (const seed of [5n, 6n]) {
        const blocks = new CounterRandom(seed, 0).fillResidues(new Uint32Array(count * inner * cols), working.q);
        const blockAt = (i: number): Uint32Array => blocks.subarray(i * inner * cols, (i + 1) * inner * cols);
        expect(await sums.sum(blockAt)).toEqual(sumProducts(working, factors, blockAt, shape));
        blocks[blocks.length - 1] = working.q;
        expect(await sums.sum(blockAt)).toBeNull();
      }
      sums.free();
      executor.dispose();
    });

    test('a word that is no code has none, though it were read as a 1 that it has been', () => {
      const [factors, blocks] = [new Uint32Array(rows * inner).fill(1), new Uint32Array(inner * cols).fill(1)];
      const shape = { count: 1, rows, inner, cols };
      for (const word of [working.q, 1 + 2 ** 31, 2 ** 32 - 1]) {
        for (const at of [0, inner * cols - 1]) {
          const wrong = blocks.slice();
          wrong[at] = word;
          expect(sumProducts(working, factors, () => wrong, shape)).toBeNull();
        }
      }
      expect(sumProducts(working, factors, () => blocks, shape)).not.toBeNull();
    });
  },
);
