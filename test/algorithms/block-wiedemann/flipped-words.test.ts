/**
 * Memory that errs: one word changed in a vector, in the sequence or in the order basis, at moments all over a run.
 * Every one is met or harms nothing, and no wrong rank is called proved or verified.
 */
import { describe, expect, test } from 'vitest';
import { blockWiedemannRank, tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { lengthOfParts, stageOfMatrix } from '../../../algorithms/block-wiedemann/stages.js';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { ErringExecutor, type Flip, momentsOf } from './erring-executor.js';

const MOMENTS = momentsOf(24);

/** Rows 0 … rank − 1 are triangular, the others sums of two of them. */
function matrixOf(p: number, rows: number, cols: number, rank: number) {
  const random = new CounterRandom(3n, 0);
  let at = 0;
  const below = (n: number): number => random.residueAt(at++, n);
  const base = Array.from({ length: rank }, (_, i) => {
    const others = [1, 2, 3].map(() => [i + 1 + below(cols - i), 1] as const);
    return [[i, 1] as const, ...others.filter(([j]) => j < cols)];
  });
  const sums = Array.from({ length: rows - rank }, () => [...base[below(rank)]!, ...base[below(rank)]!]);
  const triplets = [...base, ...sums].flatMap((row, i) => row.map(([j, value]) => [i, j, value] as const));
  return SparseMatrix.fromTriplets(rows, cols, triplets).residues(p);
}

async function rankWith(p: number, matrix: ReturnType<typeof matrixOf>, seed: bigint, flip: Flip | null) {
  const executor = new ErringExecutor(WordPrime.of(p));
  executor.flip = flip;
  const context = {
    executor,
    seed,
    orderBasisEngine: (field: BasisField) => executor.engine(field),
    check: () => {},
    onProgress: () => {},
  };
  const result = await blockWiedemannRank(context, tallOperator(executor.operator(matrix)), {});
  return { result, counts: executor.counts };
}

/** The blocks and vectors that one of two parts keeps; it is `more` blocks longer than the run needs. */
async function partWith(
  p: number,
  matrix: ReturnType<typeof matrixOf>,
  flip: Flip | null,
  more = 0,
  arrays = new Map<string, Uint8Array>(),
) {
  const executor = new ErringExecutor(WordPrime.of(p));
  executor.flip = flip;
  const remarks: string[] = [];
  const store = {
    read: async (name: string) => arrays.get(name) ?? null,
    write: async (name: string, bytes: Uint8Array) => void arrays.set(name, bytes.slice()),
    list: async () => [...arrays.keys()],
    remove: async (name: string) => void arrays.delete(name),
  };
  const stops = async (): Promise<boolean> => false;
  const checkpoint = new Checkpoint(store, 'run', {
    ...{ interval: Number.POSITIVE_INFINITY, stops },
    remark: (line) => void remarks.push(line),
  });
  const block = { m: 4, n: 2 };
  const parts = { count: 2, length: lengthOfParts(matrix.cols, block, p) + more };
  const orderBasisEngine = (field: BasisField) => executor.engine(field);
  const hooks = { check: () => {}, onProgress: () => {} };
  const context = { executor, seed: 1n, orderBasisEngine, ...hooks, checkpoint, parts };
  const { warnings } = await stageOfMatrix(context, matrix, { block }, { part: 1 });
  const kept = [...arrays].filter(([name]) => /-(blocks|vectors)-/.test(name));
  return { kept, warnings, remarks, arrays, checkpoint, counts: executor.counts };
}

/** What stands behind the head of an array. */
function wordsIn(bytes: Uint8Array): string {
  return bytes.subarray(bytes.indexOf(10) + 1).join();
}

const LOST = 'blocks of the sequence are lost: it is made again from its start';

type Part = Awaited<ReturnType<typeof partWith>>;

describe.each([
  [65521, 90, 60, 47],
  [2147483629, 60, 60, 60],
])('mod %i, %i x %i of rank %i', (p, rows, cols, rank) => {
  const matrix = matrixOf(p, rows, cols, rank);

  test.each(['vectors', 'blocks', 'basis'] as const)('a word of the %s', async (what) => {
    const { result, counts } = await rankWith(p, matrix, 1n, null);
    expect(result).toMatchObject({ rank, upperBound: rank, attempts: 1, checks: { failed: 0 } });
    expect(counts[what]).toBeGreaterThan(1);
    const random = new CounterRandom(11n, 0);
    let failed = 0;
    let later = 0;
    for (let i = 0; i < MOMENTS; i++) {
      const flip = { what, at: random.residueAt(2 * i, counts[what]), word: random.residueAt(2 * i + 1, 2 ** 31) };
      const { result } = await rankWith(p, matrix, 1n, flip);
      expect(result, JSON.stringify(flip)).toMatchObject({ rank, lowerBound: rank, upperBound: rank });
      failed += result.checks.failed;
      if (result.attempts > 1) later++;
    }
    // What is not met by a check changes nothing, or a verification that is then repeated.
    expect(failed + later).toBeGreaterThan(MOMENTS / 4);
  });

  test('a word of the vectors of a part', async () => {
    const { kept, warnings, counts } = await partWith(p, matrix, null);
    expect([kept.length, warnings]).toEqual([2, []]);
    const longer = await partWith(p, matrix, null, 30);
    const random = new CounterRandom(12n, 0);
    let met = 0;
    for (let i = 0; i < MOMENTS; i++) {
      const at = random.residueAt(2 * i, counts.vectors);
      const found = await partWith(p, matrix, { what: 'vectors', at, word: random.residueAt(2 * i + 1, 2 ** 31) });
      met += found.warnings.length;
      if (at < counts.vectors - 1) expect(found.kept, `${at}`).toEqual(kept);
      else await expectMet(found, longer);
    }
    expect(met).toBeGreaterThan(MOMENTS / 2);
  });

  test('a word of the vectors as they are kept, behind the check', async () => {
    const { counts } = await partWith(p, matrix, null);
    const flip = { what: 'vectors', at: counts.vectors - 1, word: 12345 } as const;
    await expectMet(await partWith(p, matrix, flip), await partWith(p, matrix, null, 30));
  });

  test.each([
    ['goes on', 30],
    ['is whole', 0],
  ])('a word of the blocks behind the check, before their seal, of a part that %s', async (_, more) => {
    const part = await partWith(p, matrix, null);
    const [name] = part.kept.find(([name]) => name.includes('blocks'))!;
    const { fields, bytes } = (await part.checkpoint.recall(name))!;
    for (const at of [0, bytes.length >> 1, bytes.length - 4]) {
      const changed = bytes.slice();
      changed[at]! ^= 1;
      await part.checkpoint.keep(name, { known: fields['known'], split: fields['split'] }, changed);
      const again = await partWith(p, matrix, null, more, new Map(part.arrays));
      expect(new Set(again.remarks)).toEqual(new Set([`${name} is not what was checked`, LOST]));
      expectAll(again, await partWith(p, matrix, null, more));
    }
  });

  /** Where it goes on, it is made again. */
  async function expectMet({ arrays }: Part, longer: Part): Promise<void> {
    const again = await partWith(p, matrix, null, 30, arrays);
    const met = expect.stringMatching(/^vectors behind \d+ steps are not those that were checked$/);
    expect(again.remarks).toEqual([met, LOST]);
    expectAll(again, longer);
  }

  function expectAll({ arrays }: Part, { kept }: Part): void {
    const made = [...arrays.values()].map(wordsIn);
    for (const [, bytes] of kept) expect(made).toContain(wordsIn(bytes));
  }
});
