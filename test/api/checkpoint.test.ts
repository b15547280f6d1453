/** `checkpoint` in the library: a run that is stopped goes on, and options that do not go with it are refused. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { trefethen } from '../../data/families/trefethen.js';
import { type RankOptions, rank, SparseMatrix } from '../../dist/src/index.js';

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-checkpoint-'));
afterAll(() => rmSync(folder, { recursive: true }));

const triplets = trefethen(700);
const matrix = SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);
const ask = (name: string, checkpoint = {}, more: Partial<RankOptions> = {}) =>
  rank(matrix, { mod: 65521, checkpoint: { directory: join(folder, name), interval: 0, ...checkpoint }, ...more });

test('a run that is stopped goes on with its seed; one that is finished answers again', async () => {
  const stop = AbortSignal.abort();
  await expect(ask('stopped', { stop }, { seed: 5 })).rejects.toMatchObject({ name: 'StoppedError' });
  const kept = readdirSync(join(folder, 'stopped'));
  expect(kept).toEqual(expect.arrayContaining(['manifest.json', 'manifest-copy.json']));
  const first = await ask('stopped', {}, { threads: 2 });
  expect(first).toMatchObject({ value: 700, lowerBound: 700, method: 'block-wiedemann', seed: 5n });
  expect(await ask('stopped')).toMatchObject({ value: 700, seed: 5n });
});

test('a folder serves one run', async () => {
  await ask('one');
  await expect(ask('one', {}, { mod: 65519 })).rejects.toThrow(
    /^\S*checkpoint .*one: it is a run with p 65521, not 65519$/,
  );
  await expect(ask('one', {}, { block: 4 })).rejects.toThrow('it is a run with block auto, not 4');
});

test.each([
  [{ directory: 7 }, {}, 'checkpoint: expected the path of a directory, got 7'],
  [{ interval: -1 }, {}, 'checkpoint: expected an interval in seconds, got -1'],
  [{ stop: true }, {}, 'checkpoint: expected stop to be an AbortSignal, got true'],
  [{}, { method: 'elimination' }, 'checkpoint: expected method wiedemann, got elimination'],
  [{}, { pivots: true }, 'checkpoint: expected no pivots, which are not kept'],
] as const)('%j beside %j is refused', async (checkpoint, more, message) => {
  await expect(ask('none', checkpoint, more)).rejects.toThrow(message);
});
