/**
 * Programs leave the same integers as calls made one by one, on any executor and any number of threads, whatever thread
 * does them and whatever was released in between; and what is none of an executor's own is interpreted.
 *
 * Everything that runs comes from dist/: Node 20 starts no worker from TypeScript.
 */
import { describe, expect, test } from 'vitest';
import { ExtensionField } from '../../../dist/fields/extension.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { ReferenceExecutor } from '../../../dist/kernels/executors/reference.js';
import { cancel, poison } from '../../../dist/kernels/threads/control-block.js';
import { Starvation } from '../../../dist/kernels/threads/starvation.js';
import { CounterRandom } from '../../../fields/random.js';
import type { Call, Executor, LinearMap } from '../../../kernels/executor.js';
import { performAll } from '../../../kernels/executors/interpreter.js';
import { CASES, filled } from './cases.js';
import { cpu, expectedMod, leftMod, named, STEPS, stepOf, watchReplays } from './program-steps.js';

describe.each([2, 65521, 2147483647])('p = %d', (p) => {
  test.each([1, 2, 3])('%d threads', async (threads) => {
    const expected = await expectedMod(p);
    const executor = await cpu(p, threads);
    const { step, asked, results } = stepOf(executor);
    const program = executor.compile(step);
    const seen = watchReplays(executor);
    await program.run(0, 2);
    await program.run(2, 2);
    await asked(2);
    await program.run(3, STEPS);
    expect(seen).toEqual([
      [0, 2],
      [3, STEPS],
    ]);
    expect(await results()).toEqual(expected);
    executor.dispose();
  });

  test('the reference executor', async () => {
    const executor = new ReferenceExecutor(WordPrime.of(p)) as unknown as Executor;
    const { step, results } = stepOf(executor);
    await executor.compile(step).run(0, 2);
    expect(await results()).toEqual(await leftMod(p, 2));
  });

  test('commands that starve now and then, and threads that go on alone', async () => {
    const expected = await expectedMod(p);
    for (let seed = 0; seed < 6; seed++) {
      const executor = await cpu(p, 2);
      const { step, results } = stepOf(executor);
      const program = executor.compile(step);
      const random = new CounterRandom(BigInt(seed), 0);
      const { spin: patient } = executor.team;
      for (let i = 0; i < STEPS; i++) {
        const until = [0, performance.now() + 0.1, Number.POSITIVE_INFINITY][random.residueAt(i, 3)];
        const spin = random.residueAt(100 + i, 2) === 0 ? 1 : patient; // 1: the next wait starves
        Object.assign(executor.team, { spin, starvation: Object.assign(new Starvation(), { until }) });
        await program.run(i, i + 1);
      }
      expect(await results()).toEqual(expected);
      executor.dispose();
    }
  });

  test('scratch that others make longer, and vectors whose places others take', async () => {
    const expected = await expectedMod(p);
    const executor = await cpu(p, 2);
    const { step, results, a, x } = stepOf(executor);
    const program = executor.compile(step);
    const seen = watchReplays(executor);
    for (let i = 0; i < STEPS; i++) {
      // Every other width takes longer parts, which moves them; the vectors go, and come back as other ones.
      const width = i % 3 === 0 ? 4 : 24 + 4 * i;
      const [v, w] = [filled(executor, a.cols, width, i), filled(executor, a.cols, width, i + 1)];
      const out = executor.blocks(1, width, width);
      executor.blockDot(out, 0, v, w);
      for (const each of [v, w]) executor.release(each);
      executor.releaseBlocks(out);
      const noise = filled(executor, a.cols, 7, i);
      await program.run(i, i + 1);
      executor.release(noise);
    }
    expect(seen.length).toBe(STEPS);
    expect(await results()).toEqual(expected);
    program.free();
    executor.release(x);
    await expect((async () => program.run(0, 1))()).rejects.toThrow('got one that was released');
    executor.dispose();
  });

  test('two programs in turns, of which one is freed', async () => {
    const executor = await cpu(p, 2);
    const { step, asked, results } = stepOf(executor);
    const [one, other] = [executor.compile(step), executor.compile(step)];
    for (let i = 0; i < 6; i++) await (i % 2 ? one : other).run(i, i + 1);
    one.free();
    await other.run(6, 9);
    other.free();
    for (let i = 9; i < STEPS; i++) await asked(i);
    expect(await results()).toEqual(await expectedMod(p));
    executor.dispose();
  });
});

