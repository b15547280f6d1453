/** Kept runs of several devices: whatever goes on with them, or ends them, the blocks and the rank are those of one. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { BasisKeeper } from '../../../algorithms/block-wiedemann/kept-basis.js';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { lengthOfParts } from '../../../algorithms/block-wiedemann/stages.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';
import { type Device, DeviceHere, DIED, Eager } from './keeping-devices.js';
import { DAMAGES, MemoryStore } from './memory-store.js';

const [SIZE, RANK, P] = [110, 83, 65521];
const BLOCK = { m: 6, n: 3 };

let team: Team;
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);
beforeAll(async () => {
  process.on('unhandledRejection', note);
  team = await Team.create(1);
});
afterAll(async () => {
  await team.dispose();
  process.removeListener('unhandledRejection', note);
});

/** Milliseconds of a block, of a run that is to end in the middle: it is asked every 200 (kept-shares.ts). */
const SLOW = 16;

interface Asked {
  readonly devices?: readonly Device[];
  /** Whether the run is to end, each time that it asks. */
  readonly ends?: () => boolean;
  readonly parts?: number | undefined;
  readonly remark?: (line: string) => void;
  /** How many self-checks have failed, at its end. */
  readonly failed?: (count: number) => void;
}

function contextOn(store: MemoryStore, { devices = [], ends = () => false, parts, remark = () => {} }: Asked) {
  const executor = new CpuExecutor(WordPrime.of(P), team);
  const options = { interval: 0, stops: async () => ends(), remark, directory: '/nowhere' };
  return {
    ...{ ...orderBasisEngines(executor, team), executor, team, seed: 5n, check: () => {}, onProgress: () => {} },
    sequenceDevices: devices.map((each) => new DeviceHere(store, P, each)),
    checkpoint: new Eager(store, 'run', options),
    parts: parts === undefined ? undefined : { count: parts, length: lengthOfParts(SIZE, BLOCK, P) },
  };
}

/** A run; null where it was ended before. */
async function go(store: MemoryStore, asked: Asked = {}) {
  const { executor, ...context } = contextOn(store, asked);
  const { failed = () => {} } = asked;
  try {
    const found = await rankOfMatrix({ ...context, executor }, deficientMatrix(SIZE, RANK, P), { block: BLOCK });
    failed(found.checks.failed);
    return { rank: found.rank, upperBound: found.upperBound, errorLog2: found.errorLog2 };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return null;
  } finally {
    executor.dispose();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(unhandled).toEqual([]);
  }
}

const several = (count: number, each: Device): Device[] => Array.from({ length: count }, () => each);

const keptPieces = (store: MemoryStore): string[] =>
  [...store.arrays.keys()].filter((name) => name.includes('-blocks-'));

/** A run that ends in the middle of its sequence, once something new of it is kept. */
async function goSomeWay(store: MemoryStore, count: number, parts?: number): Promise<void> {
  const before = keptPieces(store).length;
  const ends = (): boolean => keptPieces(store).length > before;
  expect(await go(store, { devices: several(count, { pace: SLOW }), ends, parts })).toBeNull();
}

describe('a run goes on with whatever devices there are', () => {
  let whole: Awaited<ReturnType<typeof go>>;
  beforeAll(async () => {
    whole = await go(new MemoryStore());
  });

  test.each([
    [[2, 3, 1, 0], undefined],
    [[3, 2, 1], undefined],
    [[0, 2], undefined], // begun on one device: one share
    [[1, 0, 2], undefined],
    [[2, 0, 1], 3], // planned in parts
  ] as const)('%j, parts %s', async (turns, parts) => {
    expect(whole).toMatchObject({ rank: RANK, upperBound: RANK });
    const store = new MemoryStore();
    for (const count of turns.slice(0, -1)) await goSomeWay(store, count, parts);
    expect(await go(store, { devices: several(turns.at(-1)!, {}), parts })).toEqual(whole);
  });
});

test.each([1, 2])('a damaged piece of a share is named, and made again by %i devices', async (count) => {
  const store = new MemoryStore();
  await goSomeWay(store, 2);
  const name = keptPieces(store).find((each) => each.includes('-part-0001-'))!;
  DAMAGES['cut off']!(store, name);
  const lines: string[] = [];
  const remark = (line: string): void => void lines.push(line);
  expect(await go(store, { devices: several(count, {}), remark })).toMatchObject({ rank: RANK, upperBound: RANK });
  expect(lines).toContainEqual(expect.stringContaining(`${name} is damaged`));
});

