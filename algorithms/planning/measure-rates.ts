/** The rates of a machine, measured for a plan: its devices as they are timed within a budget (rates-within.ts). */
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { MachineRates, Size } from './machine-rates.js';
import { randomResidues } from './random-residues.js';
import { type PlannedShape, ratesWithin, type Timers } from './rates-within.js';
import { timeBasis } from './timed-basis.js';
import { timeSteps } from './timed-steps.js';

export async function measureRates(
  context: RunContext,
  size: Size,
  shapes: readonly PlannedShape[],
  matrix: ResidueMatrix | null,
  budget: number,
  onPart: (done: number, total: number) => void,
): Promise<MachineRates> {
  const { executor, team } = context;
  const { p } = executor.field;
  const total = (matrix === null ? 5 : 2) + new Set(shapes.map(({ m, n }) => `${m}x${n}`)).size;
  let done = 0;
  const part = <T>(work: () => Promise<T>): Promise<T> => {
    onPart(Math.min(done++, total - 1), total);
    context.check();
    return work();
  };
  const timers: Timers = {
    ...{ kind: executor.name === 'gpu' ? 'gpu' : 'cpu', p },
    now: () => performance.now() / 1000,
    make: ({ rows, cols, nnz }) => randomResidues(rows, cols, nnz, p),
    steps: (of, widths, seconds) => part(() => timeSteps(context, of, widths, seconds)),
    basis: (unknowns, shape, of) => part(() => timeBasis(context, unknowns, shape, of)),
  };
  const measured = await ratesWithin(budget, timers, size, shapes, matrix);
  const gpu = executor.name === 'gpu' ? (executor as GpuExecutor).gpu : null;
  return {
    ...{ p, device: executor.name, adapter: gpu?.name ?? null, threads: team?.threads ?? 1 },
    ...{ bindingBytes: gpu === null || gpu.software ? null : gpu.maxBindingBytes, ...measured },
  };
}
