/** Factors by pivots against elimination over any field: ranks, determinants, systems and kernels from both sides. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eliminationRank } from '../../../algorithms/elimination/rounds.js';
import { factorize } from '../../../algorithms/factor/factors.js';
import { PivotFactors } from '../../../algorithms/factor/pivot-factors.js';
import { multiply, vanishesOn } from '../../../algorithms/factor/products.js';
import type { Factors, Kernel } from '../../../algorithms/factor/types.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { ResidueFactors } from '../../../algorithms/reference/residue-systems.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { generate } from '../../../data/families.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { geometric } from '../elimination/planted.js';
import { planted } from '../expected/matrices.js';

const PRIMES = [2, 3, 5, 7, 101, 65521, 2147483629];

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

const contextOf = (F: WordPrime, seed = 1n) => ({
  ...{ executor: new ReferenceExecutor(F), team, seed, check: () => {}, onProgress: () => {} },
  orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
});

/** Rows and columns at random places. */
function shuffle(matrix: SparseMatrix, seed: bigint): SparseMatrix {
  const random = new CounterRandom(seed, 3);
  let drawn = 0;
  const order = (size: number): number[] => {
    const lines = Array.from({ length: size }, (_, i) => i);
    for (let i = size - 1; i > 0; i--) {
      const j = random.residueAt(drawn++, i + 1);
      [lines[i], lines[j]] = [lines[j], lines[i]];
    }
    return lines;
  };
  const [rows, cols] = [order(matrix.rows), order(matrix.cols)];
  const { rowIdx, colIdx, values } = matrix.toCoo();
  return SparseMatrix.fromTriplets(
    matrix.rows,
    matrix.cols,
    Array.from(rowIdx, (i, k) => [rows[i], cols[colIdx[k]], Number(values[k])] as const),
  );
}

const ofFamily = (family: string, args: readonly number[]): SparseMatrix => {
  const triplets = generate(family, args);
  return SparseMatrix.fromTriplets(triplets.rows, triplets.cols, triplets);
};
const ofRank = (rows: number, cols: number, rank: number, perRow: number): SparseMatrix =>
  SparseMatrix.fromTriplets(rows, cols, planted(rows, cols, rank, perRow, rows + cols));

const MATRICES: Readonly<Record<string, () => SparseMatrix>> = {
  '0 x 0': () => SparseMatrix.fromTriplets(0, 0, []),
  '0 x 5': () => SparseMatrix.fromTriplets(0, 5, []),
  '5 x 0': () => SparseMatrix.fromTriplets(5, 0, []),
  'zero 4 x 6': () => SparseMatrix.fromTriplets(4, 6, []),
  '1 x 1': () => SparseMatrix.fromTriplets(1, 1, [[0, 0, 1]]),
  'an odd permutation': () =>
    shuffle(
      SparseMatrix.fromTriplets(
        9,
        9,
        Array.from({ length: 9 }, (_, i) => [i, (i * 2 + 1) % 9, 1]),
      ),
      1n,
    ),
  'full rank, square': () => ofRank(60, 60, 60, 4),
  'full rank, dense': () => ofRank(70, 70, 70, 40),
  'deficient, square': () => ofRank(90, 90, 60, 5),
  'deficient, wide': () => ofRank(50, 120, 35, 6),
  'deficient, tall': () => ofRank(130, 60, 41, 6),
  'rank 1': () => ofRank(40, 30, 1, 30),
  'a boundary of a chessboard complex': () => ofFamily('ch', [4, 4, 2]),
  'a boundary of a matching complex': () => ofFamily('mk', [8, 2]),
  'bibd 8 4': () => ofFamily('bibd', [8, 4]),
};

/** Whether v·A is 0 for every vector, and how many entries they have. */
async function check(F: WordPrime, a: ResidueMatrix, kernel: Kernel): Promise<Uint32Array[]> {
  const vectors: Uint32Array[] = [];
  for await (const { count, ptr, index, values } of kernel.batches()) {
    for (let i = 0; i < count; i++) {
      const v = new Uint32Array(a.rows);
      for (let k = ptr[i]; k < ptr[i + 1]; k++) {
        expect(k === ptr[i] || index[k] > index[k - 1]).toBe(true);
        expect(values[k]).not.toBe(0);
        v[index[k]] = values[k];
      }
      expect(vanishesOn(F, v, a)).toBe(true);
      vectors.push(v);
    }
  }
  return vectors;
}

