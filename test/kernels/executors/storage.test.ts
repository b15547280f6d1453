/**
 * Every format on every executor, on several threads, and beside memory that others have left: empty rows, rows far
 * longer than others, no rows at all; products as the reference has them.
 */
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { loadEncoder as loadBuilt } from '../../../dist/kernels/jit/encoder.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { BlockVector, Executor, Operator } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { loadEncoder } from '../../../kernels/jit/encoder.js';
import { findBlocks } from '../../../kernels/sparse/block-fill.js';
import { FORMAT_NAMES, type FormatName } from '../../../kernels/sparse/formats/index.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { chooseGpuFormat } from '../../../kernels/spmm/gpu-bcsr.js';
import { skipOf } from '../../gpu.js';
import { share } from '../../share.js';
import { CASES, filled, matrixOf } from './cases.js';
import { cpu } from './program-steps.js';
import { EXECUTORS, fieldOf, formatsOf, joinReads, same } from './table.js';

// Of the sources, and of what is built, which several threads need.
beforeAll(() => Promise.all([loadEncoder(), loadBuilt()]));

/** Both products, on vectors of extremes. */
async function products(executor: Executor, matrix: ResidueMatrix, storage: FormatName): Promise<Uint32Array> {
  const a = executor.operator(matrix, { storage });
  const [x, y] = [filled(executor, a.cols, 8, 3), filled(executor, a.rows, 8, 4)];
  await a.apply(y, x, 1, 1);
  await a.applyTransposed(x, y);
  a.free?.();
  const read = await joinReads(executor, x, y);
  for (const v of [x, y]) executor.release(v);
  return read;
}

const known = new Map<number, Promise<Uint32Array[]>>();

/** Of every matrix by the reference in its plainest format, once an order. */
function productsOf(p: number): Promise<Uint32Array[]> {
  const made =
    known.get(p) ??
    Promise.all(CASES.map(({ matrix }) => products(new ReferenceExecutor(...fieldOf(p)), matrix(p), 'csr')));
  known.set(p, made);
  return made;
}

describe.each(EXECUTORS)('%s', (name, make, primes) => {
  beforeEach(skipOf(name));

  describe.each(primes)('order %d', (p) => {
    const formats = formatsOf(name);
    // Shaders are compiled anew for every format and prime: those of the largest residues have all long rows.
    const isShared = name === 'gpu' && p !== 65521 && p !== 2147483647;
    test.each(isShared ? share(formats, primes.indexOf(p), 2) : formats)('stores %s', async (storage) => {
      const executor = await make(...fieldOf(p));
      const expected = await productsOf(p);
      for (const [at, { name: matrix }] of CASES.entries()) {
        const words = await products(executor, CASES[at]!.matrix(p), storage);
        expect({ matrix, words }).toEqual({ matrix, words: expected[at] });
      }
      executor.dispose();
    });
  });
});

/** Block rows of b × b blocks at block columns I, 3·I and 7·I, then five rows of their own. */
function blocks(b: number, p: number): ResidueMatrix {
  const [count, cols] = [Math.ceil(96 / b), 128];
  const entries: [number, number, number][] = [];
  for (let i = 0; i < count * b; i++) {
    const I = Math.floor(i / b);
    for (const J of new Set([I, 3 * I, 7 * I].map((at) => at % Math.floor(cols / b)))) {
      for (let c = 0; c < b; c++) entries.push([i, J * b + c, 1 + ((i * 37 + c * 11 + J) % (p - 1))]);
    }
  }
  for (let i = 0; i < 5; i++) entries.push([count * b + i, 25 * i, 1]);
  return SparseMatrix.fromTriplets(count * b + 5, cols, entries).residues(p);
}

describe.each(EXECUTORS.filter(([name]) => name.startsWith('gpu')))('%s', (name, make) => {
  beforeEach(skipOf(name));
  test.each([2, 3, 4, 8, 16] as const)(
    'chooses blocks of %d of many entries below 2^16 and has their product',
    async (b) => {
      for (const p of [101, 65521, 2147483629]) {
        const a = blocks(b, p);
        const few = a.colIdx.length - 1;
        expect(chooseGpuFormat(a, WordPrime.of(p), 2 ** 27, few)).toBe(p < 2 ** 16 ? `bcsr-${b}` : 'sliced-ell');
        expect(chooseGpuFormat(a, WordPrime.of(p), 2 ** 6, few)).toBe('sliced-ell');
        expect(chooseGpuFormat(a, WordPrime.of(p), 2 ** 27)).toBe('sliced-ell');
        await same(make, p, async (executor) => {
          const operator = executor.operator(a, { use: 'apply', storage: `bcsr-${b}` });
          const results = [];
          for (const width of [1, 4, 6]) {
            const [x, y] = [filled(executor, a.cols, width, 3), filled(executor, a.rows, width, 4)];
            await operator.apply(y, x, p - 1, p - 2);
            results.push(...(await executor.read(y)));
          }
          return Uint32Array.from(results);
        });
      }
    },
  );
});

