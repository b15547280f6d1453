/** What a GPU is taken to cost, and what it is not taken for. */

import { describe, expect, test } from 'vitest';
import type { GpuCosts } from '../../../algorithms/estimates.js';
import { costs, costsLeft, isDense } from '../../../algorithms/methods/costs.js';
import { gpuCosts } from '../../../algorithms/methods/gpu-costs.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { GpuDevice } from '../../../kernels/gpu/device.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { fakeGpu } from '../../gpu.js';

const device = (threads: number, more: Partial<GpuDevice> = {}): GpuCosts => gpuCosts(fakeGpu(more), threads);
const [narrow, wide] = [WordPrime.of(65521), WordPrime.of(2147483629)];

describe('dense rows are eliminated', () => {
  test('on the GPU from a size on, which grows with the threads', () => {
    const reason = (field: WordPrime, n: number, threads: number) => device(threads).reasonForThreads(field, n, n);
    expect(reason(narrow, 10_000, 16)).toBe(null);
    expect(reason(narrow, 500, 1)).toBe('they are faster on so few');
    expect(reason(narrow, 3000, 1)).toBe(null);
    expect(reason(narrow, 3000, 16)).not.toBe(null);
    expect(reason(wide, 2000, 1)).toBe(null);
    expect(reason(narrow, 2000, 1)).not.toBe(null);
  });

  test('by threads for a reason', () => {
    expect(device(1).reasonForThreads(WordPrime.of(2), 10_000, 10_000)).toBe('bits are eliminated there');
    const software = device(1, { software: true });
    expect(software.reasonForThreads(narrow, 10_000, 10_000)).toBe('a GPU is slower');
    const plain = device(1, { languageFeatures: new Set() });
    expect(plain.reasonForThreads(narrow, 10_000, 10_000)).toBe('a GPU has no products of bytes');
    expect(device(1).reasonForThreads(narrow, 32_000, 32_000)).toBe(null);
    expect(device(1, { maxBindingBytes: 2 ** 30 }).reasonForThreads(narrow, 32_000, 32_000)).toBe(
      '1954 MB are more than the 1024 that a GPU takes in one piece',
    );
  });

  test('by threads where rows on their way to the front do not fit', () => {
    // 40 rows of 2 MB would: 128 of them are moved at a time.
    const reason = (maxBindingBytes: number) =>
      device(1, { maxBindingBytes }).reasonForThreads(narrow, 40, 2 ** 20) as string;
    expect(reason(2 ** 27)).toBe('256 MB are more than the 128 that a GPU takes in one piece');
    expect(reason(2 ** 28)).toBe('they are faster on so few');
  });
});

test('a block of vectors that does not fit comes in pieces, and block Wiedemann is no choice where a column does not', () => {
  const gpu = device(1, { maxBindingBytes: 2 ** 20 });
  expect(gpu.pieces(narrow, 30_000, 1000)).toBe(1); // 16 columns of 2 bytes
  expect(gpu.pieces(narrow, 1000, 40_000)).toBe(2);
  expect(gpu.pieces(wide, 30_000, 1000)).toBe(2);
  expect(gpu.pieces(narrow, 30_000, 1000, 32)).toBe(2);
  expect(gpu.pieces(WordPrime.of(3), 30_000, 1000)).toBe(8); // 8 columns of 5 words, one at a time
  expect(gpu.reasonAgainst(narrow, 1000, 262_144)).toBe(null);
  expect(gpu.reasonAgainst(narrow, 1000, 300_000)).toBe('1.2 MB are more than the 1 that a GPU takes in one piece');
  expect(gpu.reasonAgainst(WordPrime.of(3), 60_000, 1000)).not.toBe(null);
});

test('costs on a GPU are those of one thread beside it', () => {
  const at = (threads: number) => costs(narrow, 20_000, 20_000, 400_000, 1, { gpu: device(threads) });
  const cpu = costs(narrow, 20_000, 20_000, 400_000, 1);
  for (const threads of [1, 16]) {
    const { elimination, sampling, wiedemann } = at(threads);
    expect(elimination).toBeLessThan(cpu.elimination / 5);
    expect(wiedemann).toBeLessThan(cpu.wiedemann);
    expect(sampling).toBe(Number.POSITIVE_INFINITY);
  }
  // A second of the GPU is worth more of a thread's the more of them would go on meanwhile.
  expect(device(1).worth).toBe(1);
  expect(device(2).worth).toBeGreaterThan(1.5);
  expect(device(16).worth).toBeLessThan(5);
  expect(at(16).wiedemann).toBeGreaterThan(at(1).wiedemann);
  const software = costs(narrow, 20_000, 20_000, 400_000, 1, { gpu: device(16, { software: true }) });
  expect(software.elimination).toBe(cpu.elimination);
  expect(software.wiedemann).toBeGreaterThan(at(16).wiedemann);
});

test('beside a GPU elimination goes on with dense rows where a CPU would not yet', () => {
  const fill = { share: 0.03, rows: 32, of: 10_000, secondsARow: 1e-3 };
  expect(isDense(narrow, 10_000, 10_000, 50_000, { fill })).toBe(false);
  expect(isDense(narrow, 10_000, 10_000, 50_000, { fill, gpu: device(1) })).toBe(true);
  const sparse = { ...fill, share: 1e-4, secondsARow: 1e-6 };
  expect(isDense(narrow, 10_000, 10_000, 50_000, { fill: sparse, gpu: device(1) })).toBe(false);
});

test('a GPU takes the implicit Schur complement unless its substitution is deep', () => {
  const { rows, cols, ...entries } = generate('random', [20_000, 20_000, 10, 101, 3]);
  const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);
  const left = (levels?: number) =>
    costsLeft(narrow, a, 15_000, {
      gpu: device(4),
      substitution: levels === undefined ? levels : { pivots: 15_000, levels },
    });
  const whole = left().wiedemann;
  expect([left().isImplicit, left(5000).isImplicit, left(20).isImplicit]).toEqual([false, false, true]);
  expect(left(5000).wiedemann).toBe(whole);
  const small = device(4, { maxBindingBytes: 4 * a.colIdx.length - 4 });
  expect(costsLeft(narrow, a, 15_000, { gpu: small, substitution: { pivots: 15_000, levels: 20 } }).isImplicit).toBe(
    false,
  );
  expect(left(20).wiedemann).toBeLessThan(whole / 2);
});

test('a GPU takes it in blocks that fit, the whole matrix in pieces too', () => {
  const L = 20_000;
  const { rows, cols, ...entries } = generate('random', [L, L, 5, 101, 3]);
  const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);
  const substitution = { pivots: 15_000, levels: 20 };
  const isImplicit = (maxBindingBytes: number) =>
    costsLeft(narrow, a, 15_000, { gpu: device(4, { maxBindingBytes }), substitution }).isImplicit;
  expect([2 * 16 * L, 2 * 16 * L - 1].map(isImplicit)).toEqual([true, false]);
});
