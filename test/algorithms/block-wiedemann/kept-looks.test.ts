/** Looks that end before a base case: what they have made is kept, and the search goes on behind it. */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { GeneratorSearch } from '../../../algorithms/block-wiedemann/generator.js';
import { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { BasisKeeper } from '../../../algorithms/block-wiedemann/kept-basis.js';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import type { ProgressEvent } from '../../../algorithms/block-wiedemann/run-context.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { OrderBasisEngine } from '../../../algorithms/sigma-basis/order-basis.js';
import { PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';
import { DAMAGES, MemoryStore } from './memory-store.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());
afterEach(() => vi.restoreAllMocks());

/** Every question of the time finds a second gone: all is due. */
function hurry(): void {
  let clock = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
}

const P = 65521;
const [M, N, LEAF] = [4, 2, 4];
const LOOKS = [9, 30, 64];

/** Searches of one random sequence, on either engine. */
function searches() {
  const field = WordPrime.of(P);
  const executor = new ReferenceExecutor(field);
  const working = new WorkingField(executor, 'block');
  const random = new CounterRandom(7n, 0);
  const S = new GrowingBlocks(M * N);
  for (let i = 0; i < LOOKS.at(-1)!; i++)
    S.push(Uint32Array.from({ length: M * N }, (_, j) => random.residueAt(i * M * N + j, P)));
  const engines: OrderBasisEngine[] = [
    Object.assign(new NaiveEngine(field), { leaf: LEAF }),
    new PolyEngine(team, field, { leaf: LEAF }),
  ];
  const create = (turn: number) =>
    new GeneratorSearch(engines[turn % 2]!, { m: M, n: N, s: 0 }, null, LOOKS.at(-1)!, {
      ...{ working, executor: {}, seed: 3n },
    });
  return { S, F: working.elements, create };
}

/** A checkpoint that ends the run at its question number `at`, from 1 on. */
function endingAt(store: MemoryStore, at: number, remarks: string[] = []): Checkpoint {
  let asked = 0;
  const stops = async () => ++asked === at;
  return new Checkpoint(store, 'run', { interval: 0, stops, remark: (line) => void remarks.push(line) });
}

/** The search goes on from what is kept through all looks; false where it was ended. */
async function searched(store: MemoryStore, turn: number, at: number, remarks: string[] = []) {
  const { S, F, create } = searches();
  const search = create(turn);
  const keeper = new BasisKeeper(endingAt(store, at, remarks), 'attempt-1');
  await keeper.recall(search.basis);
  const begun = { order: search.order, base: search.basis.base, cases: search.basis.look?.reached ?? -1 };
  try {
    for (const to of LOOKS.filter((each) => each > search.order))
      await keeper.goOn(search.basis, (pause) => search.advance(S, S, to, F.neg(F.one), pause));
    expect(await search.holds(S)).toBe(true);
    return { begun, generator: await search.generator(F) };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    await keeper.end(search.basis);
    return { begun, generator: null };
  } finally {
    search.free();
  }
}

const names = (store: MemoryStore): string[] =>
  [...store.arrays.keys()].filter((name) => name.includes('basis')).sort();
const looks = (store: MemoryStore): string[] => names(store).filter((name) => name.includes('look'));

test('a search ended at every second question goes on behind it, with the generator of one search', async () => {
  hurry();
  const whole = await searched(new MemoryStore(), 0, 0);
  const store = new MemoryStore();
  const seen: string[] = [];
  let turn = 0;
  for (; turn < 200; turn++) {
    const { begun, generator } = await searched(store, turn, 2);
    seen.push([begun.order, begun.base, begun.cases + 1].map((each) => String(each).padStart(3)).join(' '));
    expect(looks(store).length).toBeLessThanOrEqual(2);
    expect(names(store).length - looks(store).length).toBeLessThanOrEqual(2);
    if (generator === null) continue;
    expect(generator).toEqual(whole.generator);
    break;
  }
  // Each ends further than the one before.
  expect(seen).toEqual([...new Set(seen)].sort());
  expect(turn).toBeGreaterThan(LOOKS.at(-1)! / LEAF);
});

test.each(Object.keys(DAMAGES))('a look with %s: the one before serves, or that is made again', async (damage) => {
  hurry();
  const whole = await searched(new MemoryStore(), 0, 0);
  for (const count of [1, 2]) {
    const store = new MemoryStore();
    const remarks: string[] = [];
    const isBehind = (name: string): boolean => !name.includes('basis-000000000');
    for (let turn = 0; looks(store).filter(isBehind).length < 2; turn++) await searched(store, turn, 5, remarks);
    const kept = looks(store).map((name) => Number(name.split('-').at(-1)));
    for (const name of looks(store).slice(-count)) DAMAGES[damage]!(store, name);
    const { begun, generator } = await searched(store, 1, 0, remarks);
    expect(begun.cases).toBe(count === 1 ? kept[0] : -1);
    expect(begun.order).toBeGreaterThan(0);
    expect(generator).toEqual(whole.generator);
    expect(remarks.length).toBe(damage === 'removed' ? 0 : count);
    expect(looks(store)).toEqual([]);
  }
});

test('a look to another order than before is made anew', async () => {
  hurry();
  const { S, F, create } = searches();
  const search = create(1);
  const advance = (to: number, questions: number) =>
    search.advance(S, S, to, F.neg(F.one), async () => {
      if (questions-- === 0) throw new StoppedError();
    });
  await advance(9, 100);
  await expect(advance(30, 3)).rejects.toThrow(StoppedError);
  expect(search.basis.look?.reached).toBe(8);
  await advance(64, 100);
  expect(await search.holds(S)).toBe(true);
  const other = create(0);
  for (const to of [9, 64]) await other.advance(S, S, to, F.neg(F.one));
  expect(await search.generator(F)).toEqual(await other.generator(F));
});

test.each(['rank', 'minpoly'])('%s: a stop inside a look keeps the steps of the sequence too', async (question) => {
  hurry();
  const field = WordPrime.of(P);
  const matrix = deficientMatrix(600, 560, P);
  const steps: number[] = [];
  const answered = async (store: MemoryStore, isEnded: boolean) => {
    const executor = new CpuExecutor(field, team);
    let isLooking = false;
    const inner = orderBasisEngines(executor, team);
    const checkpoint = new Checkpoint(store, 'run', {
      interval: 1e9, // nothing is due
      stops: async () => isEnded && isLooking,
      remark: (line) => expect.fail(line),
    });
    const orderBasisEngine: typeof inner.orderBasisEngine = (of) => {
      const engine = inner.orderBasisEngine(of);
      return new Proxy(engine, {
        get: (target, key) => {
          const value = Reflect.get(target, key);
          if (key !== 'residual') return typeof value === 'function' ? value.bind(target) : value;
          return (...words: Parameters<typeof engine.residual>) => {
            isLooking ||= words[3] > 1; // orders
            return target.residual(...words);
          };
        },
      });
    };
    const onProgress = ({ phase, attempt, done }: ProgressEvent): void => {
      if (phase === 'sequence') steps.push(1e6 * attempt + done);
    };
    const context = { executor, team, seed: 5n, orderBasisEngine, check: () => {}, onProgress, checkpoint };
    try {
      if (question === 'minpoly') return (await minpolyOfMatrix(context, matrix)).degree;
      return (await rankOfMatrix(context, matrix, { block: { m: 2, n: 1 } })).rank;
    } finally {
      executor.dispose();
    }
  };
  const whole = await answered(new MemoryStore(), false);
  steps.length = 0;
  const store = new MemoryStore();
  await expect(answered(store, true)).rejects.toThrow(StoppedError);
  expect([...store.arrays.keys()].filter((name) => name.includes('-blocks-')).length).toBe(1);
  expect(looks(store).length).toBe(1);
  expect(await answered(store, false)).toBe(whole);
  // No step is made twice.
  expect(steps).toEqual([...new Set(steps)].sort((a, b) => a - b));
});
