/** The library's `tune`: products of the matrix that block Wiedemann takes, and options for the questions about it. */
import { availableParallelism } from 'node:os';
import { afterAll, expect, test } from 'vitest';
import { createEngine, OptionError, type ProgressEvent, rank, SparseMatrix, StructureError, tune } from 'wiedemann';

/** n × 3n/2 of rank n: two diagonals. */
function wide(n: number): SparseMatrix {
  const entryOf = (k: number) => [k >> 1, (k >> 1) + (n / 2) * (k & 1), k % 7 === 0 ? 5 : 1] as const;
  return SparseMatrix.fromTriplets(
    n,
    (3 * n) / 2,
    Array.from({ length: 2 * n }, (_, k) => entryOf(k)),
  );
}

const WIDE = wide(60);
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
  expect(new Set(events.map(({ phase }) => phase))).toEqual(new Set(['storages', 'sizes', 'threads']));
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
    [WIDE, { mod: 7, budget: 0 }, OptionError, 'budget: expected seconds, more than 0, got 0'],
    [zero, { mod: 7 }, StructureError, 'tune: expected a matrix with entries mod p, got none'],
  ] as const;
  for (const [input, options, kind, line] of refused) {
    const error = await tune(input, options).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(kind);
    expect((error as Error).message).toBe(line);
  }
  await expect(rank(WIDE, { mod: 7, budget: 1 } as never)).rejects.toThrow("rank: no option named 'budget'");
});

/** What was kept, and what a question says of it. */
async function explained(
  store: Map<string, string>,
  options: object = {},
  matrix: SparseMatrix = WIDE,
): Promise<readonly string[]> {
  const outcome = await engine.rank(matrix, { mod: 101, method: 'wiedemann', tuning: store, ...options });
  expect(outcome.value).toBe(matrix.rows);
  return outcome.explanation.filter((line) => line.startsWith('tuned: '));
}

test('a choice is kept in a store, and rank, minpoly and det take it from there', async () => {
  const store = new Map<string, string>();
  const { warnings } = await engine.tune(WIDE, { mod: 101, budget: 0.02, threads: 1, tuning: store });
  expect([warnings, store.size]).toEqual([[], 1]);
  const [[key, text]] = [...store] as [[string, string]];
  const kept = { ...JSON.parse(text), storage: 'coo-s' };
  store.set(key, JSON.stringify(kept));
  const lines = await explained(store, { threads: 1 });
  expect(lines).toEqual([`tuned: storage coo-s, threads 1, as was kept for ${key}`]);
  // Other threads, another field, another storage by name, none at all: nothing is known, or wanted.
  for (const options of [{}, { mod: 65521 }, { storage: 'csr', threads: 1 }, { tuning: false, threads: 1 }])
    expect(await explained(store, options)).toEqual([]);

  const square = WIDE.submatrix(
    null,
    Array.from({ length: 60 }, (_, j) => j),
  );
  const asked = { mod: 101, budget: 0.02, tuning: store };
  await engine.tune(square, asked);
  const own = { mod: 101, tuning: store };
  expect((await engine.minpoly(square, own)).explanation).toContainEqual(expect.stringMatching(/^tuned: storage /));
  const found = await engine.det(square, { ...own, method: 'wiedemann' });
  expect(found.explanation).toContainEqual(expect.stringMatching(/^tuned: storage /));
  expect(found.value).toBe((await engine.det(square, { mod: 101, device: 'reference' })).value);
});

test('rank takes the block shape of a choice, but where memory is limited', async () => {
  const store = new Map<string, string>();
  await engine.tune(WIDE, { mod: 65521, budget: 0.02, threads: 1, tuning: store });
  const [[key, text]] = [...store] as [[string, string]];
  const ask = async (options: object = {}) => {
    const asked = { mod: 65521, method: 'wiedemann', threads: 1, tuning: store, ...options } as const;
    const { value, block, explanation } = await engine.rank(WIDE, asked);
    expect(value).toBe(WIDE.rows);
    return { block, said: explanation.some((line) => line.startsWith('tuned: ') && line.includes(', block 6x3,')) };
  };
  expect(await ask()).toEqual({ block: [8, 4], said: false });
  store.set(key, JSON.stringify({ ...JSON.parse(text), block: [6, 3] }));
  expect(await ask()).toEqual({ block: [6, 3], said: true });
  expect(await ask({ block: [4, 2] })).toMatchObject({ block: [4, 2] });
  expect(await ask({ maxMemory: 1e9 })).toMatchObject({ block: [8, 4] });
});

