/** The determinant of a choice by vectors, where the Schur complement of pivots has no room on a GPU. */
import { expect, test, vi } from 'vitest';
import { determinantOfMatrix } from '../../algorithms/determinant.js';
import { orderBasisEngines } from '../../algorithms/sigma-basis/create.js';
import { generate } from '../../data/families.js';
import { WordPrime } from '../../fields/word-prime.js';
import { GpuExecutor } from '../../kernels/executors/gpu.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../kernels/threads/team.js';
import { gpuMissing, limitedGpu } from '../gpu.js';

// Elimination is the cheaper one of every matrix that a GPU in software answers in a second.
vi.mock(import('../../algorithms/methods/choose.js'), async (original) => ({
  ...(await original()),
  prefer: () => ({ eliminates: false, reason: 'of this test' }),
}));

test.skipIf(gpuMissing)('auto takes the matrix itself', async () => {
  const { rows, cols, ...entries } = generate('trefethen', [300]);
  const matrix = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);
  const [team, gpu] = [await Team.create(1), await limitedGpu({})];
  const { memory } = gpu;
  const within = async (maxBytes: number) => {
    const executor = new GpuExecutor(WordPrime.of(65521), gpu);
    const context = { executor, team, seed: 3n, check() {}, onProgress() {}, ...orderBasisEngines(executor, team) };
    memory.maxBytes = maxBytes;
    memory.watch();
    const before = memory.held;
    try {
      const { determinant, method, explanation } = await determinantOfMatrix(context, matrix);
      return { determinant, method, lines: explanation.join('\n'), peak: memory.peak - before };
    } finally {
      executor.dispose();
      expect(memory.held).toBe(before);
    }
  };
  try {
    const { peak, ...roomy } = await within(1e9);
    expect(roomy).toMatchObject({ determinant: 57307, method: 'hybrid' }); // as elimination says
    const less = await within(peak - 16); // a buffer's size is a multiple
    expect(less).toMatchObject({ determinant: 57307, method: 'block-wiedemann' });
    expect(less.lines).toMatch(/^wiedemann: S has no room: device gpu: [\d.]+ MB needed on .*, allowed are [\d.]+$/m);
    expect(less.peak).toBeLessThan(peak);
  } finally {
    await team.dispose();
  }
});
