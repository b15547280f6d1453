/** Pivots of fewer depths are pivots of the same matrix still, and the rank is the same by them. */
import { describe, expect, test } from 'vitest';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { pivotsForGpu } from '../../../algorithms/methods/gpu-pivots.js';
import { orderByDepth } from '../../../algorithms/presolve/pattern.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { shallowPivots } from '../../../algorithms/presolve/shallow-pivots.js';
import { type StructuralPivots, structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { hybridRank } from '../../../algorithms/schur/hybrid-rank.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { contextOn } from '../methods/context.js';

const field = WordPrime.of(65521);

function family(name: string, args: readonly number[]): ResidueMatrix {
  const { rows, cols, ...triplets } = generate(name, args as number[]);
  return SparseMatrix.fromTriplets(rows, cols, triplets).residues(65521);
}

const sizesOf = ({ depths }: { depths: Uint32Array }): number[] =>
  Array.from({ length: depths.length - 1 }, (_, d) => depths[d + 1] - depths[d]);

/** Two sets of `wide` pivots that do not need each other, and a chain of `long` pivots from the one to the other. */
function chained(wide: number, long: number): { a: ResidueMatrix; found: StructuralPivots } {
  const places: [number, number, number][] = [];
  const last = wide + long - 1; // of the chain
  const size = 2 * wide + long;
  for (let k = 0; k < size; k++) {
    places.push([k, k, 1]);
    if (k >= wide && k <= last) places.push([k, k - 1, 2]);
    if (k > last) places.push([k, last, 3]);
    places.push([k, size + (k % 7), 1 + k]); // columns without pivots
  }
  const a = SparseMatrix.fromTriplets(size, size + 7, places).residues(65521);
  const order = Uint32Array.from({ length: size }, (_, k) => k);
  const rowOf = Int32Array.from({ length: size + 7 }, (_, k) => (k < size ? k : -1));
  const matching = { colOf: Int32Array.from(order), rowOf, order, size };
  return { a, found: { matching, pivots: orderByDepth(a, matching) } };
}

describe('thin depths', () => {
  test('between wide ones are given up, and what was behind them is as shallow as what was before', () => {
    const { a, found } = chained(50, 30);
    expect(sizesOf(found.pivots)).toEqual([50, ...Array(30).fill(1), 50]);
    const shallow = shallowPivots(a, found, (lost, depths) => (1000 + lost) * (10 + depths));
    expect(sizesOf(shallow.pivots)).toEqual([100]);
    expect(shallow.matching.size).toBe(100);
    expect(shallow.matching.order).toEqual(found.matching.order.filter((i) => i < 50 || i >= 80));
  });

  test('that cost nothing stay, as do all where each pivot is dear', () => {
    const { a, found } = chained(50, 30);
    expect(shallowPivots(a, found, (lost) => 1000 + lost)).toBe(found);
    expect(shallowPivots(a, found, (lost, depths) => 1e9 * lost + depths)).toBe(found);
  });

  test.each([
    ['random', [3000, 3000, 4, 65521, 1]],
    ['random', [2000, 2500, 6, 65521, 2, 300]],
    ['trefethen', [2000]],
  ] as const)('of %s %j: pivots, each depth worth its time', (name, args) => {
    const a = family(name, args);
    const found = structuralPivots(a, transpose(a));
    const shallow = shallowPivots(a, found, (lost, depths) => (300 + lost) * (20 + depths));
    const { matching, pivots } = shallow;
    expect(matching.size).toBeLessThan(found.matching.size);
    expect(pivots.rows.length).toBe(matching.size);
    // The same places as before, fewer of them; orderByDepth refuses what is no triangle.
    for (let k = 0; k < pivots.rows.length; k++) {
      expect(found.matching.colOf[pivots.rows[k]]).toBe(pivots.cols[k]);
      expect(matching.rowOf[pivots.cols[k]]).toBe(pivots.rows[k]);
    }
    const sizes = sizesOf(pivots);
    const cost = (300 + found.matching.size - matching.size) * (20 + sizes.length);
    expect(cost).toBeLessThan(300 * (20 + sizesOf(found.pivots).length));
  });
});

test('a rank is the same by fewer pivots', async () => {
  const executor = await CpuExecutor.create(field);
  const context = { ...contextOn(executor), executor };
  const estimates = estimatesOver(field);
  try {
    const a = family('random', [1500, 1500, 6, 65521, 3, 200]);
    const all = presolve(field, a, estimates);
    const few = { ...all, ...shallowPivots(all.a, all, (lost, depths) => (100 + lost) * (20 + depths)) };
    expect(few.matching.size).toBeLessThan(all.matching.size);
    const ranks: number[] = [];
    for (const presolved of [all, few]) {
      const { rank, upperBound } = await hybridRank(context, presolved, estimates, {}, { sampled: 0 });
      expect(upperBound).toBe(rank);
      ranks.push(rank);
    }
    expect(ranks).toEqual([1300, 1300]);
  } finally {
    executor.dispose();
  }
});

test('a GPU takes fewer pivots of a matrix of many depths, the same ones each time', () => {
  const a = family('random', [95_556, 97_765, 13, 65521, 1, 43_878]);
  const all = { a, ...structuralPivots(a, transpose(a)) };
  const few = pivotsForGpu(field, all);
  expect(few.pivots.depths.length).toBeLessThan(all.pivots.depths.length / 2);
  expect(few.matching.size).toBeGreaterThan(0.9 * all.matching.size);
  expect(pivotsForGpu(field, { ...all, pivots: { ...all.pivots } }).pivots).toEqual(few.pivots);
});
