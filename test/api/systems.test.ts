/** solve and nullspace of the library: answers by eye and by law, forms of b, batches, refusals, the end of a run. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createEngine,
  type Engine,
  EngineError,
  EntryError,
  type KernelVectors,
  nullspace,
  OptionError,
  SparseMatrix,
  StructureError,
  solve,
} from '../../dist/src/index.js';

const BIG = 2n ** 61n - 1n;

/** Row 2 is twice row 1. */
const SINGULAR = SparseMatrix.fromDense([
  [1, 0, -1, 0],
  [2, 0, -2, 0],
  [0, 3, 0, 5],
]);

let engine: Engine;
beforeAll(() => {
  engine = createEngine({ threads: 1 });
});
afterAll(() => engine.dispose());

const numbers = (x: ArrayLike<number | bigint> | null): bigint[] => Array.from(x ?? [], BigInt);

describe('solve', () => {
  test.each([7, 65521, 2147483629, BIG])('mod %s: a solution of A·x = b, proved', async (mod) => {
    const b = [3, 6, 4];
    const outcome = await engine.solve(SINGULAR, b, { mod });
    expect(outcome).toMatchObject({ kind: 'proved', rightSides: 1, inconsistent: null, rows: 3, cols: 4 });
    expect(outcome.value).toHaveLength(4);
    const product = SINGULAR.multiply(numbers(outcome.value));
    expect(product.map((y, i) => (y - BigInt(b[i]!)) % BigInt(mod))).toEqual([0n, 0n, 0n]);
  });

  test.each([5, 65521, BIG])('mod %s: a column without solution is refuted', async (mod) => {
    const b = SparseMatrix.fromDense([
      [3, 1],
      [6, 1],
      [4, 0],
    ]);
    const outcome = await engine.solve(SINGULAR, b, { mod });
    expect(outcome).toMatchObject({ kind: 'proved', value: null, rightSides: 2, inconsistent: { column: 1 } });
    const u = numbers(outcome.inconsistent!.certificate);
    const p = BigInt(mod);
    expect(
      SINGULAR.transpose()
        .multiply(u)
        .map((y) => y % p),
    ).toEqual([0n, 0n, 0n, 0n]);
    expect((u[0]! + u[1]!) % p).not.toBe(0n);
  });

  test('b in every form is the same b', async () => {
    const a = SparseMatrix.fromDense([
      [2, 0],
      [0, 4],
    ]);
    for (const b of [
      [1, 3],
      [1n, '3'],
      Uint32Array.of(1, 3),
      Float64Array.of(1, 3),
      BigInt64Array.of(1n, 3n) as never,
      SparseMatrix.fromDense([[1], [3]]),
      structuredClone(SparseMatrix.fromDense([[1], [3]]).toParts()),
      ['8/8', '9/3'],
    ]) {
      const { value } = await engine.solve(a, b, { mod: 101 });
      expect(numbers(value)).toEqual([51n, 26n]); // 2·51 = 102, 4·26 = 104
    }
  });

  test('B and X are read row by row', async () => {
    const a = SparseMatrix.fromDense([
      [1, 0],
      [0, 2],
      [0, 0],
    ]);
    const B = [
      [5, 6, 7],
      [8, 10, 12],
      [0, 0, 0],
    ];
    const { value, rightSides } = await engine.solve(a, SparseMatrix.fromDense(B), { mod: 101 });
    expect(rightSides).toBe(3);
    expect(numbers(value)).toEqual([5n, 6n, 7n, 4n, 5n, 6n]);
  });

  test('what is written to b later changes nothing', async () => {
    const b = Uint32Array.of(3, 6, 4);
    const asked = engine.solve(SINGULAR, b, { mod: 101 });
    b.fill(77);
    expect((await asked).inconsistent).toBeNull();
  });

  test('random solutions differ with the seed, and all solve', async () => {
    const seen = new Set<string>();
    for (const seed of [1, 2, 3, 4, 4]) {
      const { value } = await engine.solve(SINGULAR, [3, 6, 4], { mod: 65521, random: true, seed });
      expect(Array.from(SINGULAR.multiply(numbers(value), { mod: 65521 }))).toEqual([3, 6, 4]);
      seen.add(String(value));
    }
    expect(seen.size).toBe(4);
  });

  test.each([
    [0, 0, 0, 0],
    [0, 3, 0, 3],
    [3, 0, 0, 0],
    [2, 2, 0, 2],
  ])('%i x %i without entries', async (rows, cols, rank, dimension) => {
    const a = SparseMatrix.fromTriplets(rows, cols, []);
    for (const mod of [2, BIG]) {
      const { value } = await engine.solve(a, new Uint32Array(rows), { mod });
      expect(numbers(value)).toEqual(new Array(cols).fill(0n));
      expect(await engine.nullspace(a, { mod })).toMatchObject({ rank, dimension, kind: 'proved' });
      if (rows > 0) {
        const { inconsistent } = await engine.solve(a, [1, ...new Array(rows - 1).fill(0)], { mod });
        expect(inconsistent?.column).toBe(0);
      }
    }
  });

  test('no right side at all is solved by nothing', async () => {
    const outcome = await engine.solve(SINGULAR, SparseMatrix.fromTriplets(3, 0, []), { mod: 7 });
    expect(outcome).toMatchObject({ kind: 'proved', rightSides: 0, inconsistent: null });
    expect(outcome.value).toHaveLength(0);
  });
});

