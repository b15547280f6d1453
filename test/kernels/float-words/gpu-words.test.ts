/** Products in float words on a GPU are those of the reference, up to the largest primes of each representation. */
import { beforeEach, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { FORMAT_NAMES, formatNamed } from '../../../kernels/sparse/formats/index.js';
import { skipOf, testGpu } from '../../gpu.js';
import { CASES, filled, matrixOf } from '../executors/cases.js';
import { joinReads, same } from '../executors/table.js';

const gpu = async (field: WordPrime): Promise<Executor> => GpuExecutor.create(field, { device: await testGpu() });
const WALKED = FORMAT_NAMES.filter((name) => formatNamed(name).gpu);
const BY_WORDS = [
  ['f32', [3, 4093]],
  ['f32-balanced', [8179]],
] as const;

beforeEach(skipOf('gpu'));

test.each(BY_WORDS.flatMap(([words, primes]) => primes.map((p) => [words, p] as const)))(
  '%s, p = %d',
  async (words, p) => {
    // More entries of each class than a sum holds, all of them extreme.
    const long = { matrix: () => matrixOf(5, 3000, p, 'mixed', (i) => [0, 2900, 1, 1500, 7][i]!) };
    const settings = [
      [1, 1, 0],
      [2, p - 1, p - 1],
      [8, 1, 1],
    ] as const;
    const cases = CASES.filter((_, c) => c % 3 === 0);
    for (const [c, { matrix }] of [...cases, long, long, long].entries()) {
      const [width, alpha, beta] = settings[c % settings.length]!;
      const storage = c % 2 === 0 ? undefined : WALKED[(c + p) % WALKED.length];
      await same(gpu, p, async (executor) => {
        const options = executor.name === 'gpu' ? { words, storage } : {};
        const operator = executor.operator(matrix(p), options);
        const [x, y] = [filled(executor, operator.cols, width, 3), filled(executor, operator.rows, width, 4)];
        await operator.apply(y, x, alpha, beta);
        await operator.applyTransposed(x, y);
        operator.free?.();
        return joinReads(executor, x, y);
      });
    }
  },
);

test('every format that a GPU walks is walked in floats', async () => {
  const [p, a] = [4093, CASES[8]!.matrix(4093)];
  await same(gpu, p, async (executor) => {
    const [x, y] = [filled(executor, a.cols, 2, 3), filled(executor, a.rows, 2, 4)];
    const all = new Uint32Array(2 * a.rows * WALKED.length);
    for (const [k, storage] of WALKED.entries()) {
      const options = executor.name === 'gpu' ? ({ words: 'f32', storage } as const) : {};
      const operator = executor.operator(a, { use: 'apply', ...options });
      await operator.apply(y, x);
      all.set(await executor.read(y), 2 * a.rows * k);
      operator.free?.();
    }
    return all;
  });
});

test('other words, formats with shaders of their own, and primes that words do not hold, are refused', async () => {
  const a = CASES[8]!.matrix(101);
  const make = async (p: number) => gpu(WordPrime.of(p));
  const small = await make(101);
  expect(() => small.operator(a, { words: 'f64' })).toThrow('words f64: expected f32 or f32-balanced on a GPU');
  expect(() => small.operator(a, { words: 'f32', storage: 'sliced-ell' })).toThrow(
    'words f32: expected storage auto, csr, csr-sorted, coo,',
  );
  small.dispose();
  const large = await make(65521);
  expect(() => large.operator(a, { words: 'f32' })).toThrow('words f32: expected a prime that they hold, got 65521');
  large.dispose();
});

test('the reference makes no use of words', () => {
  expect(new ReferenceExecutor(WordPrime.of(101)).operator(CASES[8]!.matrix(101), { words: 'f32' })).toBeDefined();
});
