/** Looks that end before any base case: they go on, on any engine, to the basis of one search. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Look, type Pause } from '../../../algorithms/block-wiedemann/look.js';
import { GpuPolyEngine } from '../../../algorithms/sigma-basis/gpu-pm-basis.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { OrderBasisEngine, PolyMatrix } from '../../../algorithms/sigma-basis/order-basis.js';
import { PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

const [M, N, RHS, ORDERS, LEAF, WIDTH] = [3, 2, 1, 45, 4, 5];
const ROWS = M + N + RHS;

class Stopped extends Error {}

/** The engine, with its matrices that have not been released and the orders that it has searched. */
function watched(inner: OrderBasisEngine) {
  const live = new Set<PolyMatrix>();
  const state = { searched: 0 };
  const held = (a: PolyMatrix): PolyMatrix => {
    live.add(a);
    return a;
  };
  const engine: OrderBasisEngine = {
    leaf: inner.leaf,
    create: (...all) => held(inner.create(...all)),
    write: (...all) => inner.write(...all),
    read: (...all) => inner.read(...all),
    beginning: (...all) => inner.beginning(...all),
    async sigmaBasis(g, ...more) {
      state.searched += g.length;
      return held(await inner.sigmaBasis(g, ...more));
    },
    residual: (...all) => held(inner.residual(...all)),
    mul: (...all) => held(inner.mul(...all)),
    compose: (...all) => held(inner.compose(...all)),
    release(a) {
      if (!live.delete(a)) throw new Error('released twice, or a part of another');
      inner.release(a);
    },
  };
  return { engine, live, state };
}

/** A pause that throws when it is met for the time number `at`, from 0 on. */
function throwingAt(at: number): Pause {
  let met = 0;
  return async () => {
    if (met++ === at) throw new Stopped();
  };
}

describe.each([2, 65521, 2147483629])('mod %i', (p) => {
  const field = WordPrime.of(p);
  const random = new CounterRandom(3n, 0);
  const blocks = Uint32Array.from({ length: ROWS * N * ORDERS }, (_, i) => random.residueAt(i, p));
  const imagesOfAll = blocks.slice(0, ROWS * WIDTH);
  const degrees = () => new Int32Array(ROWS).fill(1, M);
  const begun = (engine: OrderBasisEngine): Look => {
    const images = engine.create(ROWS, WIDTH, 1);
    engine.write(images, imagesOfAll);
    const series = engine.create(ROWS, N, ORDERS);
    engine.write(series, blocks);
    return new Look(engine, { to: ORDERS, first: 7, leaf: engine.leaf, cols: N }, series, images, degrees(), RHS);
  };
  const plain = (): NaiveEngine => Object.assign(new NaiveEngine(field), { leaf: LEAF });
  const expected = () => {
    const engine = new NaiveEngine(field);
    const series = engine.create(ROWS, N, ORDERS);
    engine.write(series, blocks);
    const raised = degrees();
    const basis = engine.sigmaBasis(series, raised, RHS);
    return { words: engine.read(basis), raised };
  };
  const ended = async (engine: OrderBasisEngine, look: Look, basis: PolyMatrix) => {
    expect(look.images!.first).toBe(7);
    expect(await engine.read(look.images!.products)).toEqual(imagesOfAll);
    engine.release(look.images!.products);
    const words = await engine.read(basis);
    engine.release(basis);
    return { words, raised: look.degrees };
  };
  /** Without coefficients of zeros at its end. */
  const trimmed = ({ words, raised }: { words: Uint32Array; raised: Int32Array }) => {
    const size = ROWS * (ROWS - RHS);
    let length = words.length / size;
    while (length > 1 && words.subarray((length - 1) * size, length * size).every((x) => x === 0)) length--;
    return { words: [...words.subarray(0, length * size)], raised: [...raised] };
  };

  /** The look that comes to the basis, ended at each pause; `goOn` gives what goes on in its place. */
  const found = async (look: Look, goOn: (look: Look) => Promise<Look>): Promise<{ look: Look; basis: PolyMatrix }> => {
    for (;;) {
      try {
        return { look, basis: await look.find(throwingAt(1)) };
      } catch (error) {
        if (!(error instanceof Stopped)) throw error;
      }
      look = await goOn(look);
    }
  };

  /** Ended at each pause in turn, its words taken up by the next engine; no order is searched twice. */
  const endedEverywhere = async (engines: readonly OrderBasisEngine[]): Promise<void> => {
    const all = engines.map(watched);
    let turn = 0;
    let { engine, live } = all[0]!;
    const steps: number[] = [];
    const { look, basis } = await found(begun(engine), async (look) => {
      steps.push(look.reached);
      const state = await look.state();
      expect(state.words.reduce((sum, { length }) => sum + 4 * length, 0)).toBe(look.bytes);
      look.free();
      expect(live.size).toBe(0);
      turn++;
      ({ engine, live } = all[turn % all.length]!);
      return Look.goOnFrom(engine, JSON.parse(JSON.stringify(state, replacer), reviver), RHS, WIDTH);
    });
    expect(trimmed(await ended(engine, look, basis))).toEqual(trimmed(expected()));
    expect(live.size).toBe(0);
    expect(all.reduce((sum, { state }) => sum + state.searched, 0)).toBe(ORDERS);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(turn).toBe(Math.ceil(ORDERS / LEAF) - 1);
  };
  const replacer = (_: string, value: unknown) => (value instanceof Uint32Array ? { words: [...value] } : value);
  const reviver = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && 'words' in value && Object.keys(value).length === 1
      ? Uint32Array.from(value.words as number[])
      : value;

  test('on plain code and on threads by turns', async () => {
    await endedEverywhere([plain(), new PolyEngine(team, field, { leaf: 2 * LEAF })]);
  });

  test.skipIf(gpuMissing)('on a GPU and on threads by turns', async () => {
    const gpu = new GpuPolyEngine(team, await testGpu(), field, { crossover: 3 * LEAF });
    await endedEverywhere([new PolyEngine(team, field, { leaf: LEAF }), gpu]);
    gpu.dispose();
  });

  test('what ends goes on in place, too', async () => {
    const { engine, live } = watched(new PolyEngine(team, field, { leaf: LEAF }));
    const { look, basis } = await found(begun(engine), async (look) => look);
    expect(trimmed(await ended(engine, look, basis))).toEqual(trimmed(expected()));
    expect(live.size).toBe(0);
  });
});
