/** Elements of GF(q) as codes and as coordinates: two layouts of the same vectors, one sequence. */

import { describe, expect, test } from 'vitest';
import { KrylovSequence } from '../../../algorithms/block-wiedemann/krylov.js';
import { gramFactor, hashFactor } from '../../../algorithms/block-wiedemann/preconditioner.js';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { overBlockField, WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { planted } from '../expected/matrices.js';

const matrix = SparseMatrix.fromTriplets(90, 70, planted(90, 70, 41, 4, 12));

/** Hides what the executor has over extensions: it is left with coordinates. */
function inCoordinates(executor: Executor): Executor {
  return Object.assign(Object.create(executor), { over: undefined });
}

/** S, T and whether the transpose was seen to be one, by the hash or by Aᵀ. */
async function sequence(executor: Executor, preconditioner: 'hash' | 'gram', n: number) {
  return overBlockField({ executor }, async ({ executor }) => {
    const working = new WorkingField(executor, 'block');
    const a = executor.operator(matrix.residues(executor.field.p));
    const c =
      preconditioner === 'hash'
        ? hashFactor(executor, a.cols, a.rows, working, 5n)
        : gramFactor(executor, a, working, 5n);
    const krylov = await KrylovSequence.create(executor, a, c, working, { m: 2 * n, n, s: 3, shift: 1 }, 6n);
    await krylov.extend(
      7,
      5,
      () => {},
      () => {},
    );
    const blocks = [krylov.s, krylov.t].flatMap((all) => Array.from({ length: all.count }, (_, i) => [...all.at(i)]));
    const { adjoint } = krylov;
    krylov.free();
    c.free();
    return { k: working.k, q: working.q, adjoint, blocks };
  });
}

describe.each([2, 3, 5, 241 /* last below 3^5 */])('mod %d', (p) => {
  test.each(['hash', 'gram'] as const)('every executor gives one sequence, in codes or coordinates: %s', async (c) => {
    const field = WordPrime.of(p);
    const cpu = await CpuExecutor.create(field);
    for (const n of [1, 5, 16, 19]) {
      const { k, ...expected } = await sequence(inCoordinates(new ReferenceExecutor(field)), c, n);
      expect(expected).toMatchObject({ adjoint: true });
      expect(expected.q).toBe(p ** k);
      expect(k).toBeGreaterThan(1);
      expect(await sequence(new ReferenceExecutor(field), c, n)).toEqual({ k: 1, ...expected });
      expect(await sequence(cpu, c, n)).toEqual({ k: p === 2 ? 1 : k, ...expected });
      expect(await sequence(inCoordinates(cpu), c, n)).toEqual({ k, ...expected });
    }
    cpu.dispose();
  });

  test('and one answer, with what is proved of it', async () => {
    const field = WordPrime.of(p);
    const cpu = await CpuExecutor.create(field);
    const rankOn = async (executor: Executor) => {
      const hooks = { check: () => {}, onProgress: () => {} };
      const context = {
        executor,
        seed: 3n,
        orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
        ...hooks,
      };
      const { seconds: _, ...answer } = await rankOfMatrix(context, matrix.residues(p));
      return answer;
    };
    const expected = await rankOn(inCoordinates(new ReferenceExecutor(field)));
    expect(expected.upperBound).toBe(expected.rank);
    for (const executor of [new ReferenceExecutor(field), cpu]) expect(await rankOn(executor)).toEqual(expected);
    cpu.dispose();
  });
});

test('only over fields with bytes for codes is there a cpu executor', async () => {
  const at = async (p: number): Promise<unknown> => {
    const executor = await CpuExecutor.create(WordPrime.of(p));
    return overBlockField({ executor }, async (context) => context.executor === executor);
  };
  expect(await at(2)).toBe(false);
  expect(await at(3)).toBe(true);
  expect(await at(65521)).toBe(true);
});
