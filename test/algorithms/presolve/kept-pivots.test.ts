/** Pivots that a run has kept are those that a search finds, and wrong ones are never taken. */
import { expect, test, vi } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { bytesOf, wordsOf } from '../../../algorithms/checkpoint/words.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { KeptPivots } from '../../../algorithms/presolve/kept-pivots.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import * as search from '../../../algorithms/presolve/structural-pivots.js';
import { generate } from '../../../data/families.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { DAMAGES, MemoryStore } from '../block-wiedemann/memory-store.js';

const F = WordPrime.of(65521);
const NAME = 'pivots';
const NOT_THOSE = 'pivots are not those of this run, and are searched for';

function checkpointIn(store: MemoryStore, remarks: string[] = []): Checkpoint {
  const stops = async (): Promise<boolean> => false;
  return new Checkpoint(store, 'run', { interval: 0, stops, remark: (line) => void remarks.push(line) });
}

function residuesOf(name: string, args: readonly number[]) {
  const { rows, cols, ...triplets } = generate(name, [...args]);
  return SparseMatrix.fromTriplets(rows, cols, triplets).residues(F.p);
}

/** The matrix made ready, with the pivots that are kept; how many searches that took. */
async function presolved(store: MemoryStore, matrix: ReturnType<typeof residuesOf>, remarks: string[] = [], more = {}) {
  const pivots = await KeptPivots.recall(checkpointIn(store, remarks));
  const searches = vi.spyOn(search, 'structuralPivots');
  try {
    const { seconds: _, ...found } = presolve(F, matrix, estimatesOver(F), { long: 0, known: pivots, ...more });
    await pivots.keep();
    return { found, searches: searches.mock.calls.length };
  } finally {
    searches.mockRestore();
  }
}

const random = residuesOf('random', [300, 260, 4, 65521, 5]);

test.each([
  ['random', 'random', [400, 300, 6, 65521, 1, 20]],
  ['kneser, whose core is taken and presolved again', 'kneser', [8, 3]],
  ['chessboard', 'ch', [5, 5, 2]],
] as const)('a %s matrix is made ready without a search, as before', async (_, name, args) => {
  const matrix = residuesOf(name, args);
  const store = new MemoryStore();
  const { seconds: _seconds, ...plain } = presolve(F, matrix, estimatesOver(F), { long: 0 });
  const first = await presolved(store, matrix);
  expect(first.found).toEqual(plain);
  expect(first.searches).toBeGreaterThan(0);
  const kept = store.arrays.get(NAME)!;
  expect(await presolved(store, matrix)).toEqual({ found: plain, searches: 0 });
  expect(store.arrays.get(NAME)).toBe(kept);
});

test('pivots that are enough are not kept: the run is over', async () => {
  const store = new MemoryStore();
  await presolved(store, random, [], { atLeast: 10 });
  expect(store.arrays.size).toBe(0);
});

test('pivots of another matrix are not taken, and are replaced', async () => {
  const store = new MemoryStore();
  await presolved(store, residuesOf('random', [300, 260, 4, 65521, 6]));
  const whole = await presolved(new MemoryStore(), random);
  const remarks: string[] = [];
  expect(await presolved(store, random, remarks)).toEqual(whole);
  expect(remarks).toEqual([NOT_THOSE]);
  expect(await presolved(store, random, remarks)).toEqual({ ...whole, searches: 0 });
  expect(remarks.length).toBe(1);
});

test('pivots of another matrix do not stay where a search takes no time', async () => {
  const store = new MemoryStore();
  await presolved(store, residuesOf('random', [300, 260, 4, 65521, 6]));
  expect(store.arrays.has(NAME)).toBe(true);
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  try {
    expect((await presolved(store, random)).searches).toBeGreaterThan(0);
  } finally {
    clock.mockRestore();
  }
  expect(store.arrays.has(NAME)).toBe(false);
});

test.each(Object.keys(DAMAGES))('where they are %s they are searched for', async (damage) => {
  const store = new MemoryStore();
  const whole = await presolved(store, random);
  DAMAGES[damage]!(store, NAME);
  const remarks: string[] = [];
  expect(await presolved(store, random, remarks)).toEqual(whole);
  expect(remarks).toEqual(damage === 'removed' ? [] : ['pivots is damaged, or of another run or name']);
  expect((await presolved(store, random)).searches).toBe(0);
});

test('a word that was wrong before its seal: other pivots are searched for, or taken where they are some', async () => {
  const store = new MemoryStore();
  const whole = await presolved(store, random);
  const { bytes } = (await checkpointIn(store).recall(NAME))!;
  const draw = new CounterRandom(4n, 0);
  let refused = 0;
  for (let i = 0; i < 200; i++) {
    const words = wordsOf(bytes);
    words[draw.residueAt(2 * i, words.length)]! ^= 1 << draw.residueAt(2 * i + 1, 10);
    await checkpointIn(store).keep(NAME, {}, bytesOf(words));
    const remarks: string[] = [];
    const { found, searches } = await presolved(store, random, remarks);
    expect(searches).toBe(remarks.length);
    refused += searches;
    if (searches === 1) expect(found).toEqual(whole.found);
    else expectTriangle(found);
  }
  expect(refused).toBeGreaterThan(150);
});

/** On the lines of the pivots the matrix is lower triangular, with its diagonal. */
function expectTriangle({ a, matching, pivots }: Awaited<ReturnType<typeof presolved>>['found']): void {
  const place = new Map([...pivots.cols].map((j, k) => [j, k]));
  expect([place.size, new Set(pivots.rows).size]).toEqual([matching.size, matching.size]);
  pivots.rows.forEach((i, k) => {
    const places = [...a.colIdx.subarray(a.rowPtr[i], a.rowPtr[i + 1])].map((j) => place.get(j) ?? -1);
    expect(Math.max(...places)).toBe(k);
  });
}
