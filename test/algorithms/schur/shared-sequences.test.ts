/** Sequences of a Schur complement: in shares on several devices, and in panels, the answer is that of one device. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { rankBy } from '../../../algorithms/rank.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { fakeGpu, gpuMissing, limitedGpu } from '../../gpu.js';
import { deviceHere } from '../block-wiedemann/device-here.js';
import { contextOn } from '../methods/context.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

function matrixOf(p: number, family: string, ...args: number[]): ResidueMatrix {
  const { rows, cols, ...entries } = generate(family, args);
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

const random = (p: number, rows: number, cols: number) => matrixOf(p, 'random', rows, cols, 8, p, 1);

describe('shares on several devices', () => {
  async function ask(matrix: ResidueMatrix, p: number, more: Partial<RunContext> = {}) {
    const context: RunContext = {
      // Without random vectors, as a GPU.
      executor: Object.assign(new ReferenceExecutor(WordPrime.of(p)), { columnRank: undefined }),
      seed: 3n,
      orderBasisEngine: (field) => new NaiveEngine(field),
      check: () => {},
      onProgress: () => {},
      ...more,
    };
    const { seconds: _, ...answer } = await rankBy('hybrid', context, matrix);
    return answer;
  }

  test.each([
    [65521, 90, 60], // S is 53 x 23
    [65521, 60, 90], // S is 9 x 39: its transpose is what is multiplied
    [5, 90, 60],
    [2147483629, 90, 60],
  ])('mod %i, %i x %i: the answer of one', async (p, rows, cols) => {
    const matrix = random(p, rows, cols);
    const devices = [deviceHere(), deviceHere()];
    const shared = await ask(matrix, p, { sequenceDevices: devices });
    expect(shared).toEqual(await ask(matrix, p));
    expect(shared).toMatchObject({ rank: 60, upperBound: 60, method: 'hybrid' });
    expect(shared.explanation.at(-1)).toMatch(/^block Wiedemann on the implicit \d+ x \d+ Schur complement/);
    for (const { areOfPivots, tasks } of devices) {
      expect(areOfPivots).toEqual([true]);
      expect(tasks[0]!.shape.share).toMatchObject({ of: shared.block!.n });
    }
  });

  test('more devices than columns: those beyond them are given nothing', async () => {
    const devices = Array.from({ length: 6 }, deviceHere);
    await ask(random(65521, 60, 90), 65521, { sequenceDevices: devices });
    expect(devices.map(({ areOfPivots }) => areOfPivots.length)).toEqual([1, 1, 1, 1, 0, 0]);
  });

  test('where the pivots are all there is no device is given anything', async () => {
    const devices = [deviceHere()];
    const matrix = matrixOf(65521, 'random', 60, 90, 4, 65521, 1);
    expect(await ask(matrix, 65521, { sequenceDevices: devices })).toMatchObject({ rank: 60, upperBound: 60 });
    expect(devices[0]!.areOfPivots).toEqual([]);
  });
});

describe('blocks beyond a binding', () => {
  /** Vectors on threads, for whoever asks for the limits of a GPU. */
  function likeGpu(executor: CpuExecutor, maxBindingBytes: number): Executor {
    const device = { name: 'gpu', gpu: fakeGpu({ maxBindingBytes }), columnRank: undefined, over: undefined };
    return Object.assign(Object.create(executor), device);
  }

  async function ask(matrix: ResidueMatrix, p: number, n: number, executorOf: (cpu: CpuExecutor) => Executor) {
    const cpu = new CpuExecutor(WordPrime.of(p), team);
    const context = { ...contextOn(cpu), executor: executorOf(cpu) };
    const { seconds: _, explanation, ...answer } = await rankBy('hybrid', context, matrix, { block: { m: 2 * n, n } });
    cpu.dispose();
    return { answer, explanation };
  }

  test.each([
    [65521, 2 * 8 * 1260 + 100],
    [2147483629, 4 * 8 * 1260 + 100],
    [3, 4 * 5 * 8 * 1260], // five coordinates an element
  ])('mod %i: the vectors of the matrix count, and the answer is that of whole blocks', async (p, limit) => {
    const matrix = matrixOf(p, 'mk', 9, 3); // 945 x 1260, S is 87 x 402
    const whole = await ask(matrix, p, 12, (cpu) => likeGpu(cpu, 2 ** 31));
    const pieces = await ask(matrix, p, 12, (cpu) => likeGpu(cpu, limit));
    expect(pieces.answer).toEqual(whole.answer);
    expect(whole.answer).toMatchObject({ method: 'hybrid', block: { m: 24, n: 12 } });
    const line = /^blocks of 12 columns in 2 pieces, since a GPU takes 0\.\d+ MB in one$/;
    expect(pieces.explanation).toEqual([...whole.explanation, expect.stringMatching(line)]);
  });

  test.skipIf(gpuMissing)('on a GPU that binds a mebibyte', async () => {
    const matrix = random(65521, 18_000, 190); // S is 17841 x 31
    const gpu = await limitedGpu({ maxBindingBytes: 2 ** 20 });
    const pieces = await ask(matrix, 65521, 30, () => new GpuExecutor(WordPrime.of(65521), gpu));
    const whole = await ask(matrix, 65521, 30, (cpu) => likeGpu(cpu, 2 ** 31));
    expect(pieces.answer).toEqual(whole.answer);
    expect(pieces.explanation.at(-1)).toMatch(/^blocks of 30 columns in 2 pieces, since .*SwiftShader/);
  });
});