test('what steps lose is told, beside what one of them takes', async () => {
  const executor = await cpu(65521, 2);
  const { step } = stepOf(executor);
  const program = executor.compile(step);
  await program.run(0, 1);
  const told: [lost: number, span: number][] = [];
  const starvation = { until: 0, lose: (lost: number, span: number) => told.push([lost, span]) };
  Object.assign(executor.team, { starvation });
  // Two threads replay; then one command of them has starved, as its kernel says.
  const { team } = executor.team as unknown as { team: { replay: (...words: number[]) => number } };
  const calls: number[][] = [];
  const control = executor.team.memory.i32(0, 1024);
  const replay = (...words: number[]): number => {
    calls.push(words);
    if (words[4] === 1) return words[3]!;
    for (const start = performance.now(); performance.now() - start < 12; );
    control[128] = 3; // waits
    return words[2]! + 2 * words[1]!; // two steps
  };
  Object.assign(executor.team, { team: { ...team, replay } });
  await program.run(1, 3);
  const [, count] = calls[0]!;
  expect(calls.map((words) => words.slice(1))).toEqual([[count, count, 3 * count!, 2, executor.team.spin]]);
  const [[lost, span]] = told as [[number, number]];
  expect(lost).toBe(3);
  expect(span).toBeGreaterThan(4); // (12 − 3) / 2 and more
  // Alone it looks at the clock after every step.
  calls.length = 0;
  told.length = 0;
  starvation.until = Number.POSITIVE_INFINITY;
  await program.run(3, 6);
  expect(calls.map((words) => words.slice(2, 5))).toEqual([3, 4, 5].map((i) => [i * count!, (i + 1) * count!, 1]));
  expect(told).toEqual([]);
  executor.dispose();
});

test('codes of an extension', async () => {
  const results: number[][] = [];
  for (const threads of [1, 2]) {
    const base = await cpu(2, threads);
    const executor = base.over(new ExtensionField(2, 8))! as unknown as Executor;
    const a = executor.operator(named(CASES, 'equal rows of units of either sign')(2));
    const [x, y] = [filled(executor, a.cols, 8, 3), executor.vector(a.rows, 8)];
    const out = executor.blocks(STEPS, 8, 8);
    const step: Call[] = [
      { do: 'apply', map: a, y, x },
      { do: 'apply', map: a, y: x, x: y, transposed: true },
      { do: 'blockDot', out, x, z: x },
    ];
    if (threads === 1) for (let i = 0; i < STEPS; i++) await performAll(executor, step, i);
    else await executor.compile(step).run(0, STEPS);
    results.push([...(await executor.readBlocks(out, 0, STEPS)), ...(await executor.read(x))]);
    executor.dispose();
    base.dispose();
  }
  expect(results[1]).toEqual(results[0]);
});

