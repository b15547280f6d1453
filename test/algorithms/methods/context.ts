/** What the tests of the hybrid and of the choice of a method run on. */
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { CpuExecutor } from '../../../kernels/executors/cpu.js';

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