test('over Q: numerators over a denominator a column, of the coordinates wanted', async () => {
  const a = SparseMatrix.fromDense([
    [2, 1],
    [1, '3/2'],
  ]); // determinant 2
  const B = SparseMatrix.fromDense([
    [1, 4],
    [0, 2],
  ]);
  const outcome = await engine.solve(a, B, { mod: 0 });
  expect(outcome).toMatchObject({ kind: 'proved', mod: 0n, rightSides: 2, inconsistent: null });
  expect(outcome.value).toEqual({ numerators: [3n, 2n, -2n, 0n], denominators: [4n, 1n] });
  const part = await solve(a, [1, 0], { mod: 0n, coordinates: [1] });
  expect(part.value).toEqual({ numerators: [-1n], denominators: [2n] });
  const singular = await engine.solve(SparseMatrix.fromDense([[0]]), [1], { mod: 0 });
  expect(singular).toMatchObject({ kind: 'proved', value: null, inconsistent: { column: 0, certificate: [1n] } });
  const unmet = await engine.solve(SparseMatrix.fromDense([[0]]), [1], { mod: 0, method: 'numeric' });
  expect(unmet).toMatchObject({ kind: 'oneSided', value: null, inconsistent: null });
  for (const [options, words] of [
    [{ mod: 0, random: true }, 'random: expected a prime modulus'],
    [{ mod: 0, method: 'hybrid' }, 'method over Q: expected auto, lifting, numeric'],
    [{ mod: 7, method: 'lifting' }, 'method: expected auto'],
    [{ mod: 0, coordinates: [0.5] }, 'coordinates: expected an array of column numbers'],
    [{ mod: 0, coordinates: [2] }, 'coordinates: expected unknowns up to 2, counted from 1, got 3'],
  ] as const)
    await expect(engine.solve(a, [1, 0], options)).rejects.toThrow(words);
});

describe('nullspace', () => {
  test.each([2, 7, 65521, BIG])('mod %s: a basis, from the right and from the left', async (mod) => {
    for (const left of [false, true]) {
      const a = left ? SINGULAR.transpose() : SINGULAR;
      const outcome = await engine.nullspace(SINGULAR, { mod, left });
      const rank = outcome.rank!;
      expect(rank).toBe((await engine.rank(SINGULAR, { mod })).value);
      const dimension = a.cols - rank;
      expect(outcome).toMatchObject({ kind: 'proved', dimension, vectors: dimension, lowerBound: dimension });
      const basis = outcome.value!;
      expect([basis.rows, basis.cols]).toEqual([dimension, a.cols]);
      expect(outcome.freeLines).toHaveLength(dimension);
      for (let k = 0; k < dimension; k++) {
        const vector = Array.from({ length: a.cols }, (_, j) => basis.get(k, j) as number);
        expect(a.multiply(vector).every((y) => y % BigInt(mod) === 0n)).toBe(true);
        expect(Array.from(outcome.freeLines, (j) => Number(vector[j]))).toEqual(
          Array.from(outcome.freeLines, (_, l) => (l === k ? 1 : 0)),
        );
      }
    }
  });

  test('random vectors, as many as are asked for, by the seed', async () => {
    const draw = async (seed: number) => (await engine.nullspace(SINGULAR, { mod: 65521, vectors: 3, seed })).value!;
    const [one, again, other] = [await draw(1), await draw(1), await draw(2)];
    expect([one.rows, one.equals(again), one.equals(other)]).toEqual([3, true, false]);
    for (const column of [0, 1, 2]) {
      const vector = Array.from({ length: 4 }, (_, j) => one.get(column, j) as number);
      expect(Array.from(SINGULAR.multiply(vector, { mod: 65521 }))).toEqual([0, 0, 0]);
    }
  });

  test('batches come in order, one at a time, and make the basis', async () => {
    const n = 8000; // entries enough for some batches
    const wide = SparseMatrix.fromTriplets(40, n, { ...incidence(40, n) });
    const basis = (await engine.nullspace(wide, { mod: 101 })).value!.toCsr();
    const batches: KernelVectors[] = [];
    let busy = 0;
    const outcome = await engine.nullspace(wide, {
      mod: 101,
      onVectors: async (batch) => {
        expect(++busy).toBe(1);
        await new Promise((resolve) => setTimeout(resolve, 5));
        busy--;
        batches.push(batch);
      },
    });
    expect(outcome.value).toBeNull();
    expect(batches.length).toBeGreaterThan(1);
    let from = 0;
    for (const batch of batches) {
      expect(batch).toMatchObject({ from, total: outcome.dimension, length: n });
      const [at, end] = [basis.rowPtr[from]!, basis.rowPtr[from + batch.count]!];
      expect(Array.from(batch.rowPtr, (k) => at + k)).toEqual(
        Array.from(basis.rowPtr.slice(from, from + batch.count + 1)),
      );
      expect(batch.colIdx).toEqual(basis.colIdx.slice(at, end));
      expect(Array.from<number | bigint>(batch.values)).toEqual(Array.from(basis.values.slice(at, end)));
      from += batch.count;
    }
    expect(from).toBe(outcome.dimension);
  });

  test('a listener that throws ends the run with its error, and the engine lives', async () => {
    const onVectors = (): never => {
      throw new RangeError('mine');
    };
    await expect(engine.nullspace(SINGULAR, { mod: 7, onVectors })).rejects.toThrow(new RangeError('mine'));
    expect((await engine.nullspace(SINGULAR, { mod: 7 })).dimension).toBe(2);
  });

  test('a listener that asks the engine which waits for it is told so', async () => {
    const onVectors = async (): Promise<void> => {
      await engine.rank(SINGULAR, { mod: 7 });
    };
    await expect(engine.nullspace(SINGULAR, { mod: 7, onVectors })).rejects.toThrow(EngineError);
  });
});