describe.each(EXECUTORS.filter(([name]) => name === 'cpu'))('%s', (name, make) => {
  beforeEach(skipOf(name));
  test('stores blocks of 16 by width, with one product', async () => {
    for (const p of [101, 65521]) {
      const a = blocks(16, p);
      await same(make, p, async (executor) => {
        const operator = executor.operator(a);
        const results = [];
        for (const width of [1, 4, 1, 2]) {
          const [x, y] = [filled(executor, a.cols, width, 3), filled(executor, a.rows, width, 4)];
          await operator.apply(y, x, p - 1, p - 2);
          await operator.applyTransposed(x, y);
          results.push(...(await executor.read(y)), ...(await executor.read(x)));
        }
        operator.free?.();
        return Uint32Array.from(results);
      });
    }
  });
});

describe.each(EXECUTORS.filter(([name]) => name !== 'cpu'))('%s', (name, make, primes) => {
  beforeEach(skipOf(name));
  test.each(primes)('adds up columns of any width, order %d', async (p) => {
    const a = CASES.find((each) => each.name === 'all classes, uneven: CSR')!.matrix(p);
    await same(make, p, async (executor) => {
      const operator = executor.operator(a, { use: 'apply', storage: 'csc' });
      const results = [];
      for (const width of [1, 3, 6, 16]) {
        const [x, y] = [filled(executor, a.cols, width, 3), filled(executor, a.rows, width, 4)];
        await operator.apply(y, x, p - 1, Math.max(0, p - 2));
        results.push(...(await executor.read(y)));
      }
      return Uint32Array.from(results);
    });
  });
});

test.each([
  ...([2, 3, 4, 8, 16] as const).map((b) => [`bcsr-${b}`, b] as const),
  ['csc', 3] as const,
  ['dense-columns', 3] as const,
])('threads have the product of %s at any width', async (storage, b) => {
  for (const p of [2, 65521, 65537]) {
    // Rows and columns that no block size divides; more terms than sums of 32 bits hold.
    const matrices = [blocks(b, p), matrixOf(37, 301, p, 'general', () => 290)];
    const reference = new ReferenceExecutor(WordPrime.of(p));
    const executors = [reference, await cpu(p, 1), await cpu(p, 3)];
    for (const a of matrices) {
      for (const width of [1, 3, 20]) {
        for (const [alpha, beta] of [
          [1, 0],
          [1, 1],
          [p - 1, p - 1],
        ] as const) {
          const results = [];
          for (const e of executors) {
            const operator = e.operator(a, { use: 'apply', storage: e === reference ? 'csr' : storage });
            const [x, y] = [filled(e, a.cols, width, 3), filled(e, a.rows, width, 4)];
            await operator.apply(y, x, alpha, beta);
            results.push(await e.read(y));
            operator.free?.();
            for (const v of [x, y]) e.release(v);
          }
          for (const result of results.slice(1)) expect(result).toEqual(results[0]);
        }
      }
    }
    for (const e of executors.slice(1)) e.dispose();
  }
});

/** As many as go before a plan of few columns (cpu-operator.ts). */
async function manyProducts(operator: Operator, y: BlockVector, x: BlockVector): Promise<void> {
  for (let k = 0; k < 256; k++) await operator.apply(y, x);
}

