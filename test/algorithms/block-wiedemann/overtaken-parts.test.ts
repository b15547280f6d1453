/** A part that two processes make: the slower one ends, and takes nothing from the other. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePart } from '../../../algorithms/block-wiedemann/kept-parts.js';
import { OvertakenError } from '../../../algorithms/block-wiedemann/kept-sequence.js';
import { verificationWidth } from '../../../algorithms/block-wiedemann/verification.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { unseal } from '../../../algorithms/checkpoint/sealed.js';
import { Team } from '../../../kernels/threads/team.js';
import { MemoryStore } from './memory-store.js';
import { type Asked, BLOCK, go as goOn, partsFor, SIZE, sequenceOf } from './staged-runs.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const go = (store: MemoryStore, p: number, asked: Asked) => goOn(team, store, p, asked);

describe('a part that another process is done with first ends at the next checkpoint', () => {
  const p = 65521;
  const parts = partsFor(p, SIZE);
  const alone = new MemoryStore();
  let all = 0; // intervals
  beforeAll(async () => {
    all = (await go(alone, p, { stage: 1, parts }))!.steps;
  });

  const goBeside = async (spoil: (store: MemoryStore) => void, later?: (store: MemoryStore) => void) => {
    const store = new MemoryStore();
    const beside = async (): Promise<void> => {
      expect(await go(store, p, { stage: 1, parts })).not.toBeNull();
      spoil(store);
    };
    const { steps } = (await go(store, p, { stage: 1, slow: true, parts, beside, later: async () => later?.(store) }))!;
    const [found, expected] = [store, alone].map((each) => sequenceOf(each, 'attempt-1-part-0001-'));
    expect([found!.s, found!.t]).toEqual([expected!.s, expected!.t]);
    // Nothing is left to do.
    expect(await go(store, p, { stage: 1, parts })).toEqual({ steps: 1 });
    return steps;
  };
  const remove = (store: MemoryStore, part: RegExp): Map<string, Uint8Array> => {
    const removed = new Map([...store.arrays].filter(([name]) => part.test(name)));
    for (const name of removed.keys()) store.arrays.delete(name);
    return removed;
  };

  test('whole', async () => {
    expect(await goBeside(() => {})).toBeLessThan(all / 2);
  });

  test('with vectors that are still being written', async () => {
    let vectors = new Map<string, Uint8Array>();
    const spoil = (store: MemoryStore): void => {
      vectors = remove(store, /vectors/);
      expect(vectors.size).toBe(2);
    };
    const later = ({ arrays }: MemoryStore): void => {
      for (const [name, bytes] of vectors) arrays.set(name, bytes);
    };
    expect(await goBeside(spoil, later)).toBeLessThan(all / 2);
  });

  test('with vectors that were lost since', async () => {
    expect(await goBeside((store) => remove(store, /vectors/))).toBeGreaterThanOrEqual(all);
  });

  test('with pieces that were damaged since', async () => {
    const spoil = ({ arrays }: MemoryStore): void => {
      for (const name of arrays.keys()) if (name.includes('blocks')) arrays.set(name, new Uint8Array(0));
    };
    expect(await goBeside(spoil)).toBeGreaterThan(all);
  });

  test('what that one was seen to fail for while this one began again is no failure', async () => {
    const checkpoint = new Checkpoint(alone, 'run', { interval: 60, stops: async () => false, remark: () => {} });
    checkpoint.begin(() => Promise.reject(new OvertakenError()), true);
    const shape = { m: BLOCK.m, n: 1, s: verificationWidth(Math.log2(p)), shift: 1 as const };
    const moments = Number.MAX_SAFE_INTEGER;
    const task = { preconditioner: 'hash', seed: 5n, shape, length: parts.length, moments, checked: true } as const;
    const start = () => Promise.reject(new Error('there is nothing to make'));
    const made = await makePart(
      checkpoint,
      'attempt-1',
      1,
      task,
      parts.length,
      { cols: SIZE, start },
      () => {},
      () => {},
    );
    expect(made.s.count).toBeGreaterThanOrEqual(parts.length);
  });
});

test('a slower process leaves the vectors of one that has got further, and goes beyond what leads nowhere', async () => {
  const p = 65521;
  const parts = partsFor(p, SIZE);
  const furthest = ({ arrays }: MemoryStore): number =>
    Math.max(
      ...[...arrays]
        .filter(([name]) => name.includes('vectors'))
        .map(([, each]) => unseal(each)!.fields['steps'] as number),
    );
  const store = new MemoryStore();
  let reached = 0;
  const beside = async (): Promise<void> => {
    expect(await go(store, p, { stage: 1, most: 12, parts })).toBeNull();
    reached = furthest(store);
  };
  expect(await go(store, p, { stage: 1, slow: true, most: 8, parts, beside })).toBeNull();
  expect(reached).toBeGreaterThan(0);
  expect(furthest(store)).toBe(reached);
  // Pieces that lead there are lost: what is made again is kept all the same, further each time.
  for (const name of [...store.arrays.keys()]) if (name.includes('blocks-000000000')) store.arrays.delete(name);
  let turns = 0;
  for (; (await go(store, p, { stage: 1, most: 2, parts })) === null; turns++) expect(turns).toBeLessThan(200);
  expect(await go(store, p, { stage: 1, parts })).toEqual({ steps: 1 });
});
