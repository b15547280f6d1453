/**
 * The rank where every row that is left, or every column, has a structural pivot. It needs no arithmetic and no
 * kernels.
 */
import { exactRank, type RankResult } from '../rank-result.js';
import type { Presolved } from './presolve.js';

/** The reason for no other method. */
export const ALL_THERE_IS = 'the pivots are all there is';

/** Whether the pivots leave no Schur complement. */
export function isComplete({ a, matching }: Pick<Presolved, 'a' | 'matching'>): boolean {
  return matching.size === Math.min(a.rows, a.cols);
}

/** The number of pivots beside the matrix's size, in words. */
export function pivotsLine({ a, matching, pivots }: Pick<Presolved, 'a' | 'matching' | 'pivots'>): string {
  return `${matching.size} structural pivots of ${a.rows} x ${a.cols}, ${pivots.depths.length - 1} deep`;
}

/** The proved answer of method auto; null where the pivots leave lines. */
export function rankOfPivots(presolved: Presolved): RankResult | null {
  if (!isComplete(presolved)) return null;
  return {
    ...exactRank(presolved.pivotsTaken + presolved.matching.size),
    ...{ method: 'hybrid', block: null, seconds: { pivots: presolved.seconds } },
    explanation: [`hybrid: ${ALL_THERE_IS}`, ...presolved.explanation, pivotsLine(presolved)],
  };
}
