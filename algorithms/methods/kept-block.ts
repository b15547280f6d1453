/**
 * The block shape of a kept rank: chosen by the device of the first start, and the same wherever the run goes on.
 *
 *   choices : sparse pivots, method, m, n, and what else the method chose (checkpoint/way.ts)
 */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { blocksHere, type RunContext } from '../block-wiedemann/rank.js';
import type { Choice } from '../checkpoint/way.js';
import { operatorDigest } from '../presolve/digest.js';

/** Of the run that goes on. */
export function blockOf([, , m, n]: readonly Choice[]): BlockShape {
  return { m: Number(m), n: Number(n) };
}

/** Of block Wiedemann on A: `block`, or for a run that is kept the one chosen here, which is kept with A's digest. */
export async function keptBlock(
  context: RunContext,
  a: ResidueMatrix,
  block: BlockShape | undefined,
  sparsePivots: number,
): Promise<BlockShape | undefined> {
  if (!context.way) return block;
  const { m, n } = block ?? (await blocksHere(context, a));
  await context.way.arrive([sparsePivots, 'wiedemann', m, n], operatorDigest(a));
  return { m, n };
}
