/** Polynomial matrices on the GPU: transforms there and back, and every range of a product against the CPU's. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isPrime } from '../../../fields/primality.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { GpuPolyProduct } from '../../../kernels/poly/gpu-mul.js';
import { gpuSchedule } from '../../../kernels/poly/gpu-mul-plan.js';
import { LONGEST_LOG, TRANSFORM_PRIMES, transformPrimesFor } from '../../../kernels/poly/gpu-ntt-primes.js';
import { type GpuPolyMatrix, GpuPolyMemory, gpuCoefficients, gpuRows } from '../../../kernels/poly/gpu-poly-matrix.js';
import { PolyProduct } from '../../../kernels/poly/mul.js';
import {
  allocPoly,
  allocZeroPoly,
  coefficientsView,
  groupsOf,
  readPoly,
  rowsView,
  writePoly,
} from '../../../kernels/poly/poly-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';

const PRIMES = [2, 3, 65521, 2147483629 /* three primes */, 2147483647];

describe('the primes of the transforms', () => {
  test('are primes with roots of unity enough, and in the bounds that the shaders need', () => {
    for (const q of TRANSFORM_PRIMES) {
      expect(isPrime(q)).toBe(true);
      expect((q - 1) % 2 ** LONGEST_LOG).toBe(0);
      expect(q).toBeLessThan(2 ** 30);
      expect(3 * q).toBeGreaterThan(2 ** 31);
    }
  });

  test('are as many as hold the largest coefficient', () => {
    const [q0, q1] = TRANSFORM_PRIMES;
    expect(transformPrimesFor(q0 * 0.999)).toBe(1);
    expect(transformPrimesFor(q0)).toBe(2);
    expect(transformPrimesFor(q0 * q1)).toBe(3);
    expect(transformPrimesFor(2 ** 90)).toBe(Infinity);
  });
});

test('a schedule covers the range, and what wraps falls below it', () => {
  for (const [left, right, from, count] of [
    [1, 1, 0, 1],
    [820, 8192, 4096, 4096],
    [7, 300, 0, 300],
    [300, 7, 20, 100],
    [64, 64, 0, 127],
  ] as const) {
    const plan = gpuSchedule({ rows: 8, inner: 8, columns: 4, left, right, from, count, total: left + right - 1 })!;
    expect(plan.piece * plan.pieces).toBeGreaterThanOrEqual(count);
    expect(plan.piece * (plan.pieces - 1)).toBeLessThan(count);
    expect(2 ** plan.logPoints).toBeGreaterThanOrEqual(left - 1 + Math.min(plan.piece, right));
  }
});

