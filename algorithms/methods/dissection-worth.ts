/** Whether a rank is worth the fronts of a nested dissection. */
import type { RankOptions, RunContext } from '../block-wiedemann/rank.js';
import type { Dissection } from '../elimination/dissection.js';
import { frontsWithin } from '../elimination/fronts.js';
import { ELIMINATION_BYTES } from '../elimination/rounds.js';
import { cheapest, type Measurements } from '../estimates.js';
import type { Presolved } from '../presolve/presolve.js';
import { gpuOf } from './choose.js';
import { estimatesOver } from './costs.js';
import { feasibleCosts } from './feasible.js';

/** Fronts that should be quicker than all that there is room for; null where there are none. */
export function dissectionWorth(
  context: RunContext,
  presolved: Presolved,
  measurements: Measurements,
  options: RankOptions,
): Dissection | null {
  const { field } = context.executor;
  if (!context.team || gpuOf(context) !== undefined) return null;
  const { costs } = feasibleCosts(field, presolved, measurements, options);
  const { maxBytes = ELIMINATION_BYTES, mostUnkept = Number.POSITIVE_INFINITY } = options;
  const goal = Math.min(cheapest(costs), mostUnkept);
  return frontsWithin(field, presolved, estimatesOver(field), goal, maxBytes, context.check);
}
