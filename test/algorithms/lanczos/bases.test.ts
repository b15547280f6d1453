/** Bases of kernels by block Lanczos: the reduced echelon form of all of the kernel, or none. */
import { describe, expect, test } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { seal, unseal } from '../../../algorithms/checkpoint/sealed.js';
import { multiply } from '../../../algorithms/factor/products.js';
import { type LanczosBasis, lanczosBasis } from '../../../algorithms/lanczos/reduced-basis.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../../algorithms/reference/rows.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { random } from '../../../data/families/random.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { MemoryStore } from '../block-wiedemann/memory-store.js';

const [ROWS, COLS, RANK] = [150, 170, 140];

function matrixOf(p: number) {
  return SparseMatrix.fromTriplets(ROWS, COLS, random(ROWS, COLS, 5, p, 6, ROWS - RANK)).residues(p);
}

async function vectorsOf({ kernel }: LanczosBasis): Promise<unknown[]> {
  const vectors: unknown[] = [];
  for await (const batch of kernel!.batches()) vectors.push(batch);
  return vectors;
}

const contextOf = (executor: ReferenceExecutor) => ({
  ...{ executor, seed: 3n, check: () => {}, onProgress: () => {} },
  ...orderBasisEngines(executor, undefined),
});

describe.each([2, 3, 101, 65521, 2147483629])('bases mod %i', (p) => {
  const F = WordPrime.of(p);
  test.each([
    ['tall', random(60, 25, 4, p, 1)],
    ['wide', random(25, 90, 4, p, 2)],
    ['of low rank', random(50, 50, 4, p, 4, 20)],
    ['of full rank', random(80, 40, 6, p, 4)],
    ['zero', { rows: 5, cols: 30, rowIdx: [], colIdx: [], values: [] }],
  ] as const)('%s: the reduced echelon form of all of the kernel, and the rank', async (_, triplets) => {
    const matrix = SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets as never).residues(p);
    const rank = denseRank(F, denseRows(F, matrix));
    const executor = new ReferenceExecutor(F);
    const { kernel, rankBound } = await lanczosBasis(contextOf(executor), matrix, Infinity);
    expect([rankBound, kernel!.rank, kernel!.dimension]).toEqual([rank, rank, matrix.cols - rank]);
    const { freeLines } = kernel!;
    let at = 0;
    for await (const { count, ptr, index, values } of kernel!.batches()) {
      for (let k = 0; k < count; k++, at++) {
        const v = new Uint32Array(matrix.cols);
        for (let e = ptr[k]; e < ptr[k + 1]; e++) v[index[e]] = values[e];
        expect(multiply(F, matrix, v, 1).every((value) => value === 0)).toBe(true);
        expect(v.findIndex((value) => value !== 0)).toBe(freeLines[at]);
        expect([...freeLines].map((line) => v[line])).toEqual([...freeLines].map((_, j) => (j === at ? 1 : 0)));
      }
    }
    expect(at).toBe(freeLines.length);
    expect(at).toBe(matrix.cols - rank);
  });
});

/** Every block is orthogonal to itself, and no run comes to an end. */
class Orthogonal extends ReferenceExecutor {
  override blockDot(): void {} // leaves 0
}

/** A basis, and the same behind a first run that is said to have another rank; `count` of its vectors. */
async function spoiltBasis(executor: ReferenceExecutor, rankOf: (count: number) => number) {
  const { field } = executor;
  const matrix = matrixOf(field.p);
  const store = new MemoryStore();
  const options = { interval: 0, stops: async () => false, remark: (line: string) => expect.unreachable(line) };
  const run = (executor: ReferenceExecutor) =>
    lanczosBasis({ ...contextOf(executor), checkpoint: new Checkpoint(store, 'run', options) }, matrix, Infinity);
  const whole = await run(new ReferenceExecutor(field));
  const { fields, bytes } = unseal(store.arrays.get('outcome-1')!)!;
  const { lanczos, more, sizes } = fields as { lanczos: object; more: object; sizes: number[] };
  const count = sizes.length;
  const rank = rankOf(count);
  const spoilt = { lanczos: { ...lanczos, dimension: rank }, more: { ...more, rankBound: rank } }; // the latter of bits
  store.arrays.clear();
  store.arrays.set('outcome-1', seal({ ...fields, ...spoilt }, bytes));
  return { whole, count, basis: await run(executor) };
}

