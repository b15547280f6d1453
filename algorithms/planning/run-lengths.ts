/**
 * How long a run of block Wiedemann will be whose first attempt has no bad luck: blocks of the sequence, orders of the
 * search, products of the verification.
 *
 *   N unknowns, rank r, m × n blocks      gap : orders for which a generator must stand
 *
 * A generator of degree r stands from order r/(m + s) + r/n + gap on, s more rows verifying it, and is met at the next
 * look (block-shape.ts: checkpoints; of parts, at their end). For r = N there is nothing to verify.
 */
import {
  type BlockShape,
  checkpoints,
  lengthForRank,
  sequenceLengths,
  stopGap,
} from '../block-wiedemann/block-shape.js';

export interface RunLengths {
  readonly blocks: number; // of S
  readonly bound: number; // of S, whatever the rank
  /** Orders at which the search looks for its generator, up to the one that finds it. */
  readonly looks: readonly number[];
  readonly verifying: number; // products with the transpose
}

/** `q` = 2^log2q; s random vectors verify; `inParts`: the sequence is made as long as rank r takes, before any look. */
export function runLengths(
  N: number,
  rank: number,
  shape: BlockShape,
  s: number,
  log2q: number,
  inParts: boolean,
): RunLengths {
  const { m, n } = shape;
  const gap = stopGap(shape, log2q);
  const { bound, capacity } = sequenceLengths(N, shape, s, gap);
  const left = Math.ceil(rank / (m + s));
  const stands = left + Math.ceil(rank / n) + (rank === N ? 0 : gap);
  const made = inParts ? Math.min(capacity, lengthForRank(rank, shape, s, gap)) : 0;
  const all = [...checkpoints(bound), ...(inParts ? [made] : []), capacity].sort((a, b) => a - b);
  const last = all.find((look) => look >= stands) ?? capacity;
  const looks = all.filter((look) => look <= last);
  return { blocks: Math.max(made, last), bound, looks, verifying: rank === N || s === 0 ? 0 : left + 1 };
}
