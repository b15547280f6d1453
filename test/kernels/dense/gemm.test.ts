/** The dense product against sums of products one by one, around the edges of tiles, panels, runs and blocks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { DenseMatrix } from '../../../kernels/dense/dense-matrix.js';
import { DenseProduct } from '../../../kernels/dense/gemm.js';
import { gemmBoundsOf } from '../../../kernels/dense/gemm-bounds.js';
import { Team } from '../../../kernels/threads/team.js';
import { extremes, worstPair } from '../executors/cases.js';

// The last plain prime and the first split one, the largest of 16 bits, the first wide one, only 252 terms in a double.
const PRIMES = [2, 3, 257, 8191, 16369, 16381, 16411, 32749, 65521, 65537, 16777259, 2147483629, 2147483647];
/** rows, depth, width */
const SHAPES: readonly [number, number, number][] = [
  [1, 1, 8],
  [3, 5, 16],
  [4, 128, 8],
  [5, 129, 24],
  [9, 252, 8],
  [6, 253, 8],
  [7, 256, 16],
  [8, 257, 8],
  [130, 3, 136],
  [3, 2051, 8],
];

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** c − a·b by the kernels, all row-major; every other column of a wider matrix is A's. */
function subtracted(F: WordPrime, c: Uint32Array, a: Uint32Array, b: Uint32Array, shape: readonly number[]) {
  const [rows, depth, width] = shape as [number, number, number];
  const { memory } = team;
  const [left, right, out] = [
    new DenseMatrix(memory, F, rows, 2 * depth),
    new DenseMatrix(memory, F, depth, width),
    new DenseMatrix(memory, F, rows, width),
  ];
  const columns = memory.alloc(4 * depth);
  const product = new DenseProduct(team, F);
  memory.u32(columns, depth).set(Array.from({ length: depth }, (_, k) => 2 * k + (k % 2)));
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < depth; k++) left.row(i)[2 * k + (k % 2)] = a[i * depth + k];
    out.row(i).set(c.subarray(i * width, (i + 1) * width));
  }
  for (let k = 0; k < depth; k++) right.row(k).set(b.subarray(k * width, (k + 1) * width));
  const run = (fresh: boolean): number[] => {
    product.subtract(out, left, columns, right, rows, depth, width, fresh);
    return Array.from({ length: rows }, (_, i) => [...out.row(i)]).flat();
  };
  const results = [run(false), run(true)] as const;
  product.release();
  for (const m of [left, right, out]) m.release();
  memory.release(columns);
  return results;
}

function expected(F: WordPrime, c: Uint32Array, a: Uint32Array, b: Uint32Array, shape: readonly number[]): number[] {
  const [rows, depth, width] = shape as [number, number, number];
  return Array.from({ length: rows * width }, (_, at) => {
    const [i, j] = [Math.floor(at / width), at % width];
    const column = Uint32Array.from({ length: depth }, (_, k) => b[k * width + j]);
    return F.sub(c[at], F.dot(a.subarray(i * depth, (i + 1) * depth), column));
  });
}

describe('dense product', () => {
  test.each(PRIMES)('C − A·B and 0 − A·B mod %i, residues at their extremes', (p) => {
    const F = WordPrime.of(p);
    for (const [number, shape] of SHAPES.entries()) {
      const [rows, depth, width] = shape;
      const a = extremes(rows * depth, p, 3 * number);
      const b = extremes(depth * width, p, 3 * number + 1);
      const c = extremes(rows * width, p, 3 * number + 2);
      const [kept, fresh] = subtracted(F, c, a, b, shape);
      expect(kept, `${shape}`).toEqual(expected(F, c, a, b, shape));
      expect(fresh, `${shape}, fresh`).toEqual(expected(F, new Uint32Array(c.length), a, b, shape));
    }
  });

  test.each(PRIMES)('sums as large as they can be, mod %i', (p) => {
    const F = WordPrime.of(p);
    const shape = [4, 600, 8];
    const worst = p < 65536 ? worstPair(p) : { x: 0, v: 0 };
    // balanced residues of largest magnitude; bytes times a pair; the digit −2^15 of b
    const pairs = [
      [(p - 1) >> 1, (p - 1) >> 1],
      [Math.ceil(p / 2), (p - 1) >> 1],
      [worst.v, worst.x],
      [(p - 1) >> 1, p < 65536 ? 1 : 32768 % p],
      [Math.ceil(p / 2), p < 65536 ? 1 : p - 32768],
    ];
    for (const [x, y] of pairs as [number, number][]) {
      for (const sign of [x, F.neg(x)]) {
        const [a, b, c] = [
          new Uint32Array(2400).fill(sign),
          new Uint32Array(4800).fill(y),
          new Uint32Array(32).fill(p - 1),
        ];
        expect(subtracted(F, c, a, b, shape)[0], `${sign} · ${y}`).toEqual(expected(F, c, a, b, shape));
      }
    }
  });

  test('runs are as long as the bounds say', () => {
    const runs = (p: number) => gemmBoundsOf(WordPrime.of(p));
    expect(runs(65521)).toMatchObject({ plain: false, words: 128 });
    expect(runs(2)).toMatchObject({ plain: true, words: 256 });
    expect(runs(2147483647)).toMatchObject({ words: 251 });
    for (const p of PRIMES) expect(runs(p).words).toBeGreaterThanOrEqual(16);
  });

  test('random factors of a size with several tasks, and nothing stays allocated', () => {
    const F = WordPrime.of(65521);
    const shape = [270, 70, 264];
    const random = new CounterRandom(8, 1);
    const [a, b, c] = [270 * 70, 70 * 264, 270 * 264].map((size, k) =>
      random.fillResidues(new Uint32Array(size), F.p, k * 100000),
    ) as [Uint32Array, Uint32Array, Uint32Array];
    expect(subtracted(F, c, a, b, shape)[0]).toEqual(expected(F, c, a, b, shape));
    const peak = team.memory.peakBytes;
    for (let k = 0; k < 5; k++) subtracted(F, c, a, b, shape);
    expect(team.memory.peakBytes).toBe(peak);
  });
});
