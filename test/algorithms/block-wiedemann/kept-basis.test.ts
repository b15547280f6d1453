/** Order bases that are kept: a search goes on behind the last, on any engine, and a wrong word of one is met. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BasisState } from '../../../algorithms/block-wiedemann/factored-basis.js';
import { GeneratorSearch } from '../../../algorithms/block-wiedemann/generator.js';
import { GrowingBlocks } from '../../../algorithms/block-wiedemann/growing-blocks.js';
import { BasisKeeper } from '../../../algorithms/block-wiedemann/kept-basis.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import type { CheckpointStore } from '../../../algorithms/checkpoint/store.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { OrderBasisEngine } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { Team } from '../../../kernels/threads/team.js';
import { DAMAGES, MemoryStore } from './memory-store.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

const [M, N] = [4, 2];
const LOOKS = [9, 14, 21, 25, 40, 57, 64];

interface Hooks {
  readonly remarks?: string[];
  readonly interval?: number;
}

function checkpointIn(store: CheckpointStore, { remarks = [], interval = 0 }: Hooks = {}) {
  return new Checkpoint(store, 'run', {
    interval,
    stops: async () => false,
    remark: (line) => void remarks.push(line),
  });
}

/** Searches of one random sequence, on either engine. */
function searches(p: number) {
  const executor = new ReferenceExecutor(WordPrime.of(p));
  const working = new WorkingField(executor, 'block');
  const { field, elements: F } = working;
  const random = new CounterRandom(7n, 0);
  const S = new GrowingBlocks(M * N);
  for (let i = 0; i < LOOKS.at(-1)!; i++)
    S.push(Uint32Array.from({ length: M * N }, (_, j) => random.residueAt(i * M * N + j, working.q)));
  const threads = orderBasisEngines(new CpuExecutor(WordPrime.of(p), team), team).orderBasisEngine(field);
  const engines: OrderBasisEngine[] = [new NaiveEngine(field), threads];
  return {
    S,
    F,
    create: (turn: number, m = M) =>
      new GeneratorSearch(engines[turn % 2]!, { m, n: N, s: 0 }, null, LOOKS.at(-1)!, {
        working,
        executor: {},
        seed: 3n,
      }),
    advance: (search: GeneratorSearch, to: number) => search.advance(S, S, to, F.neg(F.one)),
  };
}

describe.each([2, 7, 65521, 2147483629])('mod %i', (p) => {
  test('each search goes on behind the one before, and ends with the generator of one search', async () => {
    const { S, F, create, advance } = searches(p);
    const whole = create(0);
    for (const to of LOOKS) await advance(whole, to);
    const checkpoint = checkpointIn(new MemoryStore());
    for (const [turn, to] of LOOKS.entries()) {
      const keeper = new BasisKeeper(checkpoint, 'attempt-1');
      const search = create(turn);
      await keeper.recall(search.basis);
      expect(search.order).toBe(LOOKS[turn - 1] ?? 0);
      await advance(search, to);
      expect(await search.holds(S)).toBe(true);
      await keeper.keep(search.basis);
      search.free();
      expect((await checkpoint.names('')).length).toBe(Math.min(turn + 1, 2));
    }
    const last = create(1);
    const keeper = new BasisKeeper(checkpoint, 'attempt-1');
    await keeper.recall(last.basis);
    expect(await last.holds(S)).toBe(true);
    expect(await last.generator(F)).toEqual(await whole.generator(F));
    await keeper.forget();
    expect(await checkpoint.names('')).toEqual([]);
  });

  test('a word that changes before it is sealed is met by the check of the basis', async () => {
    const { S, create, advance } = searches(p);
    const search = create(0);
    for (const to of [25, 40, 42]) await advance(search, to);
    const state = (await search.basis.state())!;
    const [p1, p2, images, further, ...others] = state.words;
    expect([p2!.length > 0, others]).toEqual([true, []]);
    const holdsWith = async (changed: BasisState): Promise<boolean> => {
      const again = create(1);
      expect(again.basis.goOnFrom(changed)).toBe(true);
      const holds = await again.holds(S);
      again.free();
      return holds;
    };
    expect(await holdsWith(state)).toBe(true);
    const places: [Uint32Array, number][] = [p1!, p2!, images!].flatMap((words) =>
      [0, words.length >> 1, words.length - 1].map((at): [Uint32Array, number] => [words, at]),
    );
    for (const [words, at] of [...places, [further!, further!.length - 1] as const]) {
      const before = words[at]!;
      words[at] = before === 0 ? 1 : 0;
      expect(await holdsWith(state), `word ${at} of ${words.length}`).toBe(false);
      words[at] = before;
    }
    const [degree, ...degrees] = state.fields.degrees;
    const fields = { ...state.fields, degrees: [degree! + 1, ...degrees] };
    expect(await holdsWith({ ...state, fields })).toBe(false);
  });
});

