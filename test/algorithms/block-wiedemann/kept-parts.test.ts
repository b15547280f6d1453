/** Runs in parts: whoever makes which columns when, and how often, the blocks and the rank are those of one run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { shapeOfParts } from '../../../algorithms/block-wiedemann/stages.js';
import { Team } from '../../../kernels/threads/team.js';
import { MemoryStore } from './memory-store.js';
import { type Asked, go as goOn, partsFor, RANK, SIZE, sequenceOf } from './staged-runs.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const go = (store: MemoryStore, p: number, asked: Asked) => goOn(team, store, p, asked);

/** Rows of n elements from rows of the parts. */
function joinRows(parts: readonly (readonly number[])[], rows: number): number[] {
  const widths = parts.map((part) => part.length / rows);
  return Array.from({ length: rows }, (_, r) =>
    parts.flatMap((part, j) => part.slice(r * widths[j]!, (r + 1) * widths[j]!)),
  ).flat();
}

describe.each([2, 7, 65521, 2147483629])('mod %i', (p) => {
  test('parts made at any time, ended and made twice, have the blocks of one run, and lead to its answer', async () => {
    const one = new MemoryStore();
    one.remove = async () => {};
    const whole = await go(one, p, {});
    expect(whole).toMatchObject({ rank: RANK, upperBound: RANK });
    const parts = partsFor(p, SIZE);
    const store = new MemoryStore();
    let turns = 0;
    // The last part first, each ended again and again, on the reference executor by turns.
    for (const stage of [2, 0, 1]) {
      for (; (await go(store, p, { stage, most: 1, slow: turns % 2 === 1, parts })) === null && turns < 200; ) turns++;
    }
    expect(turns).toBeGreaterThan(3);
    // Made twice at the same time, by processes that know nothing of each other: pieces end elsewhere.
    const twice = new MemoryStore();
    await Promise.all([1, 2].map((most) => go(twice, p, { stage: 1, most, parts })));
    await Promise.all([go(twice, p, { stage: 1, parts }), go(twice, p, { stage: 1, slow: true, parts })]);
    const names = [...store.arrays.keys()];
    for (const [name, bytes] of twice.arrays) store.arrays.set(name, bytes);
    expect(store.arrays.size).toBeGreaterThanOrEqual(names.length);

    const single = new MemoryStore();
    await go(single, p, { stage: 0, parts: { ...parts, count: 1 } });
    const expected = sequenceOf(single, 'attempt-1-part-0000-');
    const begun = sequenceOf(one, 'attempt-1-'); // as far as the run had kept it
    const found = [0, 1, 2].map((j) => sequenceOf(store, `attempt-1-part-000${j}-`));
    expect(found[0]!.pieces).toBeGreaterThan(1);
    for (const which of ['s', 't'] as const) {
      const joined = joinRows(
        found.map((part) => part[which]),
        found[0]![which].length, // columns of one element
      );
      expect(joined.length).toBeGreaterThan(200);
      expect(joined).toEqual(expected[which]);
      expect(joined.slice(0, begun[which].length)).toEqual(begun[which]);
    }
    const { steps, ...answer } = whole!;
    expect(steps).toBeGreaterThan(0);
    expect(await go(store, p, { stage: 'generator', parts })).not.toBeNull();
    // The sequence is not needed any more, nor are its parts.
    for (const name of store.arrays.keys()) if (name.includes('part')) store.arrays.delete(name);
    for (const stage of [0, 'generator'] as const) expect(await go(store, p, { stage, parts })).toEqual({ steps: 0 });
    expect(await go(store, p, { parts })).toEqual({ ...answer, steps: 0 });
    expect(await go(store, p, { parts })).toEqual({ ...answer, steps: 0 });
    for (const stage of [0, 'generator'] as const) expect(await go(store, p, { stage, parts })).toEqual({ steps: 0 });
  });
});

test('whatever parts there are not, and what they are too short for, is made by whoever needs it', async () => {
  const p = 65521;
  const { steps: _, ...answer } = (await go(new MemoryStore(), p, {}))!;
  for (const rank of [SIZE, RANK, 20]) {
    const parts = partsFor(p, rank);
    const store = new MemoryStore();
    await go(store, p, { stage: 1, parts });
    await go(store, p, { stage: 0, parts, most: 1 });
    expect(await go(store, p, { parts })).toMatchObject(answer);
  }
});

test('parts of the length for their rank leave nothing to make', async () => {
  const p = 65521;
  const parts = partsFor(p, RANK);
  const store = new MemoryStore();
  for (const stage of [0, 1, 2]) await go(store, p, { stage, parts });
  const kept = [...store.arrays.keys()].filter((name) => name.includes('blocks')).sort();
  store.remove = async () => {};
  expect(await go(store, p, { parts })).toMatchObject({ rank: RANK, upperBound: RANK });
  expect([...store.arrays.keys()].filter((name) => name.includes('blocks')).sort()).toEqual(kept);
});

test('shapes: as many columns as parts at least, and few beside the unknowns', () => {
  for (const parts of [1, 3, 16, 100]) {
    for (const N of [1, 50, 10_000, 2_000_000]) {
      const { m, n } = shapeOfParts(N, parts);
      expect([n % parts, m]).toEqual([0, 2 * n]);
      expect(n).toBeLessThanOrEqual(Math.max(parts, 128));
    }
  }
  expect(shapeOfParts(2_000_000, 4)).toEqual({ m: 128, n: 64 });
});
