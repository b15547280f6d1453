/** An array of more than 2^31 bytes in a run's folder comes back as it was sealed, and one changed bit of it is met. */
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seal, unseal } from '../../algorithms/checkpoint/sealed.js';
import { RunFolder } from '../../src/io/run-folder.js';

const BYTES = 2 ** 31 + 12345;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiedemann-large-'));
});
afterAll(() => rm(folder, { recursive: true }));

test('vectors beyond 2^31 bytes', async () => {
  const store = await RunFolder.open(folder);
  const vectors = new Uint8Array(BYTES);
  for (let at = 0; at < BYTES; at += 4099) vectors[at] = at % 251;
  await store.write('vectors', seal({ step: 7 }, vectors));
  const found = unseal((await store.read('vectors'))!)!;
  expect(found.fields).toEqual({ step: 7 });
  expect(Buffer.compare(found.bytes, vectors)).toBe(0);
  const file = await open(join(folder, 'vectors'), 'r+');
  await file.write(Uint8Array.of(1), 0, 1, BYTES - 1);
  await file.close();
  expect(unseal((await store.read('vectors'))!)).toBeNull();
}, 300_000);
