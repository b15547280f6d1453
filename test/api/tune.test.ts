/** The library's `tune`: products of the matrix that block Wiedemann takes, and options for the questions about it. */
import { afterAll, expect, test } from 'vitest';
import { createEngine, OptionError, type ProgressEvent, rank, SparseMatrix, StructureError, tune } from 'wiedemann';

/** 60 × 90 of rank 60: two diagonals. */
const WIDE = SparseMatrix.fromTriplets(
  60,
  90,
  Array.from({ length: 120 }, (_, k) => [k >> 1, (k >> 1) + 30 * (k & 1), k % 7 === 0 ? 5 : 1] as const),
);
const SMALL = { threads: 1, budget: 0.02 };
const engine = createEngine();
afterAll(() => engine.dispose());

test.each([2, 3, 5, 7, 101, 65521, 2147483629])('mod %d: a table of products, and options of a rank', async (mod) => {
  const tuned = await engine.tune(WIDE, { mod, ...SMALL });
  const { rows, cols, nnz, transposed, residues, device, threads, budget, products, options } = tuned;
  expect({ rows, cols, nnz, transposed, device, threads, budget }).toEqual({
    ...{ rows: 60, cols: 90, nnz: 120, transposed: true, device: 'cpu', threads: 1, budget: 0.02 },
  });
  expect(residues).toBe(mod === 5 ? 102 : 120);
  expect(products[0]!.seconds).toBeGreaterThan(0);
  expect(products.map(({ storage }) => storage)).toEqual(expect.arrayContaining(['auto', options.storage]));
  expect(options).toMatchObject({ device: 'cpu', threads: 1 });
  const { value } = await engine.rank(WIDE, { mod, method: 'wiedemann', ...options });
  expect(value).toBe((await engine.rank(WIDE, { mod, device: 'reference' })).value);
});

test('fewer threads are timed, and progress is told', async () => {
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent): void => void events.push(event);
  const { products } = await engine.tune(WIDE, { mod: 101, threads: 2, budget: 0.05, onProgress });
  expect(new Set(products.map(({ threads }) => threads))).toEqual(new Set([1, 2]));
  expect(new Set(events.map(({ phase }) => phase))).toEqual(new Set(['storages', 'threads']));
});

test('JSON has the modulus as text, and null for what was not timed', async () => {
  const tuned = await tune(WIDE, { mod: 101, threads: 1, budget: 1e-9 });
  const { mod, products } = JSON.parse(JSON.stringify(tuned));
  expect(mod).toBe('101');
  expect(products.at(-1)).toMatchObject({ seconds: null, repeats: 0 });
});

test('what cannot be tuned is refused in a line', async () => {
  const identity = { rows: 2, cols: 2, apply: (x: Uint32Array) => x };
  const zero = SparseMatrix.fromDense([[7, 0]]);
  const refused = [
    [identity, { mod: 7 }, OptionError, 'tune: expected a matrix, got an operator'],
    [WIDE, { mod: 0 }, OptionError, 'tune: expected a prime modulus, got 0'],
    [WIDE, { mod: 2147483659 }, OptionError, 'tune: expected a prime below 2^31, got 2147483659'],
    [WIDE, { mod: 7, device: 'reference' as const }, OptionError, "device: expected auto, cpu or gpu, got 'reference'"],
    [WIDE, { mod: 7, budget: 0 }, OptionError, 'budget: expected seconds, got 0'],
    [zero, { mod: 7 }, StructureError, 'tune: expected a matrix with entries mod p'],
  ] as const;
  for (const [input, options, kind, line] of refused) {
    const error = await tune(input, options).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toBe(line);
  }
  await expect(rank(WIDE, { mod: 7, budget: 1 } as never)).rejects.toThrow("rank: no option named 'budget'");
});