describe.skipIf(gpuMissing)('products on the GPU', () => {
  let team: Team;
  let memory: GpuPolyMemory;
  beforeAll(async () => {
    team = await Team.create(1);
    memory = new GpuPolyMemory(await testGpu());
  });
  afterAll(async () => {
    memory?.dispose();
    await team.dispose();
  });

  function put(rows: number, cols: number, blocks: Uint32Array): GpuPolyMatrix {
    const matrix = memory.matrix(rows, cols, blocks.length / (rows * cols));
    memory.write(matrix, blocks);
    return matrix;
  }

  const random = (p: number, size: number, seed: bigint): Uint32Array =>
    new CounterRandom(seed, 1).fillResidues(new Uint32Array(size), p, 0);

  /** The largest residues everywhere: sums and digits as large as they get. */
  const largest = (p: number, size: number): Uint32Array => new Uint32Array(size).fill(p - 1);

  interface Shape {
    readonly rows: number;
    readonly inner: number;
    readonly cols: number;
    readonly left: number;
    readonly right: number;
    readonly from: number;
    readonly count: number;
  }

  async function agree(p: number, shape: Shape, blockBytes?: number): Promise<void> {
    const { rows, inner, cols, left, right, from, count } = shape;
    const field = WordPrime.of(p);
    const product = new GpuPolyProduct(memory, field, blockBytes === undefined ? {} : { blockBytes });
    const cpu = new PolyProduct(team, field);
    for (const fill of [random, largest]) {
      const [a, b] = [fill(p, rows * inner * left, 3n), fill(p, inner * cols * right, 4n)];
      const [x, y] = [put(rows, inner, a), put(inner, cols, b)];
      const got = product.range(x, y, from, count);
      const [u, v] = [allocPoly(team.memory, rows, inner, left), allocPoly(team.memory, inner, cols, right)];
      writePoly(team.memory, u, a);
      writePoly(team.memory, v, b);
      const expected = cpu.range(u, v, from, count);
      expect(await memory.read(got), JSON.stringify(shape)).toEqual(readPoly(team.memory, expected));
      for (const m of [x, y, got]) memory.release(m);
      for (const m of [u, v, expected]) team.memory.release(m.at);
    }
    product.dispose();
    cpu.dispose();
  }

  const SHAPES: Shape[] = [
    { rows: 1, inner: 1, cols: 1, left: 1, right: 1, from: 0, count: 1 },
    { rows: 3, inner: 5, cols: 2, left: 6, right: 9, from: 0, count: 14 },
    { rows: 9, inner: 7, cols: 6, left: 20, right: 130, from: 33, count: 90 },
    { rows: 6, inner: 17, cols: 4, left: 40, right: 700, from: 100, count: 700 /* beyond the end */ },
    { rows: 4, inner: 4, cols: 4, left: 300, right: 7, from: 20, count: 100 },
    { rows: 1, inner: 2, cols: 1, left: 2600, right: 2600, from: 0, count: 5199 /* longer than a tile */ },
    { rows: 1, inner: 1, cols: 1, left: 5000, right: 9000, from: 12000, count: 700 },
    { rows: 2, inner: 3, cols: 4, left: 5, right: 6, from: 30, count: 4 /* nothing left */ },
    { rows: 5, inner: 2, cols: 3, left: 50, right: 60, from: 0, count: 70 /* less than all */ },
    { rows: 5, inner: 7, cols: 3, left: 900, right: 901, from: 899, count: 1 /* by the definition */ },
    { rows: 6, inner: 5, cols: 6, left: 60, right: 1, from: 10, count: 45 },
    { rows: 3, inner: 290, cols: 5, left: 2, right: 9, from: 3, count: 7 },
    { rows: 4, inner: 6, cols: 4, left: 40, right: 9, from: 45, count: 3 },
  ];

  test.each(PRIMES)('agree with the CPU on any range mod %i', async (p) => {
    for (const shape of SHAPES) await agree(p, shape);
  });

  test.each([65521, 2147483629])('agree when rows, pieces and columns are taken in blocks, mod %i', async (p) => {
    const shape = { rows: 9, inner: 7, cols: 11, left: 20, right: 300, from: 10, count: 250 };
    for (const blockBytes of [1, 40_000, 200_000]) await agree(p, shape, blockBytes);
  });

  test('a product with 1 is the matrix itself: transforms there and back', async () => {
    for (const length of [1, 15, 17, 1000, 4097]) {
      const product = new GpuPolyProduct(memory, WordPrime.of(2147483629));
      const a = random(2147483629, 2 * 3 * length, 5n);
      const [one, x] = [put(2, 2, Uint32Array.of(1, 0, 0, 1)), put(2, 3, a)];
      const y = product.range(one, x, 0, length);
      expect(await memory.read(y)).toEqual(a);
      for (const m of [one, x, y]) memory.release(m);
      product.dispose();
    }
  });

  test.each([1, 3, 4, 6, 33])('blocks of %d columns go where the CPU has them, and come back', async (cols) => {
    for (const [rows, length] of [
      [1, 1],
      [3, 17],
      [5, 40],
    ] as const) {
      const given = random(2147483629, rows * cols * length, 6n);
      const whole = put(rows + 2, cols, largest(2147483629, (rows + 2) * cols * (length + 3)));
      const view = gpuRows(gpuCoefficients(whole, 2, length), 1, rows);
      memory.write(view, given);
      expect(await memory.read(view)).toEqual(given);
      const expected = allocZeroPoly(team.memory, rows + 2, cols, length + 3);
      writePoly(team.memory, expected, largest(2147483629, (rows + 2) * cols * (length + 3)));
      writePoly(team.memory, rowsView(coefficientsView(expected, 2, length), 1, rows), given);
      const bytes = 16 * (rows + 2) * groupsOf(cols) * (length + 3);
      const words = await memory.gpu.read(whole.buffer, 0, bytes);
      expect(words, `${rows} × ${cols} × ${length}`).toEqual(team.memory.u32(expected.at, bytes / 4).slice());
      memory.release(whole);
      team.memory.release(expected.at);
    }
  });

  test('views are added and copied in place, canonically', async () => {
    const p = 2147483629;
    const product = new GpuPolyProduct(memory, WordPrime.of(p));
    const to = put(4, 5, largest(p, 4 * 5 * 6));
    const from = put(2, 5, largest(p, 2 * 5 * 3));
    product.addInto(gpuRows(gpuCoefficients(to, 1, 4), 1, 2), from);
    const got = await memory.read(to);
    for (let k = 0; k < 6; k++) {
      for (let i = 0; i < 4; i++) {
        const sum = k >= 1 && k < 4 && i >= 1 && i < 3;
        for (let j = 0; j < 5; j++) expect(got[(k * 4 + i) * 5 + j]).toBe(sum ? p - 2 : p - 1);
      }
    }
    expect(() => product.addInto(from, to)).toThrow('expected at most 2 × 5 × 3');
    expect(() => product.range(to, from, 0, 1)).toThrow('expected 5 rows in b, got 2');
    for (const m of [to, from]) memory.release(m);
  });
});