/** A column in three rows each, but no two columns alike in values. */
function incidence(rows: number, cols: number) {
  const [rowIdx, colIdx, values]: [number[], number[], number[]] = [[], [], []];
  for (let j = 0; j < cols; j++) {
    for (let k = 0; k < 3; k++) {
      rowIdx.push((j * (k + 1) + k * 7) % rows);
      colIdx.push(j);
      values.push(1 + ((j * 31 + k * 17) % 97));
    }
  }
  return { rowIdx, colIdx, values };
}

test('outcomes are plain in JSON', async () => {
  const refuted = JSON.parse(JSON.stringify(await solve(SINGULAR, [1, 0, 0], { mod: 7 })));
  expect(refuted).toMatchObject({ value: null, inconsistent: { column: 0, certificate: expect.any(Array) } });
  const kernel = JSON.parse(JSON.stringify(await nullspace(SINGULAR, { mod: BIG })));
  expect(kernel).toMatchObject({ dimension: 2, value: { rows: 2, cols: 4, colIdx: expect.any(Array) } });
});

describe('refused in one line', () => {
  const cycle = { rows: 3, cols: 3, apply: (x: Uint32Array) => x };
  test.each([
    ['b too short', () => solve(SINGULAR, [1, 2], { mod: 7 }), StructureError, 'expected right sides of 3 rows, got 2'],
    ['no b', () => solve(SINGULAR, undefined as never, { mod: 7 }), OptionError, 'b: expected an array of numbers'],
    ['b is text', () => solve(SINGULAR, '123' as never, { mod: 7 }), OptionError, "or a matrix, got '123'"],
    ['a number of b', () => solve(SINGULAR, [1, 2, 'x'], { mod: 7 }), EntryError, "got 'x'"],
    ['a denominator', () => solve(SINGULAR, [1, '1/7', 0], { mod: 7 }), EntryError, 'right sides: entry (2, 1) = 1/7'],
    ['an operator', () => solve(cycle, [1, 2, 3], { mod: 7 }), OptionError, 'expected a matrix, got an operator'],
    ['its kernel', () => nullspace(cycle, { mod: 7 }), OptionError, 'expected a matrix, got an operator'],
    ['an option', () => solve(SINGULAR, [1, 2, 3], { mod: 7, left: true } as never), OptionError, "named 'left'"],
    ['a count', () => nullspace(SINGULAR, { mod: 7, vectors: 1.5 }), OptionError, 'vectors: expected an integer'],
    ['a listener', () => nullspace(SINGULAR, { mod: 7, onVectors: 1 as never }), OptionError, 'onVectors: expected'],
    ['no options', () => nullspace(SINGULAR, undefined as never), OptionError, 'mod: expected a prime'],
  ])('%s', async (_, ask, kind, words) => {
    const error: Error = await ask().then(
      () => expect.unreachable(),
      (error) => error,
    );
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('\n');
  });
});

test('a signal ends the wait for a listener', async () => {
  const ending = new AbortController();
  const onVectors = (): Promise<void> => {
    setTimeout(() => ending.abort(new Error('enough')), 10);
    return new Promise(() => {});
  };
  await expect(nullspace(SINGULAR, { mod: 7, onVectors, signal: ending.signal })).rejects.toThrow('enough');
});
