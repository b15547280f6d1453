import { describe, expect, test } from 'vitest';
import { chooseBlocks, stopGap } from '../../../algorithms/block-wiedemann/block-shape.js';
import { GeneratorSearch } from '../../../algorithms/block-wiedemann/generator.js';
import { KrylovSequence } from '../../../algorithms/block-wiedemann/krylov.js';
import { searchedBlocks } from '../../../algorithms/block-wiedemann/krylov-steps.js';
import { hashFactor } from '../../../algorithms/block-wiedemann/preconditioner.js';
import { othersSpan } from '../../../algorithms/block-wiedemann/spanning.js';
import type { LeftFactor } from '../../../algorithms/block-wiedemann/sparse-factor.js';
import {
  verificationWidth,
  verificationWords,
  verifyGenerator,
} from '../../../algorithms/block-wiedemann/verification.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { planted } from '../expected/matrices.js';
import { combinedByDefinition } from './combined.js';

/** A run stopped just before verification, so that its parts can be tampered with. */
async function preparedRun(
  p: number,
  makeFactor?: (f: LeftFactor, executor: ReferenceExecutor) => LeftFactor,
  s?: number,
) {
  const field = WordPrime.of(p);
  const executor = new ReferenceExecutor(field);
  const working = new WorkingField(executor, 'block');
  const matrix = SparseMatrix.fromTriplets(40, 30, planted(40, 30, 17, 4, 5)).residues(p);
  const a = executor.operator(matrix);
  let factor = hashFactor(executor, a.cols, a.rows, working, 11n);
  if (makeFactor) factor = makeFactor(factor, executor);
  const shape = { ...chooseBlocks(30, working.degree), s: s ?? verificationWidth(working.log2q), shift: 1 as const };
  const gap = stopGap(shape, working.log2q);
  const m = shape.m + shape.s;
  const orders = Math.ceil(30 / m) + Math.ceil(30 / shape.n) + 3 * gap;
  const krylov = await KrylovSequence.create(executor, a, factor, working, shape, 5n);
  await krylov.extend(
    orders,
    orders,
    () => {},
    () => {},
  );
  const engine = new NaiveEngine(working.elements);
  const search = new GeneratorSearch(engine, { m, n: shape.n, s: 0 }, null, orders);
  await search.advance(searchedBlocks(krylov), krylov.t, orders, p - 1);
  const F = working.elements;
  const t = verificationWords(F, shape.s * m, 9n);
  const combined = await search.combine(t);
  const spans = await othersSpan(engine, await search.columns(F, shape.m), gap);
  const generator = await search.generator(F);
  const verify = (g = generator): Promise<boolean> =>
    verifyGenerator(
      executor,
      a,
      factor,
      working,
      krylov.left,
      combinedByDefinition(F, g, { m, s: shape.s }, t),
      () => {},
      () => {},
    );
  return { generator, spans, verify, combined, F, m, shape, t };
}

describe('verification refuses what is wrong', () => {
  test('what it is given is t·F, as the search gives it without F', async () => {
    for (const p of [2, 3, 65521, 2147483629]) {
      const { combined, F, generator, m, shape, t } = await preparedRun(p);
      expect(combined).toEqual(combinedByDefinition(F, generator, { m, s: shape.s }, t));
    }
  });

  test('it accepts the true generator, and no change of one coefficient of F', async () => {
    for (const p of [3, 65521, 2147483629]) {
      const { generator, F, spans, verify } = await preparedRun(p);
      expect([generator.degree, spans, await verify()]).toEqual([17, true, true]);
      for (let trial = 0; trial < 40; trial++) {
        const at = (trial * 37) % generator.coefficients.length;
        const coefficients = generator.coefficients.slice();
        coefficients[at] = F.add(coefficients[at]!, 1 + (trial % (p - 1)));
        expect(await verify({ ...generator, coefficients })).toBe(false);
      }
    }
  });

  test('a left factor that loses rank gives a low generator, which is refused', async () => {
    let refused = 0;
    for (const lost of [1, 2, 3]) {
      const { generator, spans, verify } = await preparedRun(65521, (f, executor) => ({
        // C with its first rows zeroed: the Krylov space misses part of the row space.
        async apply(v, y) {
          await f.apply(v, y);
          const data = await executor.read(v);
          executor.write(v, data.fill(0, 0, (30 - 17 + lost) * v.width));
        },
        async applyTransposed(z, x) {
          const kept = executor.vector(x.length, x.width);
          const data = (await executor.read(x)).slice();
          executor.write(kept, data.fill(0, 0, (30 - 17 + lost) * x.width));
          await f.applyTransposed(z, kept);
        },
        free: () => f.free(),
      }));
      // The rows that verify bring some of what is lost back.
      expect(generator.degree).toBeLessThanOrEqual(17);
      if (!spans || !(await verify())) refused++;
    }
    expect(refused).toBe(3);
  });
});

test('t is drawn from all elements, anew for every seed', () => {
  for (const p of [3, 257]) {
    const F = WordPrime.of(p);
    const words = [1n, 2n].map((seed) => verificationWords(F, 40 * p, seed));
    expect(words[0]).not.toEqual(words[1]);
    for (const each of words) expect(new Set(each).size).toBe(p);
  }
});
