/** What the tests of the hybrid and of the choice of a method run on. */
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import type { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import type { CpuExecutor } from '../../../kernels/executors/cpu.js';
import type { GpuDevice } from '../../../kernels/gpu/device.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { fakeGpu } from '../../gpu.js';

export function contextOn(executor: CpuExecutor, seed = 17n): RunContext {
  return {
    executor,
    team: executor.team,
    seed,
    orderBasisEngine: (field) =>
      field instanceof WordPrime ? new PolyEngine(executor.team, field) : new ExtensionPolyEngine(executor.team, field),
    check: () => {},
    onProgress: () => {},
  };
}

/**
 * Substitutions that take so many ms more, or as long as the machine makes of it: `took`, from when to when, in ms.
 */
export function slowed(executor: CpuExecutor, ms: number, took: [start: number, end: number][] = []): Executor {
  const substitution: Executor['substitution'] = (a) => {
    const given = executor.substitution(a);
    const run = async (...what: Parameters<typeof given.run>) => {
      const start = performance.now();
      await new Promise((resolve) => setTimeout(resolve, ms));
      await given.run(...what);
      took.push([start, performance.now()]);
    };
    return Object.assign(Object.create(given), { run });
  };
  return Object.assign(Object.create(executor), { substitution });
}

export function residuesOf({ rows, cols, ...entries }: ReturnType<typeof generate>, p: number): ResidueMatrix {
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

/** What a run on it sees of a GPU; the vectors are on threads. */
export function likeGpu(executor: CpuExecutor, more: Partial<GpuDevice> = {}): RunContext {
  const device = { name: 'gpu', gpu: fakeGpu(more), columnRank: undefined };
  const gpu: Executor = Object.assign(Object.create(executor), device);
  return { ...contextOn(executor), executor: gpu };
}
