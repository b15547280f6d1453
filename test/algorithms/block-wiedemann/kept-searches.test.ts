/** Runs that are ended behind each search of their order basis: what was found of it is not searched again. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import type { BasisField, BlockingOrderBasisEngine, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import { solveNonsingular } from '../../../algorithms/solve/nonsingular.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { deficientMatrix } from './deficient-matrix.js';
import { MemoryStore } from './memory-store.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

/** Counts the orders of searches. */
function counted(engine: BlockingOrderBasisEngine, count: (orders: number) => void): BlockingOrderBasisEngine {
  return new Proxy(engine, {
    get(target, key) {
      const value = Reflect.get(target, key);
      if (typeof value !== 'function') return value;
      return (...words: unknown[]) => {
        const [g] = words as PolyMatrix[];
        if (key === 'sigmaBasis' && g!.length > 1) count(g!.length);
        return value.apply(target, words);
      };
    },
  });
}

type Ask = (context: RunContext & { readonly checkpoint: Checkpoint }, matrix: ResidueMatrix) => Promise<unknown>;

const QUESTIONS: Readonly<Record<string, readonly [number, Ask]>> = {
  rank: [
    560,
    async (context, matrix) => (await rankOfMatrix(context, matrix, { block: { m: 2, n: 1 }, verify: false })).rank,
  ],
  minpoly: [600, async (context, matrix) => (await minpolyOfMatrix(context, matrix)).degree],
  'a system': [
    600,
    async (context, matrix) => {
      const operator = await context.executor.operator(matrix);
      const y = Uint32Array.from({ length: matrix.rows }, (_, i) => i);
      return solveNonsingular(context, operator, [y], 3n, { checkpoint: context.checkpoint, attempt: 1 });
    },
  ],
};

/** What is asked, ended behind each search if it is to be, on either executor by turns; orders that were searched. */
async function answered(rank: number, ask: Ask, isEnded: boolean) {
  const field = WordPrime.of(65521);
  const store = new MemoryStore();
  let [searched, searches] = [0, 0];
  const count = (orders: number): void => {
    searched += orders;
    searches++;
  };
  for (let turn = 0; turn < 100; turn++) {
    const executor = turn % 2 ? new ReferenceExecutor(field) : new CpuExecutor(field, team);
    const engines = orderBasisEngines(executor, turn % 2 ? undefined : team);
    const orderBasisEngine = (of: BasisField) => counted(engines.orderBasisEngine(of), count);
    const before = searches;
    const checkpoint = new Checkpoint(store, 'run', {
      ...{ interval: 0, stops: async () => isEnded && searches > before },
      remark: (line) => expect.fail(line),
    });
    const hooks = { check: () => {}, onProgress: () => {}, checkpoint };
    try {
      const answer = await ask(
        { executor, team, seed: 5n, orderBasisEngine, ...hooks },
        deficientMatrix(600, rank, 65521),
      );
      return { answer, searched, turns: turn, left: [...store.arrays.keys()].filter((name) => name.includes('basis')) };
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
    } finally {
      executor.dispose();
    }
  }
  return null;
}

test.each(Object.entries(QUESTIONS))(
  '%s, ended behind each search, searches no order twice',
  async (_, [rank, ask]) => {
    const whole = await answered(rank, ask, false);
    expect(whole).toMatchObject({ turns: 0, left: [] });
    // Whatever was found has taken longer than writing it takes.
    let clock = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (clock += 1000));
    const ended = await answered(rank, ask, true);
    vi.restoreAllMocks();
    expect(ended).toEqual({ ...whole, turns: expect.any(Number) });
    expect(ended!.turns).toBeGreaterThan(1);
  },
);
