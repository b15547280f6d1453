/** Factors of the library: many systems, kernels and the determinant of one matrix, and the end of them. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createEngine,
  type Engine,
  EngineError,
  EntryError,
  factor,
  OptionError,
  SparseMatrix,
  StructureError,
} from '../../dist/src/index.js';

const BIG = 2n ** 61n - 1n;
const SQUARE = SparseMatrix.fromDense([
  [2, 0, 1],
  [0, 3, 0],
  [1, 0, 1],
]); // determinant 3
/** Row 3 is the sum of the others. */
const SINGULAR = SparseMatrix.fromDense([
  [1, 2, 0, 1],
  [0, 1, 1, 0],
  [1, 3, 1, 1],
]);

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ threads: 1 });
});
afterAll(() => engine.dispose());

const numbers = (x: ArrayLike<number | bigint> | null): bigint[] => Array.from(x ?? [], BigInt);
const modulo = (x: readonly bigint[], p: bigint): bigint[] => x.map((value) => ((value % p) + p) % p);

describe.each([7n, 65521n, 2147483629n, BIG])('mod %s', (mod) => {
  test('rank, determinant and systems from both sides, one after another and at once', async () => {
    const factors = await engine.factor(SQUARE, { mod });
    expect(factors).toMatchObject({ rows: 3, cols: 3, mod, rank: 3 });
    expect(factors.det()).toBe(3n);
    const sides = [
      [1, 2, 3],
      [0, 0, 5],
      [6, 1, 0],
    ];
    const solved = await Promise.all(sides.flatMap((b) => [factors.solve(b), factors.solveTransposed(b)] as const));
    solved.forEach(({ value, kind }, k) => {
      const a = k % 2 === 0 ? SQUARE : SQUARE.transpose();
      expect(kind).toBe('proved');
      expect(modulo(a.multiply(numbers(value)), mod)).toEqual(sides[k >> 1]!.map((y) => BigInt(y) % mod));
    });
    expect((await factors.nullspace()).dimension).toBe(0);
    await factors.dispose();
  });

  test('what has no solution is refuted from both sides; kernels', async () => {
    await using factors = await engine.factor(SINGULAR, { mod });
    expect(factors.rank).toBe(2);
    const { value, inconsistent } = await factors.solve([1, 1, 1]);
    expect(value).toBeNull();
    const u = numbers(inconsistent!.certificate);
    expect(modulo(SINGULAR.transpose().multiply(u), mod)).toEqual([0n, 0n, 0n, 0n]);
    expect(modulo([u[0]! + u[1]! + u[2]!], mod)).not.toEqual([0n]);
    // Column 4 is column 1.
    const transposed = await factors.solveTransposed([1, 0, 0, 0]);
    const v = numbers(transposed.inconsistent!.certificate);
    expect(modulo(SINGULAR.multiply(v), mod)).toEqual([0n, 0n, 0n]);
    expect(modulo([v[0]!], mod)).not.toEqual([0n]);
    for (const left of [false, true]) {
      const kernel = await factors.nullspace({ left });
      const whole = await engine.nullspace(SINGULAR, { mod, left });
      expect(kernel.dimension).toBe(left ? 1 : 2);
      expect(kernel.value!.equals(whole.value!)).toBe(true);
    }
    const random = await factors.nullspace({ vectors: 4, seed: 3 });
    expect(random.value!.rows).toBe(4);
  });
});

test('random solutions differ by the seed', async () => {
  const factors = await engine.factor(SINGULAR, { mod: 65521 });
  const draw = async (seed: number) => String((await factors.solve([1, 0, 1], { random: true, seed })).value);
  expect(await draw(1)).toBe(await draw(1));
  expect(await draw(1)).not.toBe(await draw(2));
  await factors.dispose();
});

test('factor() has threads of its own until it is disposed of', async () => {
  const factors = await factor(SQUARE, { mod: 101 });
  expect(numbers((await factors.solve([3, 3, 2])).value)).toEqual([1n, 1n, 1n]);
  await factors.dispose();
  await factors.dispose();
  await expect(factors.solve([3, 3, 2])).rejects.toThrow('factors: expected living ones, these were disposed of');
});

test('factors of one engine are no others, and go with it', async () => {
  const own = createEngine({ threads: 1 });
  const [one, other] = [await own.factor(SQUARE, { mod: 101 }), await own.factor(SINGULAR, { mod: 7 })];
  expect([one.rank, other.rank]).toEqual([3, 2]);
  await one.dispose();
  await expect(one.nullspace()).rejects.toThrow(EngineError);
  expect((await other.nullspace()).dimension).toBe(2);
  await own.dispose();
  await expect(other.nullspace()).rejects.toThrow(EngineError);
});

test('factors are lost with a cancelled question, in one line; the engine lives', async () => {
  const own = createEngine({ threads: 1 });
  const factors = await own.factor(SINGULAR, { mod: 101 });
  const ending = new AbortController();
  const onVectors = (): Promise<void> => {
    ending.abort(new Error('enough'));
    return new Promise(() => {});
  };
  await expect(factors.nullspace({ onVectors, signal: ending.signal })).rejects.toThrow('enough');
  const lost: Error = await factors.solve([1, 0, 1]).then(
    () => expect.unreachable(),
    (error) => error,
  );
  expect(lost).toBeInstanceOf(EngineError);
  expect(lost.message).toBe('factors: the thread that kept them has ended; factor the matrix again');
  expect((await own.factor(SINGULAR, { mod: 101 })).rank).toBe(2);
  await own.dispose();
});

test('what cannot be is refused in one line', async () => {
  const factors = await engine.factor(SINGULAR, { mod: 7 });
  expect(() => factors.det()).toThrow(new StructureError('det: expected a square matrix, got 3 x 4'));
  await expect(factors.solve([1, 2])).rejects.toThrow('solve: expected right sides of 3 rows, got 2');
  await expect(factors.solveTransposed([1, 2, 3])).rejects.toThrow('solve: expected right sides of 4 rows, got 3');
  await expect(factors.solve(['1/7', 0, 0])).rejects.toThrow(EntryError);
  await expect(factors.solve([1, 0, 1], { left: true } as never)).rejects.toThrow("no option named 'left'");
  await expect(engine.factor(SINGULAR, { mod: 0 })).rejects.toThrow(OptionError);
  await expect(factor({ rows: 1, cols: 1, apply: (x) => x }, { mod: 7 })).rejects.toThrow('expected a matrix');
  await factors.dispose();
});
