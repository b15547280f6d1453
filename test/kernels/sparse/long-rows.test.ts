/** Long rows apart, panel by panel of columns: where they are cut, that no entry is lost, and their products. */
import { describe, expect, test } from 'vitest';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { formatOf } from '../../../kernels/sparse/formats/index.js';
import { planOf } from '../../../kernels/sparse/plan.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { filled, matrixOf } from '../executors/cases.js';
import { cpu } from '../executors/program-steps.js';
import { entries } from './entries.js';

describe('long rows', () => {
  const [rows, cols] = [40, 12_000];
  /** Rows of 3, of 250 over all columns, of 250 side by side. */
  const matrix = (p: number): ResidueMatrix => {
    const a = matrixOf(rows, cols, p, 'mixed', (i) => (i % 10 === 0 ? 250 : 3));
    const colIdx = a.colIdx.slice();
    for (let k = a.rowPtr[20]; k < a.rowPtr[21]; k++) colIdx[k] = 6000 + k - a.rowPtr[20];
    return { ...a, colIdx };
  };
  test.each([65521, 2147483629])('go by panels of columns, p = %d', (p) => {
    const a = matrix(p);
    const plan = planOf(a, p);
    const panels = p < 2 ** 16 ? 3 : 5;
    const reason = `3 long rows by ${panels} panels of ${p < 2 ** 16 ? 5120 : 2560} columns`;
    expect(plan.parts.filter((part) => part.reason === reason).map(({ values }) => values)).toEqual([
      ...['plus', 'minus', 'general'],
    ]);
    const general = plan.parts.at(-1)!.formats;
    expect(general.map(({ kind }) => kind)).toEqual(Array.from({ length: panels }, () => 'coo-s'));
    for (const part of plan.parts.flatMap(({ formats }) => formats)) formatOf(part).check(part, p);
    expect(entries(plan)).toEqual(entries(planOf(a, p, { storage: 'csr' })));
    // A substitution walks a row once.
    const walked = planOf(a, p, { onePass: true }).parts.flatMap(({ formats }) => formats.map(({ kind }) => kind));
    expect(new Set(walked)).toEqual(new Set(['csr']));
  });
  test('stay whole where there are few panels or few entries', () => {
    const whole = (a: ResidueMatrix) => planOf(a, 101).parts.every(({ reason }) => !reason.includes('panels'));
    expect(whole(matrix(101))).toBe(false);
    expect(whole(matrixOf(40, 5000, 101, 'general', (i) => (i === 0 ? 900 : 3)))).toBe(true);
    expect(whole(matrixOf(4000, 12_000, 101, 'general', (i) => (i === 0 ? 900 : 3)))).toBe(true);
    expect(whole(matrixOf(40, 12_000, 101, 'general', () => 90))).toBe(true);
  });
  test.each([2, 101, 65521, 2147483629])('have the product of every other storage, p = %d', async (p) => {
    const a = matrix(p);
    const reference = new ReferenceExecutor(WordPrime.of(p));
    for (const threads of [1, 2]) {
      const executor = await cpu(p, threads);
      for (const width of [1, 8, 20]) {
        for (const [alpha, beta] of [
          [1, 0],
          [1, 1],
          [p - 1, p - 1],
        ] as const) {
          const results = [];
          for (const e of [reference, executor]) {
            const operator = e.operator(a, { use: 'apply' });
            const [x, y] = [filled(e, cols, width, 3), filled(e, rows, width, 4)];
            await operator.apply(y, x, alpha, beta);
            results.push(await e.read(y));
          }
          expect(results[1]).toEqual(results[0]);
        }
      }
      executor.dispose();
    }
  });
});
