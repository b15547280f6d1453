/**
 * The rank where every row that is left, or every column, has a structural pivot, or where random vectors show that
 * there are no more. It needs no kernels.
 */
import { exactRank, type RankResult } from '../rank-result.js';
import type { Presolved } from './presolve.js';

/** The reason for no other method. */
export const ALL_THERE_IS = 'the pivots are all there is';

/** Whether the pivots leave no Schur complement. */
export function isComplete({ a, matching }: Pick<Presolved, 'a' | 'matching'>): boolean {
  return matching.size === Math.min(a.rows, a.cols);
}

/** Whether the rank is known to be the number of the pivots, for certain or by random vectors. */
export function areAll(presolved: Pick<Presolved, 'a' | 'matching' | 'vanishingLog2'>): boolean {
  return isComplete(presolved) || presolved.vanishingLog2 !== null;
}

/** The number of pivots beside the matrix's size, in words. */
export function pivotsLine({ a, matching, pivots }: Pick<Presolved, 'a' | 'matching' | 'pivots'>): string {
  return `${matching.size} structural pivots of ${a.rows} x ${a.cols}, ${pivots.depths.length - 1} deep`;
}

/** The bounds of a rank that is the number of the pivots, and why, a line each; null where it may be more. */
export function boundsOfPivots(presolved: Presolved): (ReturnType<typeof exactRank> & { why: string[] }) | null {
  const { a, matching, pivotsTaken, vanishingLog2 } = presolved;
  const exact = exactRank(pivotsTaken + matching.size);
  const why = [pivotsLine(presolved)];
  if (isComplete(presolved)) return { ...exact, why };
  if (vanishingLog2 === null) return null;
  const [rows, cols] = [a.rows, a.cols].map((lines) => lines - matching.size);
  why.push(`random vectors show that the ${rows} x ${cols} Schur complement has rank 0`);
  return { ...exact, errorLog2: vanishingLog2, why };
}

/** The answer of method auto by pivots alone; null where the pivots leave lines that may have rank. */
export function rankOfPivots(presolved: Presolved): RankResult | null {
  const bounds = boundsOfPivots(presolved);
  if (bounds === null) return null;
  const { why, ...rank } = bounds;
  return {
    ...rank,
    ...{ method: 'hybrid', block: null, seconds: { pivots: presolved.seconds } },
    explanation: [`hybrid: ${ALL_THERE_IS}`, ...presolved.explanation, ...why],
  };
}
