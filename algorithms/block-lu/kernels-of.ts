/** The kernels on small blocks that a run's device has. */
import { CpuBlockKernels } from '../../kernels/block-sparse/cpu-block-kernels.js';
import { GpuBlockKernels } from '../../kernels/block-sparse/gpu-block-kernels.js';
import { ReferenceBlockKernels } from '../../kernels/block-sparse/reference-block-kernels.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { OpenKernels } from './batch-run.js';

export function kernelsOf({ executor, team }: RunContext): OpenKernels {
  if (executor.name === 'gpu') {
    const { gpu } = executor as GpuExecutor;
    return (field, batch) => new GpuBlockKernels(gpu, field, batch);
  }
  if (team === undefined) return (field, batch) => new ReferenceBlockKernels(field, batch);
  return (field, batch) => new CpuBlockKernels(team, field, batch);
}