describe('maps made of others', () => {
  /** Aᵀ·A by its calls, with a vector in between that is another one for every width. */
  function gram(executor: Executor, a: LinearMap & { rows: number }): LinearMap {
    let between = executor.vector(a.rows, 1);
    const calls: NonNullable<LinearMap['calls']> = (y, x) => {
      if (between.width !== x.width) {
        executor.release(between);
        between = executor.vector(a.rows, x.width);
      }
      return [
        { do: 'apply', map: a, y: between, x },
        { do: 'apply', map: a, y, x: between, transposed: true },
      ];
    };
    const apply = async (...[y, x]: Parameters<LinearMap['apply']>): Promise<void> =>
      performAll(executor, calls(y, x, false));
    return { calls, apply, applyTransposed: apply };
  }

  const sequence = async (executor: Executor, wrap: (map: LinearMap) => LinearMap, other: boolean) => {
    const a = executor.operator(named(CASES, 'mixed rows from 14 to 16')(65521));
    const b = wrap(gram(executor, a));
    const [x, y] = [filled(executor, a.cols, 8, 1), executor.vector(a.cols, 8)];
    const [thin, image] = [filled(executor, a.cols, 3, 2), executor.vector(a.cols, 3)];
    const out = executor.blocks(STEPS, 8, 8);
    const program = executor.compile([
      { do: 'apply', map: b, y, x },
      { do: 'apply', map: b, y: x, x: y, transposed: true },
      { do: 'blockDot', out, x, z: y },
    ]);
    for (let i = 0; i < STEPS; i += 3) {
      if (other) await b.apply(image, thin); // takes the vector in between
      await program.run(i, i + 3);
    }
    program.free();
    const blocks = await executor.readBlocks(out, 0, STEPS);
    executor.dispose();
    return [...blocks];
  };

  test('are compiled, also when they are applied to others meanwhile', async () => {
    const reference = new ReferenceExecutor(WordPrime.of(65521)) as unknown as Executor;
    const expected = await sequence(reference, (map) => map, false);
    for (const other of [false, true]) {
      const executor = await cpu(65521, 2);
      const seen = watchReplays(executor);
      expect(await sequence(executor, (map) => map, other)).toEqual(expected);
      expect(seen.length).toBe(STEPS / 3);
    }
  });

  test("are interpreted where one of them is the caller's own or another executor's", async () => {
    const reference = new ReferenceExecutor(WordPrime.of(65521)) as unknown as Executor;
    const expected = await sequence(reference, (map) => map, false);
    const executor = await cpu(65521, 2);
    const seen = watchReplays(executor);
    let products = 0;
    const own = (map: LinearMap): LinearMap => ({
      apply: async (y, x) => {
        products++;
        await map.apply(y, x);
      },
      applyTransposed: (y, x) => map.applyTransposed(y, x),
    });
    expect(await sequence(executor, own, false)).toEqual(expected);
    expect(products).toBe(STEPS);
    expect(seen).toEqual([]);
  });
});

test('`check` is called before steps, and what it throws ends them', async () => {
  for (const executor of [await cpu(101), new ReferenceExecutor(WordPrime.of(101)) as unknown as Executor]) {
    const { step, results } = stepOf(executor);
    const program = executor.compile(step);
    await program.run(0, 1);
    const before = await results();
    const check = (): void => {
      throw new Error('no more');
    };
    await expect((async () => program.run(1, 3, check))()).rejects.toThrow('no more');
    expect(await results()).toEqual(before);
    executor.dispose();
  }
});

test('blocks beyond the last are refused', async () => {
  for (const executor of [await cpu(101), new ReferenceExecutor(WordPrime.of(101)) as unknown as Executor]) {
    const { step } = stepOf(executor);
    await expect((async () => executor.compile(step).run(STEPS - 1, STEPS + 1))()).rejects.toThrow(/block/);
    executor.dispose();
  }
});

test('a step that cannot be settled is interpreted: more lengths than tasks are kept of', async () => {
  const results: number[][] = [];
  for (const compiled of [true, false]) {
    const executor = await cpu(65521);
    const step: Call[] = [];
    const outs = Array.from({ length: 7 }, (_, k) => {
      const out = executor.blocks(2, 2, 3);
      const length = 600 * (k + 1);
      step.push({ do: 'blockDot', out, x: filled(executor, length, 2, k), z: filled(executor, length, 3, k + 1) });
      return out;
    });
    const seen = watchReplays(executor);
    if (compiled) await executor.compile(step).run(0, 2);
    else for (let i = 0; i < 2; i++) await performAll(executor, step, i);
    expect(seen).toEqual([]);
    results.push((await Promise.all(outs.map((out) => executor.readBlocks(out, 0, 2)))).flatMap((words) => [...words]));
    executor.dispose();
  }
  expect(results[0]).toEqual(results[1]);
});

test.each([
  ['cancelled', cancel, 'cancelled'],
  ['poisoned', poison, 'a compute thread died'],
])('a team that was %s does no more of it', async (_, act, message) => {
  const executor = await cpu(65521, 2);
  const { step } = stepOf(executor);
  const program = executor.compile(step);
  await program.run(0, 1);
  act(executor.team.memory.memory);
  expect(() => program.run(1, STEPS)).toThrow(message);
  executor.dispose();
});
