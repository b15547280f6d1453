/**
 * What runs are estimated to take beside what the kernels' memory held at most, and refusals of what would take more.
 */

import { expect, test } from 'vitest';
import { blockWiedemannRank, type RunContext } from '../../../algorithms/block-wiedemann/rank.js';
import { overBlockField } from '../../../algorithms/block-wiedemann/working-field.js';
import { nonzeroPart } from '../../../algorithms/certificate/nonzero-part.js';
import { ProofError, proveRank } from '../../../algorithms/certificate/prove.js';
import { markowitzTrial } from '../../../algorithms/elimination/markowitz-trial.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { wiedemannBytes } from '../../../algorithms/methods/memory-estimate.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { megabytes } from '../../../kernels/errors/megabytes.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { geometric } from '../elimination/planted.js';

function residues(family: string, args: readonly number[], p: number): ResidueMatrix {
  const { rows, cols, ...entries } = generate(family, args);
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

function contextOn(executor: CpuExecutor): RunContext {
  const { team } = executor;
  return {
    ...{ executor, team, seed: 3n, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field) =>
      field instanceof WordPrime ? new PolyEngine(team, field) : new ExtensionPolyEngine(team, field),
  };
}

test.each([
  [2, 'ch', [6, 6, 4], undefined],
  [3, 'random', [1500, 1400, 4, 3, 1], undefined],
  [7, 'random', [1500, 1400, 4, 7, 1], undefined],
  [65521, 'ch', [6, 6, 4], undefined],
  [65521, 'ch', [6, 6, 4], { m: 8, n: 4 }],
  [2147483629, 'ch', [6, 6, 4], undefined],
  [2147483629, 'ch', [6, 6, 4], { m: 8, n: 4 }],
] as const)('block Wiedemann mod %d on %s %o, blocks %o', async (p, family, args, block) => {
  const matrix = residues(family, args, p);
  const executor = await CpuExecutor.create(WordPrime.of(p));
  await overBlockField(contextOn(executor), async (context) => {
    await blockWiedemannRank(context, context.executor.operator(matrix), { maxAttempts: 1, block });
  });
  const need = wiedemannBytes(executor.field, matrix.rows, matrix.cols, matrix.colIdx.length, { block });
  const { peakBytes } = executor.team.memory;
  expect(need).toBeGreaterThan(0.9 * peakBytes);
  expect(need).toBeLessThan(2.5 * peakBytes);
  executor.dispose();
});

test.each([2, 65521])('certificates by block Wiedemann mod %d', async (p) => {
  const { rows, cols, ...entries } = generate('ex', [1]);
  const matrix = nonzeroPart(SparseMatrix.fromTriplets(rows, cols, entries), p);
  const rank = p === 2 ? 266 : 547;
  const executor = await CpuExecutor.create(WordPrime.of(p));
  const context = contextOn(executor);
  const refused = proveRank(context, matrix, rank, { pivots: false, maxBytes: 2 ** 16 });
  await expect(refused).rejects.toThrow(ProofError);
  const message = await refused.then(
    () => '',
    (error: Error) => error.message,
  );
  expect(message).toMatch(/^certificate: making it takes about [\d.]+ MB, allowed are 0\.063$/);
  const need = 2 ** 20 * Number(/[\d.]+/.exec(message)![0]);
  await proveRank(context, matrix, rank, { pivots: false, maxBytes: need });
  const { peakBytes } = executor.team.memory;
  expect(need).toBeGreaterThan(0.9 * peakBytes);
  expect(need).toBeLessThan(5 * peakBytes);
  executor.dispose();
});

test('sparse pivots are not taken where their lists would be larger than what is allowed', () => {
  const F = WordPrime.of(65521);
  const estimates = estimatesOver(F);
  const known = presolve(F, geometric(12000, 8, F.p), estimates);
  const goal = ({ elimination }: { elimination: number }) => elimination;
  const bytes = 8 * known.a.colIdx.length;
  expect(markowitzTrial(F, known, estimates, goal, { maxBytes: bytes })).toBe(null);
  expect(markowitzTrial(F, known, estimates, goal, { maxBytes: 100 * bytes })?.sparsePivots).toBeGreaterThan(0);
});

test('megabytes are rounded up, to two digits below ten', () => {
  const MB = 2 ** 20;
  const sizes = [0, 1024, MB, MB + 1, 9.95 * MB, 10 * MB, 12.1 * MB, 2048 * MB];
  expect(sizes.map(megabytes)).toEqual(['0', '0.00098', '1', '1.1', '10', '10', '13', '2048']);
});
