/** A matrix that a GPU's budget does not hold: read piece by piece, to the rank and the blocks of one that it holds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { GpuDevice } from '../../../kernels/gpu/device.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing } from '../../gpu.js';
import { matrixOf } from '../../kernels/executors/cases.js';

const P = 65521;
const FIELD = WordPrime.of(P);

/** Of the bytes that a run with the whole matrix on the GPU takes. */
const THIRD = 800_000;

describe.skipIf(gpuMissing)('a GPU with a budget', () => {
  let team: Team;
  let gpu: GpuDevice;
  beforeAll(async () => {
    team = await Team.create(1);
    gpu = await GpuDevice.open();
  });
  afterAll(async () => {
    await team.dispose();
    gpu.dispose();
  });

  // Short rows of both kinds of entries, and some that are long.
  const matrix = matrixOf(800, 600, P, 'mixed', (i) => (i % 250 === 7 ? 580 : 150 + (i % 40)));

  async function rankOn(executor: CpuExecutor | GpuExecutor) {
    const context = {
      ...{ executor, team, seed: 3n, check() {}, onProgress() {} },
      ...orderBasisEngines(executor, team),
    };
    const { seconds: _, explanation, ...rank } = await rankOfMatrix(context, matrix, { block: { m: 16, n: 8 } });
    return { rank, explanation };
  }

  async function rankWithin(maxBytes: number) {
    gpu.maxBytes = maxBytes;
    const executor = new GpuExecutor(FIELD, gpu);
    const before = gpu.held;
    try {
      return await rankOn(executor);
    } finally {
      expect(gpu.held).toBe(before);
      executor.dispose();
      gpu.maxBytes = Infinity;
    }
  }

  test('products by pieces are those of the whole matrix, in both directions', async () => {
    const streamed = new GpuExecutor(FIELD, gpu);
    const whole = new CpuExecutor(FIELD, team);
    const found = [];
    for (const [executor, options] of [
      [whole, {}],
      [streamed, { streamBytes: 20_000 }],
    ] as const) {
      const a = executor.operator(matrix, options);
      const [x, y] = [executor.vector(600, 8), executor.vector(800, 8)];
      executor.write(
        x,
        Uint32Array.from({ length: 600 * 8 }, (_, i) => (i * i + 5) % P),
      );
      for (const [alpha, beta] of [
        [1, 0],
        [7, P - 2],
      ] as const) {
        await a.apply(y, x, alpha, beta);
        await a.applyTransposed(x, y, alpha, beta);
      }
      found.push([await executor.read(x), await executor.read(y)]);
      if (executor === streamed) expect(gpu.held).toBeLessThan(300_000); // the matrix takes four times that
      a.free?.();
    }
    expect(found[1]).toEqual(found[0]);
    whole.dispose();
    streamed.dispose();
  });

  test('a third of what it takes answers the same, and too little is refused', async () => {
    const onThreads = await rankOn(new CpuExecutor(FIELD, team));
    expect(onThreads.rank).toMatchObject({ rank: 600, lowerBound: 600 });
    await expect(rankWithin(100_000)).rejects.toThrow(MemoryError);
    const within = await rankWithin(THIRD);
    expect(within.rank).toEqual(onThreads.rank);
    expect(within.explanation).toEqual([
      expect.stringMatching(
        /^the matrix is read to the GPU at every product, in pieces of 0\.0\d+ MB an array: device gpu: [\d.]+ MB needed on/,
      ),
    ]);
  });
});
