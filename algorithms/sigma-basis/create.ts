/**
 * Which engine finds the order bases of a question: plain code without threads, threads, or a GPU for long searches.
 *
 * The GPU takes searches mod p for which it pays (algorithms/sigma-basis/gpu-crossover.ts). Over GF(p^k) the threads do it
 * all: the GPU's products are those of residues. So they do beside a GPU in software, which is slower than they are.
 */

import { WordPrime } from '../../fields/word-prime.js';
import type { Executor } from '../../kernels/executor.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { Team } from '../../kernels/threads/team.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import { paysOnGpu } from './gpu-crossover.js';
import { NaiveEngine } from './naive.js';
import type { BlockingOrderBasisEngine, OrderBasisEngine, OrderBasisWork } from './order-basis.js';
import { ExtensionPolyEngine, PolyEngine } from './pm-basis.js';

type Engines = Pick<RunContext, 'orderBasisEngine' | 'generatorEngine'>;

export function orderBasisEngines(executor: Executor, team: Team | undefined): Engines {
  const orderBasisEngine = ({ field }: WorkingField): BlockingOrderBasisEngine => {
    if (!team) return new NaiveEngine(field);
    return team.memory.orNothing(() =>
      field instanceof WordPrime ? new PolyEngine(team, field) : new ExtensionPolyEngine(team, field),
    );
  };
  if (executor.name !== 'gpu' || !team) return { orderBasisEngine };
  const { gpu } = executor as GpuExecutor;
  const generatorEngine = async (
    working: WorkingField,
    { rows, cols, orders }: OrderBasisWork,
  ): Promise<OrderBasisEngine> => {
    const { field } = working;
    if (!(field instanceof WordPrime) || gpu.software || !paysOnGpu(rows, cols, orders, team.threads))
      return orderBasisEngine(working);
    const { GpuPolyEngine } = await import('./gpu-pm-basis.js');
    return new GpuPolyEngine(team, gpu, field);
  };
  return { orderBasisEngine, generatorEngine };
}
