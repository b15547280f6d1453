/** `checkpoint` in the library: a run that is stopped goes on, and options that do not go with it are refused. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { trefethen } from '../../data/families/trefethen.js';
import {
  type CheckpointStore,
  createEngine,
  minpoly,
  type RankOptions,
  rank,
  runStatus,
  SparseMatrix,
  solve,
  writeSms,
} from '../../dist/src/index.js';

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
  expect(first).toMatchObject({ value: 700, lowerBound: 700, method: 'hybrid', seed: 5n });
  expect(await ask('stopped')).toMatchObject({ value: 700, seed: 5n });
});

/** A caller's own store: asynchronous, and of bytes that it keeps. */
class Store implements CheckpointStore {
  readonly arrays = new Map<string, Uint8Array>();
  read = async (name: string) => this.arrays.get(name) ?? null;
  write = async (name: string, bytes: Uint8Array) => void this.arrays.set(name, bytes);
  list = async () => [...this.arrays.keys()];
  remove = async (name: string) => void this.arrays.delete(name);
}

const inStore = (store: Store, checkpoint = {}, more: Partial<RankOptions> = {}) =>
  ask('', { directory: undefined, store, ...checkpoint }, more);

describe('a store of the caller', () => {
  test('keeps a run, which goes on in another engine', async () => {
    const store = new Store();
    const stop = { aborted: false } as AbortSignal;
    const write = store.write;
    store.write = async (name, bytes) => {
      await write(name, bytes);
      if (name.includes('-vectors-')) Object.assign(stop, { aborted: true });
    };
    await expect(inStore(store, { stop }, { seed: 7, block: 1 })).rejects.toMatchObject({ name: 'StoppedError' });
    const kept = [...store.arrays.keys()];
    expect(kept.filter((name) => name.startsWith('attempt-1-'))).not.toEqual([]);
    expect(kept.every((name) => /^[a-z0-9][a-z0-9.-]*$/.test(name))).toBe(true);
    const stopped = await runStatus(store, { whole: true });
    expect(stopped).toMatchObject({ state: 'stopped', verb: 'rank', rows: 700, seed: '7', answer: null, damaged: [] });
    expect(stopped).toMatchObject({ disk: null, process: null, progress: { phase: 'sequence', attempt: 1 } });
    store.write = write;
    expect(await inStore(store, {}, { block: 1 })).toMatchObject({ value: 700, seed: 7n });
    const ended = await runStatus(store);
    expect(ended).toMatchObject({ state: 'ended', answer: { value: '700', lowerBound: 700 }, progress: null });
    expect([...store.arrays.keys()].filter((name) => name.startsWith('attempt-1-'))).toEqual([]);
  });

  test.each([
    ['rank', rank],
    ['minpoly', minpoly],
  ] as const)('says of a %s that it looks for the generator, while it does', async (_, question) => {
    const store = new Store();
    const write = store.write;
    const seen = new Set<string | undefined>();
    store.write = async (name, bytes) => {
      await write(name, bytes);
      if (name === 'progress.json') seen.add((await runStatus(store))?.progress?.phase);
    };
    await question(matrix, { mod: 65521, checkpoint: { store, interval: 0 } });
    expect([...seen]).toEqual(expect.arrayContaining(['sequence', 'sigmaBasis']));
  });

  test('that fails ends the run with its own error; one with nonsense is refused', async () => {
    const full = new Store();
    const error = new RangeError('the store is full');
    full.write = async () => {
      throw error;
    };
    await expect(inStore(full)).rejects.toBe(error);
    const odd = Object.assign(new Store(), { read: async () => 'text' });
    await expect(inStore(odd)).rejects.toThrow('checkpoint: expected a Uint8Array or null of read, got');
    expect(await runStatus(new Store())).toBeNull();
  });
});

test('a system without a method that is named: stopped in its sequence, it goes on by the same method', async () => {
  const store = new Store();
  const stop = { aborted: false } as AbortSignal;
  const { write } = store;
  store.write = async (name, bytes) => {
    await write(name, bytes);
    if (name.includes('-vectors-')) Object.assign(stop, { aborted: true });
  };
  const b = SparseMatrix.fromTriplets(700, 1, [[3, 0, 1]]);
  const known = await solve(matrix, b, { mod: 65521, method: 'elimination' });
  const stopped = solve(matrix, b, { mod: 65521, seed: 9, checkpoint: { store, interval: 0, stop } });
  await expect(stopped).rejects.toMatchObject({ name: 'StoppedError' });
  store.write = write;
  const found = await solve(matrix, b, { mod: 65521, checkpoint: { store } });
  expect(found).toMatchObject({ method: 'hybrid', seed: 9n, value: known.value });
  expect(found.explanation[0]).toBe('hybrid: as before');
});

test('a run that works in a folder keeps others out; the status says who it is', async () => {
  const directory = join(folder, 'busy');
  await expect(ask('busy', { stop: AbortSignal.abort() })).rejects.toMatchObject({ name: 'StoppedError' });
  // A run that waits for its matrix.
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const text = (async function* () {
    await given;
    yield* writeSms(matrix);
  })();
  const first = rank(text, { mod: 65521, checkpoint: { directory } });
  while ((await runStatus(directory))?.state !== 'running') await new Promise((go) => setTimeout(go, 10));
  expect(await runStatus(directory)).toMatchObject({ process: { pid: process.pid } });
  const engine = createEngine();
  const again = engine.rank(matrix, { mod: 65521, checkpoint: { directory } });
  await expect(again).rejects.toThrow(/busy: this process works in it already$/);
  await engine.dispose();
  give();
  expect((await first).value).toBe(700);
  expect(await runStatus(directory)).toMatchObject({ state: 'ended', process: null });
  const aborted = new AbortController();
  const third = ask('aborted', {}, { signal: aborted.signal, onProgress: () => aborted.abort() });
  await expect(third).rejects.toMatchObject({ name: 'AbortError' });
  expect(await ask('aborted')).toMatchObject({ value: 700 });
});

test('a folder serves one run', async () => {
  await ask('one');
  await expect(ask('one', {}, { mod: 65519 })).rejects.toThrow(
    /^\S*checkpoint .*one: it is a run with p 65521, not 65519$/,
  );
  await expect(ask('one', {}, { block: 4 })).rejects.toThrow('it is a run with block auto, not 4');
});

test.each([
  [{ directory: 7 }, {}, 'checkpoint: expected the path of a directory, or a store, got 7'],
  [{ store: new Map() }, {}, 'checkpoint: expected a directory or a store, got both'],
  [{ directory: undefined, store: new Map() }, {}, 'checkpoint: expected a store with read, write, list and remove'],
  [{ interval: -1 }, {}, 'checkpoint: expected an interval in seconds, got -1'],
  [{ stop: true }, {}, 'checkpoint: expected stop to be an AbortSignal, got true'],
  [{}, { method: 'elimination' }, 'checkpoint: expected method auto, hybrid or wiedemann, got elimination'],
  [{}, { pivots: true }, 'checkpoint: expected no pivots, which are not kept'],
] as const)('%j beside %j is refused', async (checkpoint, more, message) => {
  await expect(ask('none', checkpoint, more)).rejects.toThrow(message);
});
