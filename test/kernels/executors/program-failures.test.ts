/**
 * Programs whose step throws, whose operands were released, or whose executor is gone: nothing is done in memory of
 * others, and the team goes on.
 *
 * Everything that runs comes from dist/: Node 20 starts no worker from TypeScript.
 */
import { expect, test } from 'vitest';
import { CpuExecutor } from '../../../dist/kernels/executors/cpu.js';
import type { Call, Executor, LinearMap } from '../../../kernels/executor.js';
import { performAll } from '../../../kernels/executors/interpreter.js';
import { filled } from './cases.js';
import { cpu, expectedMod, STEPS, stepOf, WIDTH, watchReplays } from './program-steps.js';

/** How many places of memory the executor has. */
function placesOf(executor: CpuExecutor): number {
  return (executor as unknown as { arena: { held: Set<number> } }).arena.held.size;
}

test('a step that throws in its middle leaves a team that runs its commands', async () => {
  const executor = await cpu(65521, 2);
  const { step, results } = stepOf(executor);
  const [v, w] = [executor.vector(3, 1), executor.vector(3, 1)];
  let products = 0;
  const throwing: LinearMap = {
    apply: () => {
      if (products++ === 1) throw new Error('no more');
    },
    applyTransposed: () => undefined,
  };
  const middle = 3;
  const own: Call = { do: 'apply', map: throwing, y: v, x: w };
  const program = executor.compile([...step.slice(0, middle), own, ...step.slice(middle)]);
  await expect((async () => program.run(0, STEPS))()).rejects.toThrow('no more');
  expect(products).toBe(2);
  // Step 1 stands where it stopped.
  await performAll(executor, step.slice(middle), 1);
  const seen = watchReplays(executor);
  await executor.compile(step).run(2, STEPS);
  expect(seen).toEqual([[2, STEPS]]);
  expect(await results()).toEqual(await expectedMod(65521));
  executor.dispose();
});

test('a step whose middle cannot be compiled does nothing of it, and gives back what it took', async () => {
  const executor = await cpu(65521, 2);
  const { step, results, x } = stepOf(executor);
  const program = executor.compile(step);
  await program.run(0, 1);
  const before = await results();
  const thin = executor.blocks(STEPS, 2, 2);
  const places = placesOf(executor);
  for (let times = 0; times < 3; times++) {
    const wrong = executor.compile([...step, { do: 'blockDot', out: thin, x, z: x }, ...step]);
    await expect((async () => wrong.run(1, 3))()).rejects.toThrow('expected');
    expect(await results()).toEqual(before);
    wrong.free();
    const right = executor.compile(step);
    await right.run(0, 0);
    right.free();
  }
  await program.run(1, STEPS);
  expect(await results()).toEqual(await expectedMod(65521));
  expect(placesOf(executor)).toBe(places);
  executor.dispose();
});

test('programs that were freed hold no place of memory', async () => {
  const executor = await cpu(65521);
  const { step } = stepOf(executor);
  await performAll(executor, step); // takes scratch
  const places = placesOf(executor);
  for (let times = 0; times < 3; times++) {
    const program = executor.compile(step);
    await program.run(0, 2);
    expect(placesOf(executor)).toBeGreaterThan(places);
    program.free();
    program.free();
    expect(placesOf(executor)).toBe(places);
  }
  executor.dispose();
});

test.each<[string, (executor: Executor, parts: ReturnType<typeof stepOf>) => void]>([
  ['an operator', (_, { a }) => a.free!()],
  ['a substitution', (_, { t }) => t.free!()],
  ['blocks', (executor, { dots }) => executor.releaseBlocks(dots)],
])('nothing is done from commands made before their operand was released: %s', async (_, release) => {
  const executor = await cpu(65521);
  const parts = stepOf(executor);
  const { step, x, y } = parts;
  const vectors = async (): Promise<number[][]> => Promise.all([x, y].map(async (v) => [...(await executor.read(v))]));
  const program = executor.compile(step);
  await program.run(0, 1);
  const before = await vectors();
  const places = placesOf(executor);
  release(executor, parts);
  const left = placesOf(executor);
  expect(left).toBeLessThan(places);
  // Others take the places, which stay theirs.
  const others = Array.from({ length: places - left }, (_, k) => filled(executor, 700, WIDTH, k));
  const numbers = await Promise.all(others.map((v) => executor.read(v)));
  await expect((async () => program.run(1, 2))()).rejects.toThrow('released');
  expect(await vectors()).toEqual(before);
  try {
    release(executor, parts);
  } catch (error) {
    expect(String(error)).toContain('released');
  }
  expect(placesOf(executor)).toBeGreaterThanOrEqual(places);
  expect(await Promise.all(others.map((v) => executor.read(v)))).toEqual(numbers);
  executor.dispose();
});

test('a vector whose multipliers a program keeps is released: another one at its place has its own', async () => {
  const executor = await cpu(65521);
  const x = filled(executor, 40, 3, 1);
  const [z, out] = [filled(executor, 40, WIDTH, 2), executor.blocks(2, 3, WIDTH)];
  const program = executor.compile([{ do: 'blockDot', out, x, z }]);
  await program.run(0, 1);
  const placeOf = (v: unknown): number => (v as { at: number }).at;
  const place = placeOf(x);
  executor.release(x);
  const other = filled(executor, 40, 3, 5);
  expect(placeOf(other)).toBe(place);
  executor.blockDot(out, 1, other, z);
  const elsewhere = filled(executor, 40, 3, 5);
  const expected = executor.blocks(1, 3, WIDTH);
  executor.blockDot(expected, 0, elsewhere, z);
  expect(await executor.readBlocks(out, 1, 1)).toEqual(await executor.readBlocks(expected, 0, 1));
  await expect((async () => program.run(1, 2))()).rejects.toThrow('released');
  executor.dispose();
});

test('blocks that a map writes by its calls are written within their number', async () => {
  const executor = await cpu(65521);
  const [x, z] = [filled(executor, 40, 3, 1), filled(executor, 40, WIDTH, 2)];
  const out = executor.blocks(2, 3, WIDTH);
  const behind = filled(executor, 3, WIDTH, 3);
  const before = await executor.read(behind);
  const idle = (): void => undefined;
  const calls = (): Call[] => [{ do: 'blockDot', out, x, z }];
  const map: LinearMap = { apply: idle, applyTransposed: idle, calls };
  const program = executor.compile([{ do: 'apply', map, y: x, x: z }]);
  await program.run(0, 2);
  await expect((async () => program.run(1, 3))()).rejects.toThrow('expected blocks inside 0…2, got 2 from 1');
  expect(await executor.read(behind)).toEqual(before);
  executor.dispose();
});

test('an executor that was disposed of does nothing in memory that others have taken', async () => {
  const owner = await cpu(65521);
  const made = new CpuExecutor(owner.field, owner.team) as CpuExecutor & Executor;
  const { step } = stepOf(made);
  const program = made.compile(step);
  await program.run(0, 1);
  made.dispose();
  const bytes = owner.vector(200_000, WIDTH); // longer than all that has been released
  const others = Array.from({ length: 12 }, (_, k) => filled(owner, 150, WIDTH, k));
  const numbers = await Promise.all([bytes, ...others].map((v) => owner.read(v)));
  await expect((async () => program.run(1, 2))()).rejects.toThrow('disposed');
  expect(() => made.vector(1, 1)).toThrow('disposed');
  program.free();
  expect(await Promise.all([bytes, ...others].map((v) => owner.read(v)))).toEqual(numbers);
  owner.dispose();
});
