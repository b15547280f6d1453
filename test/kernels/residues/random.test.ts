/** Random numbers for the host, made by threads: the very same as the host's own. */
import { expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';

test.each([1, 2])('random numbers of %d threads are the stream, below anything up to 2^32', async (threads) => {
  const executor = await CpuExecutor.create(WordPrime.of(65521), { threads });
  for (const below of [1, 2, 3, 2 ** 16, 2 ** 31 + 1 /* nearly half is drawn again */, 2 ** 32 - 1, 2 ** 32]) {
    for (const count of [0, 1, 5, 4097]) {
      const expected = new CounterRandom(9n, 4).fillResidues(new Uint32Array(count), below);
      expect(executor.randomNumbers(count, below, 9n, 4)).toEqual(expected);
    }
  }
  executor.dispose();
});