test.each(['attempt-1-shares', 'attempt-1-shares-copy'])('%s is missing: it is made again', async (name) => {
  const store = new MemoryStore();
  await goSomeWay(store, 2);
  const whole = store.arrays.get(name);
  expect(whole).toBeDefined();
  store.arrays.delete(name);
  await goSomeWay(store, 3);
  expect(store.arrays.get(name)).toEqual(whole);
});

describe('ends', () => {
  test.each([1, 2])('no room where it stands: %i devices keep theirs, and the run goes on', async (count) => {
    const store = new MemoryStore();
    await goSomeWay(store, 2);
    const before = keptPieces(store).length;
    const { write } = store;
    const full = new Error('no space left on the disk');
    store.write = async (name, bytes) => {
      if (name === 'progress.json') throw full;
      return write(name, bytes);
    };
    await expect(go(store, { devices: several(count, { pace: SLOW }) })).rejects.toThrow(full);
    expect(keptPieces(store).length).toBeGreaterThan(before);
    store.write = write;
    expect(await go(store, { devices: several(count, {}) })).toMatchObject({ rank: RANK });
  });

  const [slow, dying] = [{ pace: SLOW }, { dies: 24 }];
  const leaving: Device = { pace: SLOW, dies: 'asked to end' };
  test.each<[string, Device[], boolean]>([
    ['one of one, in the middle', [dying], false],
    ['one of two, in the middle', [dying, {}], false],
    ['one of three that make two shares, in the middle', [dying, {}, {}], false],
    ['one of one, as it is asked to end', [leaving], true],
    ['one of two, as it is asked to end', [leaving, slow], true],
    ['one of one, before the run is asked to end', [dying], true],
    ['one of two, before the run is asked to end', [dying, { pace: 100 }], true],
  ])('a device that dies: %s', async (_, devices, ends) => {
    const store = new MemoryStore();
    await expect(go(store, { devices, ends: () => ends })).rejects.toThrow(DIED);
    expect(await go(store)).toMatchObject({ rank: RANK });
  });

  test('of three shares in turns the first dies, and the run is asked to end while the second goes on', async () => {
    const store = new MemoryStore();
    await goSomeWay(store, 3);
    const devices = [{ dies: 1 }, { pace: 100 }];
    await expect(go(store, { devices, ends: () => true })).rejects.toThrow(DIED);
    expect(await go(store)).toMatchObject({ rank: RANK });
  });
});

describe('a word that memory changes behind the check of its device', () => {
  let whole: Awaited<ReturnType<typeof go>>;
  beforeAll(async () => {
    whole = await go(new MemoryStore());
  });

  afterEach(() => void vi.restoreAllMocks());

  test.each([
    ['one share', 1, 1, Infinity],
    ['one share, and the basis is kept that was found of it', 1, 1, 0],
    ['a share beside another', 2, 2, Infinity],
    ['a share beside another, and the basis is kept that was found of it', 2, 2, 0],
    ['a share that waits for others, made in turns', 2, 3, Infinity],
  ])('of %s: the rank is what it is, and it is told once', async (_, count, shares, writing) => {
    vi.spyOn(BasisKeeper.prototype as unknown as { writing: () => number }, 'writing').mockReturnValue(writing);
    const store = new MemoryStore();
    if (shares > count) await goSomeWay(store, shares);
    const spoilt = { done: false };
    const told: number[] = [];
    const failed = (count: number): void => void told.push(count);
    expect(await go(store, { devices: [{ spoilt }, ...several(count - 1, {})], failed })).toEqual(whole);
    expect(spoilt.done).toBe(true);
    expect(told).toEqual([1]);
  });

  test.each([
    ['one device', 1],
    ['two devices', 2],
  ])('of a minimal polynomial on %s, and the basis is kept that was found of it: it is told once', async (_, count) => {
    vi.spyOn(BasisKeeper.prototype as unknown as { writing: () => number }, 'writing').mockReturnValue(0);
    const polynomial = async (devices: Device[]) => {
      const { executor, ...context } = contextOn(new MemoryStore(), { devices });
      const { coefficients, checks } = await minpolyOfMatrix({ ...context, executor }, deficientMatrix(SIZE, RANK, P));
      executor.dispose();
      return { coefficients, failed: checks.failed };
    };
    const alone = await polynomial(several(count, {}));
    const spoilt = { done: false };
    expect(await polynomial([{ spoilt }, ...several(count - 1, {})])).toEqual({ ...alone, failed: 1 });
    expect([alone.failed, spoilt.done]).toEqual([0, true]);
  });
});
