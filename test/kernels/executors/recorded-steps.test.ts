/**
 * Steps done from what was written down leave the same integers as steps asked for one by one, on any number of threads,
 * whatever thread does them; and what cannot be written down is not.
 *
 * Everything that runs comes from dist/: Node 20 starts no worker from TypeScript.
 */
import { describe, expect, test } from 'vitest';
import { ExtensionField } from '../../../dist/fields/extension.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { CpuExecutor } from '../../../dist/kernels/executors/cpu.js';
import { cancel, poison } from '../../../dist/kernels/threads/control-block.js';
import { Starvation } from '../../../dist/kernels/threads/starvation.js';
import { CounterRandom } from '../../../fields/random.js';
import type { Executor, Projection, Recording } from '../../../kernels/executor.js';
import { CASES, type Case, extremes, filled, SUBSTITUTIONS } from './cases.js';

const STEPS = 12;
const WIDTH = 16;

const named = (cases: readonly Case[], wanted: string): Case['matrix'] =>
  cases.find(({ name }) => name === wanted)!.matrix;

/** Everything that may be written down, once a step, on vectors that every step changes. */
function stepsOf(executor: Executor) {
  const { p } = executor.field;
  const a = executor.operator(named(CASES, 'mixed rows from 14 to 16')(p));
  const t = executor.substitution!(named(SUBSTITUTIONS, 'runs long enough to share')(p));
  const [x, y] = [filled(executor, a.cols, WIDTH, 3), filled(executor, a.rows, WIDTH, 4)];
  const [given, solved] = [filled(executor, t.given, WIDTH, 5), executor.vector(t.given + t.steps, WIDTH)];
  const z = executor.vector(a.cols, WIDTH);
  const [d, kept] = [filled(executor, a.rows, 1, 6), executor.vector(a.rows, WIDTH)];
  const left = filled(executor, a.cols, 3, 7);
  const u: Projection = {
    rows: 2,
    layers: 1,
    bounds: Uint32Array.of(0, 3, a.cols),
    coefficients: extremes(a.cols, p, 8),
  };
  const dots = executor.blocks(STEPS, 3, WIDTH);
  const rows = executor.blocks(STEPS, 2, WIDTH);
  const ends = executor.blocks(STEPS, WIDTH, WIDTH);
  const step = async (index: number): Promise<void> => {
    executor.blockDot(dots, index, left, x);
    await a.apply(y, x);
    executor.scale(y, d);
    executor.copy(kept, y);
    await a.applyTransposed(x, kept, p - 1, 1);
    executor.project(rows, index, u, x);
    await t.run(solved, given);
    executor.blockDot(ends, index, solved, solved);
  };
  const left_ = async (): Promise<number[]> => {
    const blocks = await Promise.all([dots, rows, ends].map((each) => executor.readBlocks(each, 0, STEPS)));
    const vectors = await Promise.all([x, y, kept, solved].map((v) => executor.read(v)));
    return [...blocks, ...vectors].flatMap((words) => [...words]);
  };
  return { step, left: left_, a, x, y, z };
}

async function asked(p: number): Promise<number[]> {
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const { step, left } = stepsOf(executor as unknown as Executor);
  for (let i = 0; i < STEPS; i++) await step(i);
  const expected = await left();
  executor.dispose();
  return expected;
}

async function recorded(executor: CpuExecutor, step: (index: number) => Promise<void>): Promise<Recording> {
  const recording = await executor.record(step);
  expect(recording).not.toBeNull();
  return recording!;
}

describe.each([2, 65521, 2147483647])('p = %d', (p) => {
  test.each([1, 2, 3])('%d threads', async (threads) => {
    const expected = await asked(p);
    const executor = await CpuExecutor.create(WordPrime.of(p), { threads });
    const { step, left } = stepsOf(executor as unknown as Executor);
    await step(0); // scratch is there from now on
    const recording = await recorded(executor, step);
    expect(recording.run(1, 2)).toBe(true);
    expect(recording.run(2, 2)).toBe(true);
    await step(2);
    expect(recording.run(3, STEPS)).toBe(true);
    expect(await left()).toEqual(expected);
    executor.dispose();
  });

  test('commands that starve now and then, and threads that go on alone', async () => {
    const expected = await asked(p);
    for (let seed = 0; seed < 6; seed++) {
      const executor = await CpuExecutor.create(WordPrime.of(p), { threads: 2 });
      const { step, left } = stepsOf(executor as unknown as Executor);
      await step(0);
      const recording = await recorded(executor, step);
      const random = new CounterRandom(BigInt(seed), 0);
      const { spin: patient } = executor.team;
      for (let i = 1; i < STEPS; i++) {
        const until = [0, performance.now() + 0.1, Number.POSITIVE_INFINITY][random.residueAt(i, 3)];
        const spin = random.residueAt(100 + i, 2) === 0 ? 1 : patient; // 1: the next wait starves
        Object.assign(executor.team, { spin, starvation: Object.assign(new Starvation(), { until }) });
        expect(recording.run(i, i + 1)).toBe(true);
      }
      expect(await left()).toEqual(expected);
      executor.dispose();
    }
  });
});

