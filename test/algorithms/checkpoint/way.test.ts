/** The choices of a kept run: arrays in its store are always of the operator that they lead to. */
import { expect, test } from 'vitest';
import { removeLate } from '../../../algorithms/block-wiedemann/kept-attempt.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { keepParts, recallParts } from '../../../algorithms/checkpoint/planned-parts.js';
import { Way } from '../../../algorithms/checkpoint/way.js';
import { DAMAGES, MemoryStore } from '../block-wiedemann/memory-store.js';

async function arrived() {
  const store = new MemoryStore();
  const remarks: string[] = [];
  const options = { interval: 0, stops: async () => false, remark: (line: string) => void remarks.push(line) };
  const checkpoint = new Checkpoint(store, 'run', options);
  await (await Way.recall(checkpoint)).arrive([3, 'hybrid'], 'digest');
  for (const name of ['attempt-1-blocks-0-1', 'outcome-1.json']) await checkpoint.keep(name, {});
  return { store, checkpoint, remarks };
}

const sequences = (store: MemoryStore) => [...store.arrays.keys()].filter((name) => /^(attempt|outcome)/.test(name));

test('the same operator again: the sequence stays, whichever copy of the choices is damaged', async () => {
  for (const damaged of ['way.json', 'way-copy.json', null]) {
    const { store, checkpoint } = await arrived();
    if (damaged !== null) DAMAGES['a bit flipped at its end']!(store, damaged);
    const way = await Way.recall(checkpoint);
    expect(way.choices).toEqual([3, 'hybrid']);
    await way.arrive([3, 'hybrid'], 'digest');
    expect(sequences(store)).toEqual(['attempt-1-blocks-0-1', 'outcome-1.json']);
  }
});

test.each(['way.json', 'way-copy.json', 'parts.json', 'parts-copy.json'])(
  '%s is made again where it is missing or damaged',
  async (name) => {
    const { store, checkpoint } = await arrived();
    const parts = { count: 3, length: 20, file: 'a.sms', format: 'sms' };
    await keepParts(checkpoint, parts);
    const whole = store.arrays.get(name);
    for (const spoil of [() => store.arrays.delete(name), () => DAMAGES['a bit flipped at its end']!(store, name)]) {
      spoil();
      expect(await recallParts(checkpoint, true)).toEqual(parts);
      await (await Way.recall(checkpoint)).arrive([3, 'hybrid'], 'digest');
      expect(store.arrays.get(name)).toEqual(whole);
    }
  },
);

test('whoever only reads a plan writes nothing', async () => {
  const { store, checkpoint } = await arrived();
  await keepParts(checkpoint, { count: 3, length: 20, file: 'a.sms', format: 'sms' });
  store.arrays.delete('parts.json');
  expect(await recallParts(checkpoint, false)).toMatchObject({ count: 3 });
  expect(store.arrays.has('parts.json')).toBe(false);
});

test('lost choices, and another operator: the sequence is removed before the new choices are kept', async () => {
  const lost = await arrived();
  for (const name of ['way.json', 'way-copy.json']) lost.store.arrays.delete(name);
  const fresh = await Way.recall(lost.checkpoint);
  expect(fresh.choices).toBeNull();
  const { write } = lost.store;
  lost.store.write = async (name, bytes) => {
    expect(sequences(lost.store)).toEqual([]);
    await write(name, bytes);
  };
  await fresh.arrive([0, 'wiedemann'], 'digest');
  expect((await Way.recall(lost.checkpoint)).choices).toEqual([0, 'wiedemann']);
  const other = await arrived();
  await (await Way.recall(other.checkpoint)).arrive([3, 'hybrid'], 'other');
  expect(sequences(other.store)).toEqual([]);
  expect(other.remarks).toEqual(['the choices of the run lead to another operator: it begins again']);
});

test('a way that goes on from the one that is kept: the sequence is removed, and nobody is told of a loss', async () => {
  const { store, checkpoint, remarks } = await arrived();
  await (await Way.recall(checkpoint)).arrive([3, 'hybrid', 'lanczos'], 'other');
  expect([sequences(store), remarks]).toEqual([[], []]);
  expect((await Way.recall(checkpoint)).choices).toEqual([3, 'hybrid', 'lanczos']);
});

test('what a device has still written beside the outcome of its attempt is removed, and nothing else', async () => {
  const { store, checkpoint } = await arrived();
  for (const name of ['attempt-1-part-0000-vectors-1', 'attempt-2-blocks-0-1', 'attempt-11-blocks-0-1', 'outcome-3'])
    await checkpoint.keep(name, {});
  await removeLate(checkpoint);
  const left = ['outcome-1.json', 'attempt-2-blocks-0-1', 'attempt-11-blocks-0-1', 'outcome-3'];
  expect(sequences(store)).toEqual(left);
});
