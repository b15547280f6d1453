/**
 * The engines for the order bases of a question: plain code without threads, threads, or a GPU for long searches.
 *
 * A GPU takes the searches mod p that are long enough for it (gpu-crossover.ts). Searches over GF(p^k) stay on threads,
 * because the products of a GPU are mod p; so do all searches beside a GPU in software, which is slower than threads.
 */
import { WordPrime } from '../../fields/word-prime.js';
import type { Executor } from '../../kernels/executor.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { Team } from '../../kernels/threads/team.js';
import { paysOnGpu } from './gpu-crossover.js';
import { NaiveEngine } from './naive.js';
import type {
  BasisField,
  BlockingOrderBasisEngine,
  OrderBasisEngine,
  OrderBasisEngines,
  OrderBasisWork,
} from './order-basis.js';
import { ExtensionPolyEngine, PolyEngine } from './pm-basis.js';

export function orderBasisEngines(executor: Executor, team: Team | undefined): OrderBasisEngines {
  const orderBasisEngine = (field: BasisField): BlockingOrderBasisEngine => {
    if (!team) return new NaiveEngine(field);
    return team.memory.orNothing(() =>
      field instanceof WordPrime ? new PolyEngine(team, field) : new ExtensionPolyEngine(team, field),
    );
  };
  if (executor.name !== 'gpu' || !team) return { orderBasisEngine };
  const { gpu } = executor as GpuExecutor;
  const generatorEngine = async (
    field: BasisField,
    { rows, cols, orders }: OrderBasisWork,
  ): Promise<OrderBasisEngine> => {
    if (!(field instanceof WordPrime) || gpu.software || !paysOnGpu(rows, cols, orders, team.threads))
      return orderBasisEngine(field);
    const { GpuPolyEngine } = await import('./gpu-pm-basis.js');
    return new GpuPolyEngine(team, gpu, field);
  };
  return { orderBasisEngine, generatorEngine };
}
