import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { PolyProduct } from '../../../kernels/poly/mul.js';
import type { Transforms } from '../../../kernels/poly/mul-plan.js';
import { Transforms14Bit } from '../../../kernels/poly/ntt-primes-14bit.js';
import { Transforms21Bit } from '../../../kernels/poly/ntt-primes-21bit.js';
import { allocZeroPoly, type PolyMatrix, readPoly, writePoly } from '../../../kernels/poly/poly-matrix.js';
import { KernelMemory } from '../../../kernels/threads/memory.js';
import { Team } from '../../../kernels/threads/team.js';

/** What the residues of a test are: random ones, or all the largest in magnitude, so that sums reach their bounds. */
type Fill = 'random' | 'largest';

interface Shape {
  readonly rows: number;
  readonly inner: number;
  readonly cols: number;
  readonly a: number; // coefficients
  readonly b: number;
  readonly from: number;
  readonly count: number;
}

const full = (rows: number, inner: number, cols: number, a: number, b: number): Shape => ({
  ...{ rows, inner, cols, a, b },
  ...{ from: 0, count: a + b - 1 },
});

const SHAPES: Shape[] = [
  full(2, 2, 1, 3, 3),
  full(1, 1, 1, 1, 60),
  full(3, 5, 6, 32, 33), // 64 points exactly
  full(4, 4, 4, 65, 65), // 129 coefficients by 128 points
  full(2, 3, 2, 65, 66), // 130 coefficients by 128 points
  full(2, 2, 2, 97, 97), // 193 coefficients by 192 points
  full(5, 1, 4, 200, 9),
  full(1, 7, 1, 9, 400),
  { ...full(4, 4, 2, 33, 64), from: 32, count: 32 }, // middle product, 64 points
  { ...full(4, 4, 2, 34, 64), from: 32, count: 32 },
  { ...full(8, 8, 4, 25, 300), from: 120, count: 150 }, // more coefficients than a is long: pieces
  { ...full(2, 2, 2, 50, 50), from: 40, count: 80 }, // reaches beyond the product
  { ...full(2, 2, 2, 50, 50), from: 98, count: 1 },
  { ...full(3, 3, 3, 40, 90), from: 10, count: 30 }, // starts before deg a
  { ...full(3, 3, 3, 100, 20), from: 15, count: 60 },
  full(4, 30, 5, 1, 61), // a constant: coefficients by fours, and one
  full(6, 37, 4, 63, 1),
  { ...full(3, 4, 2, 1, 50), from: 7, count: 60 }, // and beyond the product
  { ...full(3, 4, 2, 50, 1), from: 45, count: 9 },
];

// The transforms are exact for every p below 2^31: with one prime (2, 3), two, three, four.
const PRIMES = [2, 3, 251, 65521, 65537, 786433 /* a prime of the transforms */, 2147483629, 2147483647];

