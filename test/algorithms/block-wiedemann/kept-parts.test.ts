/** Runs in parts: whoever makes which columns when, and how often, the blocks and the rank are those of one run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePart } from '../../../algorithms/block-wiedemann/kept-parts.js';
import { OvertakenError } from '../../../algorithms/block-wiedemann/kept-sequence.js';
import { type RankOptions, rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { lengthOfParts, shapeOfParts, stageOfMatrix } from '../../../algorithms/block-wiedemann/stages.js';
import { verificationWidth } from '../../../algorithms/block-wiedemann/verification.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { unseal } from '../../../algorithms/checkpoint/sealed.js';
import { type CheckpointStore, StoppedError } from '../../../algorithms/checkpoint/store.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';
import { MemoryStore } from './memory-store.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const SIZE = 110;
const RANK = 83;
const BLOCK = { m: 6, n: 3 };
const COUNT = 3;

interface Asked {
  readonly stage?: number | 'generator' | 'rank';
  readonly most?: number; // batches of steps
  readonly slow?: boolean; // on the reference executor
  readonly parts?: { readonly count: number; readonly length: number } | undefined;
  /** What others do, once, before the third time that the run asks whether it is to end. */
  readonly beside?: () => Promise<unknown>;
  /** The same before the sixth time. */
  readonly later?: () => Promise<unknown>;
}

/** Keeps a run each time that it asks, however long that takes. */
class Eager extends Checkpoint {
  override async due(): Promise<'no' | 'keep' | 'stop'> {
    const due = await super.due();
    return due === 'no' ? 'keep' : due;
  }
}

/** The stage or the rest of a run; null where it was ended before. */
async function go(
  store: CheckpointStore,
  p: number,
  { stage = 'rank', most = Infinity, slow, parts, beside, later }: Asked,
) {
  const field = WordPrime.of(p);
  const executor = slow ? new ReferenceExecutor(field) : new CpuExecutor(field, team);
  let steps = 0;
  let asked = 0;
  const stops = async (): Promise<boolean> => {
    if (++asked === 3) await beside?.();
    if (asked === 6) await later?.();
    return steps >= most;
  };
  const checkpoint = new Eager(store, 'run', { interval: 0, stops, remark: () => {} });
  const threads = slow ? undefined : team;
  const onProgress = ({ phase }: { phase: string }): void => {
    if (phase === 'sequence') steps++;
  };
  const engines = orderBasisEngines(executor, threads);
  const context = { ...engines, executor, team: threads, seed: 5n, check: () => {}, checkpoint, onProgress };
  const options: RankOptions = { block: BLOCK };
  try {
    if (stage !== 'rank') {
      const staged = { ...context, parts: parts ?? partsFor(p, SIZE) };
      await stageOfMatrix(staged, deficientMatrix(SIZE, RANK, p), options, {
        part: stage === 'generator' ? null : stage,
      });
      return { steps };
    }
    const { rank, upperBound, errorLog2 } = await rankOfMatrix(
      { ...context, parts },
      deficientMatrix(SIZE, RANK, p),
      options,
    );
    return { rank, upperBound, errorLog2, steps };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return null;
  } finally {
    executor.dispose();
  }
}

const partsFor = (p: number, rank: number) => ({ count: COUNT, length: lengthOfParts(rank, BLOCK, p) });

const wordsOf = (bytes: Uint8Array): Uint32Array => new Uint32Array(bytes.slice().buffer);

/** S and T of the arrays whose names begin so, from pieces 0…i, i…j, … */
function sequenceOf(store: MemoryStore, prefix: string) {
  const pieces = new Map(
    [...store.arrays.keys()]
      .filter((name) => name.startsWith(`${prefix}blocks-`))
      .map((name) => [Number(name.split('-').at(-2)), name]),
  );
  const found = { s: [] as number[], t: [] as number[], pieces: 0 };
  for (let at = 0; pieces.has(at); found.pieces++) {
    const name = pieces.get(at)!;
    const { fields, bytes } = unseal(store.arrays.get(name)!)!;
    const words = wordsOf(bytes);
    found.s.push(...words.subarray(0, fields['split'] as number));
    found.t.push(...words.subarray(fields['split'] as number));
    at = Number(name.split('-').at(-1));
  }
  return found;
}

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
