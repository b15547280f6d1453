/** What arrays show of a manifest that is lost in both places. */
import { expect, test } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { manifestOf, type RunDescription, recoverManifest, runId } from '../../../algorithms/checkpoint/manifest.js';
import { MemoryStore } from '../block-wiedemann/memory-store.js';

const asked = { verb: 'rank', matrix: 'a', p: '7', block: 'auto', method: 'auto' } as RunDescription;
const other = { ...asked, block: '2x1' };

/** A store with one array of that run. */
async function storeOf(description: RunDescription, seed?: string) {
  const store = new MemoryStore();
  const options = { interval: 0, stops: async () => false, remark: () => {}, seed };
  await new Checkpoint(store, runId(manifestOf(description, '5', '1.0.0')), options).keep('way.json', { further: 1 });
  return store;
}

test('the question and the seed that the arrays have, or none', async () => {
  const { program: _, ...manifest } = manifestOf(asked, '5', '');
  expect(await recoverManifest(await storeOf(asked, '5'), [other, asked])).toEqual(manifest);
  expect(await recoverManifest(await storeOf(asked, '5'), [other])).toBe('other');
  expect(await recoverManifest(await storeOf(asked, '6'), [asked])).toBe('other'); // a seed of another run
  expect(await recoverManifest(await storeOf(asked), [asked])).toBe('other'); // of an older program
  expect(await recoverManifest(new MemoryStore(), [asked])).toBe(null);
  const damaged = await storeOf(asked, '5');
  await damaged.write('way.json', new Uint8Array(9));
  expect(await recoverManifest(damaged, [asked])).toBe(null);
});