test.each([3, 101, 65521, 65537])('diagonals side by side, unasked, p = %d', async (p) => {
  const rows = 997;
  const near = [0, 1, 8, 9, 64];
  const colIdx = Uint32Array.from({ length: 5 * rows }, (_, k) => Math.floor(k / 5) + near[k % 5]!);
  const rowPtr = Uint32Array.from({ length: rows + 1 }, (_, i) => 5 * i);
  const values = colIdx.map((_, k) => 1 + ((k * k) % (p - 1)));
  const a = { rows, cols: rows + 65, rowPtr, colIdx, values };
  const reference = new ReferenceExecutor(WordPrime.of(p));
  const threads = await cpu(p, 2);
  const alloc = vi.spyOn(threads.team.memory, 'alloc');
  for (const width of [1, 2, 16, 1]) {
    const results = [];
    for (const e of [reference, threads]) {
      const operator = e.operator(a);
      const [x, y] = [filled(e, a.cols, width, 3), filled(e, a.rows, width, 4)];
      if (e === threads) await manyProducts(operator, e.vector(a.rows, width), x);
      alloc.mockClear();
      await operator.apply(y, x, p - 1, 1);
      // A plan of its own for one vector.
      expect(alloc.mock.calls.length > 0).toBe(e === threads && width === 1 && p < 2 ** 16);
      await operator.applyTransposed(x, y, 1, p - 1);
      results.push([await e.read(y), await e.read(x)]);
      operator.free?.();
      for (const v of [x, y]) e.release(v);
    }
    expect(results[1]).toEqual(results[0]);
  }
  threads.dispose();
});

test('dense blocks mod 7, unasked: blocks for up to 15 columns, rows for more', async () => {
  const p = 7;
  const { cols, rowPtr, colIdx } = blocks(8, p);
  const rows = 96; // without those behind the blocks
  const nnz = rowPtr[rows]!;
  const values = Uint32Array.from({ length: nnz }, (_, k) => 2 + (k % (p - 3)));
  const a = { rows, cols, rowPtr: rowPtr.slice(0, rows + 1), colIdx: colIdx.slice(0, nnz), values };
  const reference = new ReferenceExecutor(WordPrime.of(p));
  const threads = await cpu(p, 2);
  const alloc = vi.spyOn(threads.team.memory, 'alloc');
  const [first, second] = [reference, threads].map((e) => e.operator(a));
  for (const [width, isNew] of [
    [16, false],
    [15, true],
    [1, false],
    [33, false],
  ] as const) {
    const results = [];
    for (const [e, operator] of [
      [reference, first!],
      [threads, second!],
    ] as const) {
      const [x, y] = [filled(e, a.cols, width, 3), filled(e, a.rows, width, 4)];
      if (e === threads && isNew) await manyProducts(operator, e.vector(a.rows, width), x);
      alloc.mockClear();
      await operator.apply(y, x, p - 1, 1);
      expect(alloc.mock.calls.length > 0).toBe(e === threads && isNew);
      results.push(await e.read(y));
      for (const v of [x, y]) e.release(v);
    }
    expect(results[1]).toEqual(results[0]);
  }
  threads.dispose();
});

test('blocks are those that are full', () => {
  const { rowPtr, ...rest } = blocks(8, 101);
  expect(findBlocks({ rowPtr, ...rest })).toBe(8);
  expect(findBlocks(matrixOf(200, 300, 101, 'general', () => 20))).toBe(null);
  expect(findBlocks(matrixOf(20, 30, 101, 'general', () => 20))).toBe(null); // fewer rows than a sample has
  // A shift by a row leaves blocks half full.
  expect(findBlocks({ ...rest, rows: rest.rows + 1, rowPtr: Uint32Array.of(0, ...rowPtr) })).not.toBe(8);
});

test.each([
  [65521, 2],
  [65537, 3],
])('several threads take rows in every format, p = %d', async (p, threads) => {
  const expected = await productsOf(p);
  const executor = await cpu(p, threads);
  for (const storage of FORMAT_NAMES) {
    for (const [at, { matrix }] of CASES.entries()) {
      expect(await products(executor, matrix(p), storage)).toEqual(expected[at]);
    }
  }
  executor.dispose();
});

test('words behind the arrays of a part are none of its entries', async () => {
  const p = 65537;
  // The number of the last row stands wherever an array ends.
  const [rows, cols] = [5, 5];
  const matrix = matrixOf(rows, cols, p, 'mixed', (i) => 1 + (i % 3));
  const reference = new ReferenceExecutor(WordPrime.of(p));
  for (const storage of FORMAT_NAMES) {
    const executor = await cpu(p);
    const left = executor.vector(100_000, 1);
    executor.fill(left, rows - 1);
    executor.release(left);
    expect(await products(executor, matrix, storage)).toEqual(await products(reference, matrix, storage));
    executor.dispose();
  }
});
