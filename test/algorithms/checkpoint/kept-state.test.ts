/** States that are kept: the last two of a loop, and of two processes that make it the further ones. */
import { expect, test } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { KeptState } from '../../../algorithms/checkpoint/kept-state.js';
import { DAMAGES, MemoryStore } from '../block-wiedemann/memory-store.js';

const stateIn = (store: MemoryStore): KeptState =>
  new KeptState(new Checkpoint(store, 'run', { interval: 0, stops: async () => false, remark: () => {} }), 'own');

const keep = (state: KeptState, steps: number): Promise<void> => state.keep(steps, {}, Uint32Array.of(steps));

const kept = async (store: MemoryStore): Promise<number[]> =>
  (await stateIn(store).recall(1)).map(({ steps, words }) => {
    expect(words[0]).toBe(steps);
    return steps;
  });

test('the last two stay, and where the last is damaged the loop goes on from the one before', async () => {
  const store = new MemoryStore();
  const first = stateIn(store);
  for (const steps of [3, 70, 800]) await keep(first, steps);
  expect(await kept(store)).toEqual([800, 70]);
  expect(store.arrays.size).toBe(2);
  DAMAGES['a bit flipped at its end']!(store, 'own-000000800');
  const second = stateIn(store);
  const [found] = await second.recall(1);
  expect(found!.steps).toBe(70);
  second.goOnFrom(found!);
  await keep(second, 100);
  expect(await kept(store)).toEqual([100, 70]);
  expect(store.arrays.size).toBe(2);
});

test('a loop that begins again takes away what it has not gone on from', async () => {
  const store = new MemoryStore();
  const first = stateIn(store);
  for (const steps of [3, 70]) await keep(first, steps);
  const second = stateIn(store);
  await second.recall(1);
  await keep(second, 5);
  expect(await kept(store)).toEqual([5]);
});

test('of two processes that keep states at one moment the one behind takes nothing from the other', async () => {
  const store = new MemoryStore();
  const [ahead, behind] = [stateIn(store), stateIn(store)];
  await keep(ahead, 80);
  await keep(behind, 70);
  await keep(ahead, 100);
  await keep(behind, 90);
  await keep(behind, 95);
  expect((await kept(store))[0]).toBe(100);
  expect(await stateIn(store).furthest(1, 95)).toBe(100);
  expect(await stateIn(store).furthest(1, 100)).toBe(0);
});
