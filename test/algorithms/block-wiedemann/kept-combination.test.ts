/** A combination that is kept: where it ends before a further step, what is kept stays as it is. */
import { expect, test } from 'vitest';
import { CombinationKeeper } from '../../../algorithms/block-wiedemann/kept-combination.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { MemoryStore } from './memory-store.js';

test('nothing is written for steps that are kept', async () => {
  const store = new MemoryStore();
  const executor = new ReferenceExecutor(WordPrime.of(65521));
  const x = executor.vector(5, 1);
  const keeper = (): CombinationKeeper => {
    const options = { interval: 0, stops: async () => true, remark: () => {} };
    const checkpoint = new Checkpoint(store, 'run', options);
    return new CombinationKeeper(
      checkpoint,
      'own',
      Uint32Array.of(1),
      executor,
      new WorkingField(executor, 'block'),
      1,
    );
  };
  const stopAt = (own: CombinationKeeper, steps: number) =>
    expect(own.pass(steps, x)).rejects.toBeInstanceOf(StoppedError);
  await keeper().pass(0, x); // which has kept nothing yet
  expect(await store.list()).toEqual([]);
  await stopAt(keeper(), 3);
  expect(await store.list()).toEqual(['own-000000003']);
  const again = keeper();
  expect(await again.recall(x)).toBe(3);
  await again.pass(3, x);
  expect(await store.list()).toEqual(['own-000000003']);
  await stopAt(again, 4);
  expect(await store.list()).toEqual(['own-000000003', 'own-000000004']);
});