describe('kept', () => {
  test('where the search took far longer than writing takes, and the interval has passed', async () => {
    const { create, advance } = searches(65521);
    for (const [interval, seconds, isKept] of [
      [0, 0.2, true],
      [0, 0, false],
      [60, 0.2, false],
    ] as const) {
      const checkpoint = checkpointIn(new MemoryStore(), { interval });
      const search = create(0);
      await advance(search, 40);
      const slow = new Proxy(search.basis, {
        get: (basis, key) => (key === 'bytes' ? 2 ** 27 * (seconds === 0 ? 1 : 1e-4) : Reflect.get(basis, key)),
      });
      await new BasisKeeper(checkpoint, 'attempt-1').goOn(slow, async () => {
        await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
      });
      expect((await checkpoint.names('')).length).toBe(isKept ? 1 : 0);
      search.free();
    }
  });

  test.each(Object.keys(DAMAGES))('an array with %s: the one before serves, or none', async (damage) => {
    const { create, advance } = searches(65521);
    const store = new MemoryStore();
    const remarks: string[] = [];
    const checkpoint = checkpointIn(store, { remarks });
    const keeper = new BasisKeeper(checkpoint, 'attempt-1');
    const search = create(0);
    for (const to of [9, 25, 40]) {
      await advance(search, to);
      await keeper.keep(search.basis);
    }
    const names = [...store.arrays.keys()].sort();
    expect(names).toEqual(['attempt-1-basis-000000025-000000009', 'attempt-1-basis-000000040-000000025']);
    for (const [name, order] of [
      [names[1]!, 25],
      [names[0]!, 0],
    ] as const) {
      DAMAGES[damage]!(store, name);
      const again = create(1);
      await new BasisKeeper(checkpoint, 'attempt-1').recall(again.basis);
      expect(again.order).toBe(order);
      again.free();
    }
    const damaged = (name: string): string => `${name} is damaged, or of another run or name`;
    expect(remarks).toEqual(damage === 'removed' ? [] : [names[1]!, names[1]!, names[0]!].map(damaged));
  });

  test.each([1, 2])('where the %i furthest are damaged, what is kept before their orders stays', async (count) => {
    const { create, advance } = searches(65521);
    const store = new MemoryStore();
    const checkpoint = checkpointIn(store);
    const keptAt = async (keeper: BasisKeeper, orders: readonly number[]): Promise<void> => {
      const search = create(0);
      await keeper.recall(search.basis);
      for (const to of orders) {
        await advance(search, to);
        await keeper.keep(search.basis);
      }
      search.free();
    };
    await keptAt(new BasisKeeper(checkpoint, 'attempt-1'), [40, 57]);
    for (const name of [...store.arrays.keys()].sort().slice(-count)) DAMAGES['cut off']!(store, name);
    await keptAt(new BasisKeeper(checkpoint, 'attempt-1'), count === 1 ? [42] : [14]);
    const again = create(1);
    await new BasisKeeper(checkpoint, 'attempt-1').recall(again.basis);
    expect(again.order).toBe(count === 1 ? 42 : 14);
    again.free();
    const names = [...store.arrays.keys()].sort();
    expect(names).toEqual(
      count === 1
        ? ['attempt-1-basis-000000040-000000040', 'attempt-1-basis-000000042-000000040']
        : ['attempt-1-basis-000000014-000000014'],
    );
  });

  test('not where its words have no room, which is remarked', async () => {
    const { create, advance } = searches(65521);
    const remarks: string[] = [];
    const checkpoint = checkpointIn(new MemoryStore(), { remarks });
    const search = create(0);
    await advance(search, 9);
    vi.spyOn(search.basis, 'state').mockRejectedValueOnce(new RangeError('Array buffer allocation failed'));
    await new BasisKeeper(checkpoint, 'attempt-1').keep(search.basis);
    expect(remarks).toEqual(['the order basis is not kept: Array buffer allocation failed']);
    expect(await checkpoint.names('')).toEqual([]);
  });

  test('a basis of other sizes is none', async () => {
    const { create, advance } = searches(65521);
    const remarks: string[] = [];
    const checkpoint = checkpointIn(new MemoryStore(), { remarks });
    const search = create(0);
    await advance(search, 9);
    await new BasisKeeper(checkpoint, 'attempt-1').keep(search.basis);
    const wider = create(0, M + 1);
    await new BasisKeeper(checkpoint, 'attempt-1').recall(wider.basis);
    expect([wider.order, remarks]).toEqual([0, ['attempt-1-basis-000000009-000000009 has other sizes than this run']]);
  });
});
