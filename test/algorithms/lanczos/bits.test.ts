/** Block Lanczos over F_2 where runs take several steps of 64 columns, against elimination; its small matrices. */
import { describe, expect, test } from 'vitest';
import { multiply, vanishesOn } from '../../../algorithms/factor/products.js';
import { bitAlgebra, rightKernel } from '../../../algorithms/lanczos/bit-algebra.js';
import { FieldAlgebra } from '../../../algorithms/lanczos/block-algebra.js';
import { randomKernel, solveByLanczos } from '../../../algorithms/lanczos/systems.js';
import { denseRank } from '../../../algorithms/reference/dense-elimination.js';
import { denseRows } from '../../../algorithms/reference/rows.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { random } from '../../../data/families/random.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const F = WordPrime.of(2);

const draw = (count: number, stream: number): Uint32Array =>
  new CounterRandom(13n, stream).fillResidues(new Uint32Array(count), 2);

function pack(residues: Uint32Array): Uint32Array {
  const words = new Uint32Array(residues.length / 32);
  residues.forEach((bit, k) => {
    words[k >> 5] |= bit << (k & 31);
  });
  return words;
}

type Lines = [rows: number, cols: number, entries: [number, number, number][]];

const sparse = (rows: number, cols: number, rank?: number): Lines => {
  const family = random(rows, cols, 3, 2, 7, rank);
  return [rows, cols, Array.from(family.rowIdx, (i, k) => [i, family.colIdx[k]!, family.values[k]!])];
};

/** Every row twice, so that Aᵀ·A = 0. */
const twice = ([rows, cols, entries]: Lines): Lines => [
  2 * rows,
  cols,
  entries.flatMap(([i, j, v]): Lines[2] => [
    [i, j, v],
    [rows + i, j, v],
  ]),
];

const transposed = ([rows, cols, entries]: Lines): Lines => [cols, rows, entries.map(([i, j, v]) => [j, i, v])];

const MATRICES: readonly [string, Lines][] = [
  ['square', sparse(300, 300)],
  ['of low rank', sparse(280, 310, 150)],
  ['rows orthogonal to themselves', transposed(twice(sparse(150, 200)))],
  ['columns orthogonal to themselves', twice(sparse(200, 250))],
  ['rows and columns', transposed(twice(transposed(twice(sparse(120, 130)))))],
  ['the identity', [250, 250, Array.from({ length: 250 }, (_, i) => [i, i, 1])]],
];

describe.each(MATRICES)('%s', (_, [rows, cols, entries]) => {
  const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(2);
  const rank = denseRank(F, denseRows(F, a));
  const contextOf = (executor: CpuExecutor, seed: bigint) => ({
    ...{ executor, seed, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
  });

  test('systems and refutations, more right sides than one run takes', async () => {
    const executor = await CpuExecutor.create(F);
    const s = 35;
    const b = multiply(F, a, draw(cols * s, 1), s);
    const found = await solveByLanczos(contextOf(executor, 1n), a, b, s, false);
    expect(found.reason).toBeUndefined();
    expect(multiply(F, a, found.solution!, s)).toEqual(b);
    expect(found.explanation[0]).toBe(`lanczos: blocks of 64 columns of bits, rank ${rank} or more`);
    if (rank === rows) return executor.dispose();
    const outside = Array.from({ length: rows }, (_, i) => i).find((i) => {
      const wide = denseRows(F, a).map((row, k) => [...row, k === i ? 1 : 0]);
      return denseRank(F, wide) > rank;
    })!;
    b[outside * s + 34] ^= 1;
    const { solution, inconsistent } = await solveByLanczos(contextOf(executor, 2n), a, b, s, false);
    expect(solution).toBeNull();
    expect(inconsistent!.column).toBe(34);
    const u = inconsistent!.certificate;
    expect(vanishesOn(F, u, a)).toBe(true);
    expect(u.reduce((sum, bit, i) => sum ^ (bit & b[i * s + 34]), 0)).toBe(1);
    executor.dispose();
  });

  test('random vectors span the kernel, and the rank is its codimension', async () => {
    const executor = await CpuExecutor.create(F);
    const count = cols - rank + 30;
    const kernel = randomKernel(contextOf(executor, 3n), a, count);
    const vectors: number[][] = [];
    for await (const { count: size, ptr, index, values } of kernel.batches()) {
      for (let t = 0; t < size; t++) {
        const v = new Uint32Array(cols);
        for (let at = ptr[t]; at < ptr[t + 1]; at++) v[index[at]] = values[at];
        expect(multiply(F, a, v, 1).every((bit) => bit === 0)).toBe(true);
        vectors.push([...v]);
      }
    }
    expect(vectors.length).toBe(count);
    expect(denseRank(F, vectors)).toBe(cols - rank);
    expect(kernel.rankBound()).toBe(rank);
    executor.dispose();
  });
});

test('small matrices are those of residues', () => {
  const slow = new FieldAlgebra(F, 64);
  const [x, y] = [draw(64 * 64, 5), draw(64 * 64, 6)];
  expect(bitAlgebra.multiply(pack(x), pack(y))).toEqual(pack(slow.multiply(x, y)));
  expect(bitAlgebra.add(pack(x), pack(y))).toEqual(pack(slow.add(x, y)));
  expect(bitAlgebra.negate(pack(x))).toEqual(pack(slow.negate(x)));
  expect(bitAlgebra.complement(pack(x))).toEqual(pack(slow.complement(x)));
  const some = Array.from(draw(64, 7), (bit) => bit === 1);
  expect(bitAlgebra.select(pack(x), some)).toEqual(pack(slow.select(x, some)));
  expect(bitAlgebra.projection(some)).toEqual(pack(slow.projection(some)));
  // Z·Zᵀ of 64 × 40, and of one with a diagonal of zeros: symmetric, of rank 40 at most.
  for (const stream of [8, 9, 10]) {
    const z = draw(64 * 64, stream).map((bit, k) => (k % 64 < 40 ? bit : 0));
    if (stream === 10) for (let k = 0; k < z.length; k += 2) z[k + 1] = z[k];
    const zt = z.map((_, k) => z[(k % 64) * 64 + Math.floor(k / 64)]);
    const g = slow.multiply(z, zt);
    const [found, expected] = [bitAlgebra.selectColumns(pack(g), some), slow.selectColumns(g, some)!];
    expect(found).toEqual({ ...expected, inverse: pack(expected.inverse) });
  }
});

test('the right kernel of no rows is everything, of the identity nothing', () => {
  const one = bitAlgebra.complement(new Uint32Array(128));
  expect(rightKernel(new Uint32Array(0))).toEqual({ t: one, count: 64 });
  expect(rightKernel(one)).toEqual({ t: new Uint32Array(128), count: 0 });
});