describe('products of polynomial matrices', () => {
  let team: Team;
  beforeAll(async () => {
    team = await Team.create(1);
  });
  afterAll(() => team.dispose());

  const matrix = (p: number, rows: number, cols: number, length: number, stream: number, fill: Fill): PolyMatrix => {
    const random = new CounterRandom(17n, stream);
    const at = allocZeroPoly(team.memory, rows, cols, length);
    // floor(p/2) is the residue of largest magnitude
    const words = Uint32Array.from({ length: rows * cols * length }, (_, i) =>
      fill === 'largest' ? Math.floor(p / 2) : random.u32At(i) % p,
    );
    writePoly(team.memory, at, words);
    return at;
  };

  /**
   * Coefficients of a·b by the definition, on exact integers: doubles where 2^20 products of residues stay below 2^53.
   */
  const expected = (a: PolyMatrix, b: PolyMatrix, shape: Shape, p: number): Uint32Array => {
    const [x, y] = [readPoly(team.memory, a), readPoly(team.memory, b)];
    if (p < 2 ** 16)
      return sums(
        x,
        y,
        a,
        b,
        shape,
        (value) => value,
        0,
        (sum) => sum % p,
      );
    return sums(x, y, a, b, shape, BigInt, 0n, (sum) => Number(sum % BigInt(p)));
  };

  /** With the numbers T; TypeScript has no name for types that can be added and multiplied. */
  const sums = <T>(
    x: Uint32Array,
    y: Uint32Array,
    a: PolyMatrix,
    b: PolyMatrix,
    { from, count }: Shape,
    number: (value: number) => T,
    zero: T,
    residue: (sum: T) => number,
  ): Uint32Array => {
    const [xs, ys] = [x, y].map((values) => Array.from(values, number) as number[]) as [number[], number[]];
    const out = new Uint32Array(count * a.rows * b.cols);
    for (let k = 0; k < count; k++) {
      for (let i = 0; i < a.rows; i++) {
        for (let j = 0; j < b.cols; j++) {
          let sum = zero as number;
          for (let s = Math.max(0, from + k - b.length + 1); s <= Math.min(a.length - 1, from + k); s++) {
            for (let l = 0; l < a.cols; l++) {
              sum += xs[(s * a.rows + i) * a.cols + l]! * ys[((from + k - s) * b.rows + l) * b.cols + j]!;
            }
          }
          out[(k * a.rows + i) * b.cols + j] = residue(sum as T);
        }
      }
    }
    return out;
  };

  const check = (p: number, shape: Shape, fill: Fill, transforms?: readonly Transforms[]): void => {
    const product = new PolyProduct(team, WordPrime.of(p), transforms);
    const a = matrix(p, shape.rows, shape.inner, shape.a, 1, fill);
    const b = matrix(p, shape.inner, shape.cols, shape.b, 2, fill);
    const c = product.range(a, b, shape.from, shape.count);
    expect(readPoly(team.memory, c), `${JSON.stringify(shape)} ${fill}`).toEqual(expected(a, b, shape, p));
    for (const { at } of [a, b, c]) team.memory.release(at);
    product.dispose();
  };

  test.each(PRIMES)('agree with the definition mod %i', (p) => {
    for (const shape of SHAPES) for (const fill of ['random', 'largest'] as const) check(p, shape, fill);
  });

  /** Too long, or too many columns, for the definition to be chosen, so that these transforms are what is tested. */
  test.each(['wide', 'narrow'] as const)('by %s transforms alone', (kind) => {
    const Kind = kind === 'wide' ? Transforms21Bit : Transforms14Bit;
    for (const p of [2, 4093, 65521]) {
      for (const shape of [
        full(9, 12, 5, 33, 32), // 64 points
        full(12, 9, 17, 49, 48), // 96
        full(3, 10, 5, 130, 127), // 256
        full(16, 1, 16, 97, 96), // 192
        full(1, 300, 9, 40, 40), // sums beyond what 32 bits hold at once
        full(2, 3, 2, 300, 213), // 512
        full(1, 1, 1, 700, 837), // 1536
        { ...full(5, 10, 3, 65, 300), from: 64, count: 200 },
        { ...full(10, 11, 9, 33, 64), from: 32, count: 32 },
      ]) {
        for (const fill of ['random', 'largest'] as const) {
          check(p, shape, fill, [new Kind(team.memory, WordPrime.of(p))]);
        }
      }
    }
  });

  /** One entry, all coefficients the largest: coefficient k is (number of terms)·floor(p/2)², whatever the length. */
  test.each([
    [65521, 4096, 4096],
    [2147483647, 12288, 12288],
    [2147483647, 24576, 70000], // points beyond the reach of the fifth prime
    [2147483647, 100000, 3],
    [65521, 200000, 200000], // longer than any transform
  ])('long products of the largest residues mod %i: %i by %i coefficients', (p, la, lb) => {
    const field = WordPrime.of(p);
    const product = new PolyProduct(team, field);
    const a = matrix(p, 1, 1, la, 1, 'largest');
    const b = matrix(p, 1, 1, lb, 2, 'largest');
    const c = product.range(a, b, 0, la + lb - 1);
    const square = field.mul(Math.floor(p / 2), Math.floor(p / 2));
    const wanted = Uint32Array.from({ length: la + lb - 1 }, (_, k) =>
      field.mul(field.from(Math.min(k + 1, la, lb, la + lb - 1 - k)), square),
    );
    expect(readPoly(team.memory, c).findIndex((x, k) => x !== wanted[k])).toBe(-1);
    for (const { at } of [a, b, c]) team.memory.release(at);
    product.dispose();
  });

  /**
   * [f, f]·[g; h − g] = f·h has far fewer coefficients than f and g suggest: `total` says so, and g is longer than 64
   * points.
   */
  test.each([251, 65521, 2147483647])('products that end as early as a factor does, mod %i', (p) => {
    const F = WordPrime.of(p);
    const product = new PolyProduct(team, F);
    for (const [lf, lg] of [
      [60, 66],
      [60, 65],
      [66, 60],
      [100, 130],
    ] as const) {
      const total = Math.max(lf, lg);
      const [f, g] = [matrix(p, 8, 1, lf, 1, 'random'), matrix(p, 1, 8, lg, 2, 'random')];
      const h = matrix(p, 1, 8, total - lf + 1, 3, 'random');
      const [fs, gs, hs] = [f, g, h].map((x) => readPoly(team.memory, x)) as [Uint32Array, Uint32Array, Uint32Array];
      const [a, b] = [allocZeroPoly(team.memory, 8, 2, lf), allocZeroPoly(team.memory, 2, 8, Math.max(lg, h.length))];
      writePoly(
        team.memory,
        a,
        Uint32Array.from({ length: 2 * fs.length }, (_, at) => fs[at >> 1]!),
      );
      const bs = new Uint32Array(b.length * 16);
      for (let at = 0; at < b.length * 8; at++) {
        const [k, j] = [at >> 3, at & 7];
        bs[16 * k + j] = gs[at] ?? 0;
        bs[16 * k + 8 + j] = F.sub(hs[at] ?? 0, gs[at] ?? 0);
      }
      writePoly(team.memory, b, bs);
      const c = product.range(a, b, 0, total, total);
      const shape = { ...full(8, 1, 8, lf, h.length), count: total };
      expect(readPoly(team.memory, c), `${lf} and ${lg}`).toEqual(expected(f, h, shape, p));
      for (const { at } of [f, g, h, a, b, c]) team.memory.release(at);
    }
    product.dispose();
  });

  test('a range of a product whose first factor is longer than any transform', () => {
    const field = WordPrime.of(65521);
    const product = new PolyProduct(team, field);
    const a = matrix(65521, 1, 1, 250000, 1, 'largest');
    const b = matrix(65521, 1, 1, 1000, 2, 'largest');
    const c = product.range(a, b, 124000, 2000); // both halves of a meet in it
    const wanted = field.mul(1000, field.mul(32760, 32760));
    expect(readPoly(team.memory, c)).toEqual(new Uint32Array(2000).fill(wanted));
    for (const { at } of [a, b, c]) team.memory.release(at);
    product.dispose();
  });

  // Pages of 64 KiB; with all of them: 1536 points, and 768 for the shorter factor.
  test.each([
    ['with shorter pieces', 600, 600],
    ['with a factor that is cut', 600, 370],
    ['by the definition', 300, 70],
  ])('a product whose transforms have no room is made %s', async (_, length, pages) => {
    const p = 2147483629;
    const made = async (memory: KernelMemory): Promise<Uint32Array> => {
      const own = await Team.create(1, memory);
      const product = new PolyProduct(own, WordPrime.of(p));
      const [a, b] = [1, 2].map((stream) => {
        const random = new CounterRandom(17n, stream);
        const factor = allocZeroPoly(memory, 24, 24, length);
        writePoly(
          memory,
          factor,
          Uint32Array.from({ length: 576 * length }, (_, i) => random.u32At(i) % p),
        );
        return factor;
      }) as [PolyMatrix, PolyMatrix];
      const words = readPoly(memory, product.range(a, b, 0, 2 * length - 1));
      product.dispose();
      await own.dispose();
      return words;
    };
    const [few, all] = [await made(new KernelMemory(pages)), await made(new KernelMemory())];
    expect(few.findIndex((word, i) => word !== all[i])).toBe(-1);
    expect(few).toHaveLength(all.length);
  });

  test('many columns in one sum: 700 products of the largest residues at every point', () => {
    check(2147483647, full(1, 700, 2, 16, 17), 'largest');
  });
});
