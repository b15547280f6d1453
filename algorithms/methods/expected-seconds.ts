/**
 * Seconds that a rank should take by the method that `auto` chooses (choose.ts), on the run's device and threads.
 *
 * They are an estimate before any long step: samples that end a run early, and measurements that change its choice, are
 * not foreseen.
 */
import type { RankOptions, RunContext } from '../block-wiedemann/rank.js';
import { cheapest, type Measurements } from '../estimates.js';
import { whyPivots } from '../presolve/pivots-alone.js';
import type { Presolved } from '../presolve/presolve.js';
import { gpuOf } from './choose.js';
import { estimatesOver } from './costs.js';
import { dissectionWorth } from './dissection-worth.js';
import { feasibleCosts } from './feasible.js';
import { pivotsForGpu, substitutionOf } from './gpu-pivots.js';

/** Infinity where there is room for no method. */
export function expectedSeconds(context: RunContext, presolved: Presolved, options: RankOptions = {}): number {
  if (whyPivots(presolved, options.atLeast) !== null) return presolved.seconds;
  const { executor, team } = context;
  const { field } = executor;
  const gpu = gpuOf(context);
  const measurements: Measurements = gpu ? { gpu, substitution: substitutionOf(pivotsForGpu(field, presolved)) } : {};
  const estimates = estimatesOver(field);
  const dissection = dissectionWorth(context, presolved, measurements, options);
  const left = dissection
    ? estimates.frontsSeconds(dissection)
    : cheapest(feasibleCosts(field, presolved, measurements, options).costs);
  return presolved.seconds + left / (gpu?.worth ?? estimates.speedup(team?.threads ?? 1));
}