test('what steps lose is told, beside what one of them takes', async () => {
  const executor = await CpuExecutor.create(WordPrime.of(65521), { threads: 2 });
  const { step } = stepsOf(executor as unknown as Executor);
  await step(0);
  const recording = await recorded(executor, step);
  const told: [lost: number, span: number][] = [];
  const starvation = { until: 0, lose: (lost: number, span: number) => told.push([lost, span]) };
  Object.assign(executor.team, { starvation, spin: 1 }); // every wait starves, unless the other thread is quick
  const started = performance.now();
  recording.run(1, STEPS);
  const took = performance.now() - started;
  for (const [lost, span] of told) {
    expect(lost).toBeGreaterThanOrEqual(1);
    expect(span).toBeLessThan(took * 20); // of a step, where a command of it was all
  }
  told.length = 0;
  starvation.until = Number.POSITIVE_INFINITY;
  recording.run(1, STEPS);
  expect(told).toEqual([]); // one thread waits for nobody
  executor.dispose();
});

test('codes of an extension', async () => {
  const field = WordPrime.of(2);
  const results: number[][] = [];
  for (const threads of [1, 2]) {
    const base = await CpuExecutor.create(field, { threads });
    const executor = base.over(new ExtensionField(2, 8))!;
    const a = executor.operator(named(CASES, 'equal rows of units of either sign')(2));
    const [x, y] = [filled(executor as unknown as Executor, a.cols, 8, 3), executor.vector(a.rows, 8)];
    const out = executor.blocks(STEPS, 8, 8);
    const step = async (index: number): Promise<void> => {
      await a.apply(y, x);
      await a.applyTransposed(x, y);
      executor.blockDot(out, index, x, x);
    };
    await step(0);
    const recording = threads === 1 ? null : await executor.record(step);
    for (let i = 1; i < STEPS && !recording; i++) await step(i);
    recording?.run(1, STEPS);
    results.push([...executor.readBlocks(out, 0, STEPS), ...executor.read(x)]);
    executor.dispose();
    base.dispose();
  }
  expect(results[1]).toEqual(results[0]);
});

describe('is not written down', () => {
  const refused = async (
    make: (executor: CpuExecutor, parts: ReturnType<typeof stepsOf>) => (index: number) => Promise<void> | void,
  ): Promise<void> => {
    const executor = await CpuExecutor.create(WordPrime.of(65521));
    const parts = stepsOf(executor as unknown as Executor);
    await parts.step(0);
    expect(await executor.record(make(executor, parts))).toBeNull();
    // The next commands are run again.
    const before = await parts.left();
    await parts.step(1);
    expect(await parts.left()).not.toEqual(before);
    executor.dispose();
  };

  test('a step that reads', () =>
    refused(
      (executor, { x }) =>
        () =>
          void executor.read(x as never),
    ));
  test('a step that writes', () =>
    refused(
      (executor, { x }) =>
        () =>
          executor.write(x as never, new Uint32Array(x.length * x.width)),
    ));
  test('a step that allocates', () => refused((executor) => () => void executor.vector(10, 1)));
  test('a step whose coefficients come from the host', () =>
    refused(
      (executor, { x, z }) =>
        () =>
          executor.blockAxpy(z as never, x as never, new Uint32Array(WIDTH * WIDTH)),
    ));
  test('steps that differ in what they do', () =>
    refused(
      (_, { a, x, y }) =>
        async (i) =>
          i === 1 ? a.applyTransposed(x, y) : a.apply(y, x),
    ));
  test('steps that differ in how much they do', () =>
    refused((_, { a, x, y }) => async (i) => {
      for (let k = 0; k <= i; k++) await a.apply(y, x);
    }));
  test('steps whose blocks are not evenly spaced', () =>
    refused((executor, { x }) => {
      const out = executor.blocks(10, WIDTH, WIDTH);
      executor.blockDot(out, 0, x as never, x as never);
      return (i) => executor.blockDot(out, i * i, x as never, x as never);
    }));
});

test('a step that throws leaves a team that runs its commands', async () => {
  const executor = await CpuExecutor.create(WordPrime.of(65521));
  const { step, left } = stepsOf(executor as unknown as Executor);
  await step(0);
  const before = await left();
  await expect(executor.record(() => Promise.reject(new Error('no more')))).rejects.toThrow('no more');
  await step(1);
  expect(await left()).not.toEqual(before);
  executor.dispose();
});

test('nothing is done from what was written down before something was released', async () => {
  const executor = await CpuExecutor.create(WordPrime.of(65521));
  const { step, left } = stepsOf(executor as unknown as Executor);
  const other = executor.vector(10, 1);
  await step(0);
  const recording = await recorded(executor, step);
  expect(recording.run(1, 2)).toBe(true);
  const before = await left();
  executor.release(other);
  expect(recording.run(2, 3)).toBe(false);
  expect(await left()).toEqual(before);
  const last = await recorded(executor, step);
  executor.dispose();
  expect(last.run(2, 3)).toBe(false);
});

test.each([
  ['cancelled', cancel, 'cancelled'],
  ['poisoned', poison, 'a compute thread died'],
])('a team that was %s does no more of it', async (_, act, message) => {
  const executor = await CpuExecutor.create(WordPrime.of(65521), { threads: 2 });
  const { step } = stepsOf(executor as unknown as Executor);
  await step(0);
  const recording = await recorded(executor, step);
  act(executor.team.memory.memory);
  expect(() => recording.run(1, STEPS)).toThrow(message);
  executor.dispose();
});
