/**
 * The rank where structural pivots are all there is to it: every row that is left, or every column, has one. It takes no
 * arithmetic, so it stands apart from what needs kernels.
 */

import type { RankAnswer } from '../rank.js';
import type { Reduced } from './presolve.js';

/** Why nothing else is chosen. */
export const ALL_THERE_IS = 'the pivots are all there is';

/** Whether the pivots leave no Schur complement. */
export function isComplete({ a, matching }: Pick<Reduced, 'a' | 'matching'>): boolean {
  return matching.size === Math.min(a.rows, a.cols);
}

/** How many pivots there are of what, in words. */
export function pivotsLine({ a, matching, pivots }: Pick<Reduced, 'a' | 'matching' | 'pivots'>): string {
  return `${matching.size} structural pivots of ${a.rows} x ${a.cols}, ${pivots.depths.length - 1} deep`;
}

/** As method auto answers, proved; null where the pivots leave something. */
export function rankOfPivots(known: Reduced): RankAnswer | null {
  if (!isComplete(known)) return null;
  const rank = known.taken + known.matching.size;
  return {
    ...{ rank, lowerBound: rank, upperBound: rank, errorLog2: Number.NEGATIVE_INFINITY },
    ...{ method: 'hybrid', block: null, seconds: { pivots: known.seconds } },
    explanation: [`hybrid: ${ALL_THERE_IS}`, ...known.explanation, pivotsLine(known)],
  };
}