test('rank takes the sizes of a choice, with the storage of it or the one that is chosen', async () => {
  const store = new Map<string, string>();
  const asked = { mod: 101, budget: 0.02, threads: 1, tuning: store };
  const { sizes } = await engine.tune(WIDE, asked);
  const [[key, text]] = [...store] as [[string, string]];
  expect(JSON.parse(text).sizes).toEqual(sizes);
  const keep = (choice: object) => store.set(key, JSON.stringify({ ...JSON.parse(text), ...choice }));
  for (const storage of ['auto', 'csr-sorted']) {
    keep({ storage, sizes: { window: 64 } });
    const said = `tuned: storage ${storage}, window 64, threads 1, as was kept for ${key}`;
    expect(await explained(store, { threads: 1 })).toEqual([said]);
    expect(await explained(store, { threads: 1, tuning: false })).toEqual([]);
  }
});

test('a kept storage without room is not taken, and said not to be', async () => {
  const store = new Map<string, string>();
  const matrix = wide(400);
  await engine.tune(matrix, { mod: 101, budget: 0.02, threads: 1, tuning: store });
  const [[key, text]] = [...store] as [[string, string]];
  store.set(key, JSON.stringify({ ...JSON.parse(text), storage: 'dense' }));
  // 400 × 600 places in both directions are 3.7 MB (of 1024).
  expect(await explained(store, { threads: 1, maxMemory: 3e6 }, matrix)).toContainEqual(
    expect.stringMatching(/^tuned: storage dense is not used: storage dense takes about 3.7 MB .* allowed are/),
  );
});

test('no more threads are taken than the choice that was kept has', async () => {
  const large = SparseMatrix.fromTriplets(
    6000,
    6000,
    Array.from({ length: 60_000 }, (_, k) => [k % 6000, (k * 7 + (k >> 8)) % 6000, 1 + (k % 90)] as const),
  );
  const store = new Map<string, string>();
  await engine.tune(large, { mod: 101, budget: 0.1, tuning: store });
  const [[key, text]] = [...store] as [[string, string]];
  const ask = async (threads: number): Promise<number> => {
    store.set(key, JSON.stringify({ ...JSON.parse(text), threads }));
    const own = createEngine();
    const asked = { mod: 101, method: 'wiedemann' as const, atLeast: 1, verify: false, tuning: store };
    const outcome = await own.rank(large, asked);
    await own.dispose();
    return outcome.threads;
  };
  expect(await ask(1)).toBe(1);
  expect(await ask(200)).toBe(Math.min(availableParallelism(), 32));
});

test.each([
  ['cut off', (text: string) => text.slice(0, -20)],
  ['zeros', () => '\0'.repeat(400)],
  ['of another version', (text: string) => text.replace('"version":2', '"version":1').replace('"sizes":{},', '')],
  ['of another key', (text: string) => text.replace('"key":"cpu', '"key":"xpu')],
  ['with a storage that there is not', (text: string) => text.replace(/"storage":"[\w-]+"/, '"storage":"paper"')],
  ['with compiled rows', (text: string) => text.replace(/"storage":"[\w-]+"/, '"storage":"jit"')],
  ['with no threads', (text: string) => text.replace(/"threads":\d+/, '"threads":0')],
  ['with a block of no columns', (text: string) => text.replace('"products"', '"block":[32,0],"products"')],
  ['with a size that there is not', (text: string) => text.replace('"sizes":{}', '"sizes":{"window":48}')],
  ['with sizes that are none', (text: string) => text.replace('"sizes":{}', '"sizes":7')],
  ['no object', () => 'null'],
])('a kept text that is %s is dropped, and said to be', async (_, damage) => {
  const store = new Map<string, string>();
  await engine.tune(WIDE, { mod: 101, budget: 0.02, threads: 1, tuning: store });
  const [[key, text]] = [...store] as [[string, string]];
  const usual = JSON.stringify({ ...JSON.parse(text), sizes: {} });
  expect(damage(usual)).not.toBe(usual);
  store.set(key, damage(usual));
  const lines = await explained(store, { threads: 1 });
  expect(lines).toEqual(['tuned: a choice that was kept is damaged or of another version, and dropped']);
  expect(store.size).toBe(0);
});

test('a store that fails costs a line, not the answer', async () => {
  const fail = (): never => {
    throw new Error('the disk is gone');
  };
  const store = { get: fail, set: fail, delete: fail } as unknown as Map<string, string>;
  expect(await explained(store)).toEqual(['tuned: no choice can be read: the disk is gone']);
  const { warnings } = await engine.tune(WIDE, { mod: 101, budget: 0.02, threads: 1, tuning: store });
  expect(warnings).toEqual(['the choice is not kept: the disk is gone']);
  await expect(rank(WIDE, { mod: 7, tuning: { get: fail } as never })).rejects.toThrow(
    'tuning: expected true, false or a store with get, set and delete',
  );
});
