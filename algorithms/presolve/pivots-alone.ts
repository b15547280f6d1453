/**
 * The rank where every row that is left, or every column, has a structural pivot, where random vectors show that there
 * are no more, or where the caller asks for no more. It needs no kernels.
 */
import { exactRank, type RankResult, sufficientRank } from '../rank-result.js';
import type { Presolved } from './presolve.js';

/** The reasons for no other method. */
const ALL_THERE_IS = 'the pivots are all there is';
const ENOUGH = 'the pivots are enough';

/** Whether the pivots leave no Schur complement. */
export function isComplete({ a, matching }: Pick<Presolved, 'a' | 'matching'>): boolean {
  return matching.size === Math.min(a.rows, a.cols);
}

/** Why the pivots alone answer: they are all there is, or prove `atLeast`; null where they do not. */
export function whyPivots(presolved: Presolved, atLeast = Number.POSITIVE_INFINITY): string | null {
  const { matching, pivotsTaken, vanishingLog2 } = presolved;
  if (isComplete(presolved) || vanishingLog2 !== null) return ALL_THERE_IS;
  return pivotsTaken + matching.size >= atLeast ? ENOUGH : null;
}

/** The number of pivots beside the matrix's size, in words. */
export function pivotsLine({ a, matching, pivots }: Pick<Presolved, 'a' | 'matching' | 'pivots'>): string {
  return `${matching.size} structural pivots of ${a.rows} x ${a.cols}, ${pivots.depths.length - 1} deep`;
}

type Bounds = Pick<RankResult, 'rank' | 'lowerBound' | 'upperBound' | 'errorLog2' | 'reason'>;

/** The bounds by the pivots alone, and why, a line each; null where they do not answer. */
export function boundsOfPivots(
  presolved: Presolved,
  atLeast = Number.POSITIVE_INFINITY,
): (Bounds & { why: string[] }) | null {
  const { a, matching, pivotsTaken, vanishingLog2 } = presolved;
  const r = pivotsTaken + matching.size;
  const exact = exactRank(r);
  const why = [pivotsLine(presolved)];
  if (isComplete(presolved)) return { ...exact, why };
  if (vanishingLog2 === null) return r >= atLeast ? { ...sufficientRank(r, atLeast), why } : null;
  const [rows, cols] = [a.rows, a.cols].map((lines) => lines - matching.size);
  why.push(`random vectors show that the ${rows} x ${cols} Schur complement has rank 0`);
  return { ...exact, errorLog2: vanishingLog2, why };
}

/** The answer of method auto by pivots alone; null where they leave lines that may have rank, and more is asked for. */
export function rankOfPivots(presolved: Presolved, atLeast?: number): RankResult | null {
  const bounds = boundsOfPivots(presolved, atLeast);
  if (bounds === null) return null;
  const { why, ...rank } = bounds;
  return {
    ...rank,
    ...{ method: 'hybrid', block: null, seconds: { pivots: presolved.seconds } },
    explanation: [`hybrid: ${whyPivots(presolved, atLeast)}`, ...presolved.explanation, ...why],
  };
}
