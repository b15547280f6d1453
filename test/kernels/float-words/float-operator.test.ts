/** Products in floating-point words are those of the reference, up to the largest primes of each representation. */
import { describe, expect, test } from 'vitest';
import { isPrime } from '../../../fields/primality.js';
import { floatEntriesBeforeReduction } from '../../../fields/reduction.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type FloatName, floatFormat, isFloat, WORDS, wordsHold } from '../../../kernels/residues/words.js';
import { CASES, filled, matrixOf } from '../executors/cases.js';
import { cpu } from '../executors/program-steps.js';

/** The largest primes that each representation holds. */
const LARGEST: Readonly<Record<FloatName, number>> = {
  f32: 4093,
  'f32-balanced': 8179,
  f64: 94906249,
  'f64-balanced': 189812507,
};

const FLOATS = WORDS.filter(isFloat);

test.each(FLOATS)('%s holds primes up to its largest', (words) => {
  const largest = LARGEST[words];
  expect([isPrime(BigInt(largest)), wordsHold(words, largest), wordsHold(words, 2)]).toEqual([true, true, false]);
  let next = largest + 1;
  while (!isPrime(BigInt(next))) next++;
  expect(wordsHold(words, next)).toBe(false);
  const { accumulator, residues } = floatFormat(words);
  expect(floatEntriesBeforeReduction(largest, accumulator, residues).general).toBe(1);
});

describe.each(FLOATS)('%s', (words) => {
  const primes = [3, 5, 7, 101, 2039, 4093, 8179, 65521, 65537, LARGEST[words]];
  test.each([...new Set(primes.filter((p) => wordsHold(words, p)))])('p = %d', async (p) => {
    const reference = new ReferenceExecutor(WordPrime.of(p));
    // More entries of each class than a sum holds, all of them extreme.
    const long = { name: 'long rows', matrix: () => matrixOf(5, 3000, p, 'mixed', (i) => [0, 2900, 1, 1500, 7][i]!) };
    for (const threads of [1, 3]) {
      const executor = await cpu(p, threads);
      for (const [c, { matrix }] of (threads === 1 ? [...CASES, long, long] : [long]).entries()) {
        const a = matrix(p);
        const settings = [
          [1, 1, 0, undefined],
          [3, p - 1, p - 1, 'csr'],
          [20, 1, 1, 'ell-r'],
        ] as const;
        for (const [width, alpha, beta, storage] of [settings[c % settings.length]!]) {
          const results = [];
          for (const e of [reference, executor]) {
            const operator = e.operator(a, e === reference ? {} : { words, storage });
            const [x, y] = [filled(e, a.cols, width, 3), filled(e, a.rows, width, 4)];
            await operator.apply(y, x, alpha, beta);
            await operator.applyTransposed(x, y);
            results.push(await e.read(y), await e.read(x));
            operator.free?.();
            for (const v of [x, y]) e.release(v);
          }
          expect(results.slice(2)).toEqual(results.slice(0, 2));
        }
      }
      executor.dispose();
    }
  });
});

test('other formats, and primes that words do not hold, are refused', async () => {
  const executor = await cpu(65521, 1);
  const a = CASES[8]!.matrix(65521);
  expect(() => executor.operator(a, { words: 'f64', storage: 'coo' })).toThrow(
    'words f64: expected storage auto, csr, ell or ell-r, got coo',
  );
  expect(() => executor.operator(a, { words: 'f32' })).toThrow('words f32: expected a prime that they hold, got 65521');
  expect(() => executor.operator(a, { words: 'u32' })).toThrow('words u32: expected a prime that they hold, got 65521');
  executor.dispose();
});