async function checkSystems(F: WordPrime, a: ResidueMatrix, factors: Factors, transposed: boolean): Promise<void> {
  const random = new CounterRandom(17n, 0);
  const of = transposed ? (transpose(a) as ResidueMatrix) : a;
  const s = 3;
  const b = multiply(F, of, random.fillResidues(new Uint32Array(of.cols * s), F.p), s);
  const seen = new Set<string>();
  for (const [isRandom, seed] of [
    [false, 1n],
    [true, 1n],
    [true, 2n],
  ] as const) {
    const found = await factors.solve(contextOf(F, seed), b, s, { random: isRandom, transposed });
    expect(found.inconsistent).toBeNull();
    expect(multiply(F, of, found.solution!, s)).toEqual(b);
    seen.add(found.solution!.join());
  }
  // Random ones differ but where there is one alone, or where chance makes two equal.
  if (of.cols - factors.rank > 20) expect(seen.size).toBe(3);
  if (of.cols === factors.rank) expect(seen.size).toBe(1);
  if (factors.rank === of.rows) return;
  const c = random.fillResidues(new Uint32Array(of.rows * 2), F.p, 10 ** 6);
  for (let i = 0; i < of.rows; i++) c[2 * i] = b[s * i];
  const found = await factors.solve(contextOf(F), c, 2, { transposed });
  // A random column lies in the column space by chance alone.
  if (found.solution !== null) {
    expect(multiply(F, of, found.solution, 2)).toEqual(c);
    expect(F.p ** (of.rows - factors.rank)).toBeLessThan(10 ** 5);
    return;
  }
  const { column, certificate: u } = found.inconsistent!;
  expect(column).toBe(1);
  expect(vanishesOn(F, u, of)).toBe(true);
  let product = 0;
  for (let i = 0; i < of.rows; i++) product = F.add(product, F.mul(u[i], c[2 * i + 1]));
  expect(product).not.toBe(0);
}

async function checkFactors(F: WordPrime, a: ResidueMatrix): Promise<Factors> {
  const factors = await factorize(contextOf(F), a);
  expect(factors).toBeInstanceOf(PivotFactors);
  for (const transposed of [false, true]) await checkSystems(F, a, factors, transposed);
  for (const left of [false, true]) {
    const to = left ? a : (transpose(a) as ResidueMatrix);
    const kernel = await factors.nullspace(contextOf(F), { left });
    expect(kernel.dimension).toBe(to.rows - factors.rank);
    const vectors = await check(F, to, kernel);
    expect(vectors.length).toBe(kernel.dimension);
    // The unit matrix at the free lines: the vectors are independent, so the rank is no more than it is said to be.
    vectors.forEach((v, l) => {
      expect(Array.from(kernel.freeLines, (line) => v[line]).every((x, k) => x === (k === l ? 1 : 0))).toBe(true);
    });
    const random = await factors.nullspace(contextOf(F), { left, vectors: 5 });
    expect((await check(F, to, random)).length).toBe(5);
  }
  return factors;
}

describe.each(PRIMES)('mod %d', (p) => {
  test.each(Object.entries(MATRICES))('%s', async (_, make) => {
    const F = WordPrime.of(p);
    const a = make().residues(p);
    const twin = new ResidueFactors(F, a, (elements: number[]) => Uint32Array.from(elements));
    const factors = await checkFactors(F, a);
    expect([factors.rank, factors.determinant]).toEqual([twin.rank, Number(twin.determinant)]);
  });
});

describe.each([2, 7, 65521, 2147483629])('larger ones mod %d', (p) => {
  const F = WordPrime.of(p);

  test('rounds of sparse Schur complements', async () => {
    // Dense blocks of full rank and of less: each round takes one pivot of each.
    const random = new CounterRandom(5n, 5);
    let drawn = 0;
    const draw = (): number => random.residueAt(drawn++, 2 ** 30);
    const entries: [number, number, number][] = [];
    const [count, size] = [285, 14];
    for (let block = 0; block < count; block++) {
      const rows = Array.from({ length: size }, () => Array.from({ length: size }, draw));
      if (block % 19 === 0) rows[3] = rows[1].map((x, j) => x + 2 * rows[4][j]);
      rows.forEach((row, i) => {
        row.forEach((x, j) => {
          entries.push([size * block + i, size * block + j, x]);
        });
      });
    }
    const a = shuffle(SparseMatrix.fromTriplets(size * count, size * count, entries), 9n).residues(p);
    const factors = await checkFactors(F, a);
    const lines = factors.explanation.filter((line) => line.startsWith('Schur complement'));
    if (p > 2) expect(lines.length, factors.explanation.join()).toBeGreaterThan(1);
  });

  test('sparse pivots and a dense end', async () => {
    const a = geometric(9000, 8, p);
    const factors = await checkFactors(F, a);
    // Mod 2 and mod 7 the dense elimination is cheaper from the beginning.
    expect(factors.explanation.join()).toMatch(p < 101 ? /dense elimination/ : /sparse pivots.*dense elimination/);
    const { rank } = await eliminationRank(team, F, a, estimatesOver(F));
    expect(factors.rank).toBe(rank);
  });
});
