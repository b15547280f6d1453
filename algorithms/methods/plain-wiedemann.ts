/**
 * Block Wiedemann on the matrix itself. Of a run that is kept the shape of its blocks is that of its first start,
 * whatever the device on which it goes on would choose.
 *
 *   choices : sparse pivots, method, m, n, and what else the method chose (checkpoint/way.ts)
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { blocksHere, type RankOptions, type RunContext, rankOfMatrix } from '../block-wiedemann/rank.js';
import type { Choice } from '../checkpoint/way.js';
import { operatorDigest } from '../presolve/digest.js';
import { dropEmptyLines } from '../presolve/drop-empty.js';
import { isPresolved, type Presolved } from '../presolve/presolve.js';
import { explain, type RankResult } from '../rank-result.js';
import { gpuOf, refuseMethod } from './choose.js';
import { blocksWithRoom, wiedemannObstacle } from './feasible.js';

/** The blocks of the run that goes on. */
export function blockOf([, , m, n]: readonly Choice[]): BlockShape {
  return { m: Number(m), n: Number(n) };
}

/** Behind the pivots that were taken, where the matrix is `given` with some. */
export async function rankByWiedemann(
  context: RunContext,
  given: ResidueMatrix | Presolved,
  options: RankOptions,
): Promise<RankResult> {
  const { field } = context.executor;
  const isReady = isPresolved(given);
  const { a, pivotsTaken } = isReady ? given : { a: dropEmptyLines(given), pivotsTaken: 0 };
  const { block, explanation } = blocksWithRoom(context, a, options);
  const own = { ...options, block };
  refuseMethod('wiedemann', wiedemannObstacle(field, a.rows, a.cols, a.colIdx.length, { gpu: gpuOf(context) }, own));
  const atLeast = options.atLeast === undefined ? undefined : options.atLeast - pivotsTaken;
  const asked = { ...own, atLeast, block: await keptBlock(context, a, block, isReady ? given.sparsePivots : 0) };
  const result = explain(explanation, await rankOfMatrix(context, a, asked));
  const { rank, lowerBound, upperBound } = result;
  return {
    ...result,
    rank: pivotsTaken + rank,
    lowerBound: pivotsTaken + lowerBound,
    upperBound: upperBound === null ? null : pivotsTaken + upperBound,
  };
}

/** Of block Wiedemann on A: `block`, or for a run that is kept the one chosen here, which is kept with A's digest. */
async function keptBlock(
  context: RunContext,
  a: ResidueMatrix,
  block: BlockShape | undefined,
  sparsePivots: number,
): Promise<BlockShape | undefined> {
  if (!context.way) return block;
  const { m, n } = block ?? (await blocksHere(context, a));
  await context.way.arrive([sparsePivots, 'wiedemann', m, n], await operatorDigest(a));
  return { m, n };
}