const REFUTED = 'lanczos: ranks refuted by vectors of the kernel 1: memory or a processor errs';

// A run has vectors of all of the kernel where p is small.
test.each([
  [2, 1],
  [2, 11],
  [3, 1],
  [3, 11],
])('mod %i a first run of a rank too large by %i is refuted, and the runs go on', async (p, more) => {
  const rank = denseRank(WordPrime.of(p), denseRows(WordPrime.of(p), matrixOf(p)));
  const { whole, basis } = await spoiltBasis(new ReferenceExecutor(WordPrime.of(p)), () => rank + more);
  expect([basis.kernel!.rank, basis.kernel!.dimension]).toEqual([rank, COLS - rank]);
  expect(await vectorsOf(basis)).toEqual(await vectorsOf(whole));
  expect(basis.explanation).toContainEqual(REFUTED);
});

describe('a basis behind a first run whose rank memory has spoilt', () => {
  const F = WordPrime.of(65521);

  /** With so many fewer dimensions left than the run has vectors. */
  const basisOn = (executor: ReferenceExecutor, fewer: number) =>
    spoiltBasis(executor, (count) => COLS - count + fewer);

  test.each([0, 11])('%i dimensions fewer than it has vectors: refuted, and the runs go on', async (fewer) => {
    const { whole, basis } = await basisOn(new ReferenceExecutor(F), fewer);
    expect([basis.kernel!.rank, basis.kernel!.dimension]).toEqual([RANK, COLS - RANK]);
    expect(await vectorsOf(basis)).toEqual(await vectorsOf(whole));
    expect(basis.explanation).toContainEqual(REFUTED);
  });

  test('as many as it has vectors: not claimed where no run brings more', async () => {
    const { count, basis } = await basisOn(new Orthogonal(F), 0);
    expect(basis).toMatchObject({ kernel: null, found: count, rankBound: COLS - count });
    expect(basis.reason).toBe(
      `lanczos: ${count} independent vectors found of a kernel of at most ${count} dimensions, ` +
        'and too few more to be sure that it has no others',
    );
  });

  test('refuted, with no other run: no bound is left', async () => {
    const { count, basis } = await basisOn(new Orthogonal(F), 1);
    expect(basis).toMatchObject({ kernel: null, found: count, rankBound: 0 });
    expect(basis.reason).toBe(`lanczos: ${count} independent vectors found of a kernel of at most ${COLS} dimensions`);
  });
});

test('a basis beyond the memory that is allowed is refused', async () => {
  const matrix = matrixOf(65521);
  const executor = new ReferenceExecutor(WordPrime.of(65521));
  await expect(lanczosBasis(contextOf(executor), matrix, 1000)).rejects.toThrow(
    /^method lanczos: a basis of 30 vectors takes about .* MB, allowed are /,
  );
});

test('where every block is orthogonal to itself no basis is claimed', async () => {
  const matrix = matrixOf(65521);
  const executor = new Orthogonal(WordPrime.of(65521));
  expect(await lanczosBasis(contextOf(executor), matrix, Infinity)).toMatchObject({
    kernel: null,
    rankBound: 0,
    found: 0,
  });
});

test('where products are wrong no rank is claimed, and runs end by themselves', async () => {
  /** Every block read, VᵀBV among them, is random: no W_i is orthogonal to another, and dimensions pass N. */
  class Erring extends ReferenceExecutor {
    private count = 0;
    override readBlocks(...asked: Parameters<ReferenceExecutor['readBlocks']>): Uint32Array {
      const words = super.readBlocks(...asked) as Uint32Array;
      return new CounterRandom(7n, this.count++).fillResidues(new Uint32Array(words.length), 65521);
    }
  }
  const matrix = matrixOf(65521);
  const executor = new Erring(WordPrime.of(65521));
  expect(await lanczosBasis(contextOf(executor), matrix, Infinity)).toMatchObject({ kernel: null, rankBound: 0 });
});
