/**
 * How long a run of block Wiedemann will be whose first attempt has no bad luck: blocks of the sequence, orders of the
 * search, products of the verification.
 *
 *   N unknowns, rank r, m × n blocks      gap : orders for which a generator must stand
 *
 * A generator of degree r stands from order r/m + r/n + gap on, and is met at the next look (block-shape.ts:
 * checkpoints; of parts, at their end). The moments T must then have served for r/n + gap orders from where they
 * entered: else the search goes on, or is made again with T entering at r/m (attempt.ts). For r = N there is nothing to
 * verify.
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
  /** Orders at which the search looks for its generator, up to the one that finds it. */
  readonly looks: readonly number[];
  /** Orders of the search that is made again; 0 for none. */
  readonly again: number;
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
  const { entries, bound, capacity } = sequenceLengths(N, shape, s, gap);
  const [left, right] = [Math.ceil(rank / m), Math.ceil(rank / n)];
  const stands = left + right + (rank === N ? 0 : gap);
  const made = inParts ? Math.min(capacity, lengthForRank(rank, shape, gap)) : 0;
  const all = [...checkpoints(bound), ...(inParts ? [made] : []), capacity].sort((a, b) => a - b);
  const last = all.find((look) => look >= stands) ?? capacity;
  const looks = all.filter((look) => look <= last);
  if (rank === N || s === 0) return { blocks: Math.max(made, last), looks, again: 0, verifying: 0 };
  const early = left + 2;
  const entry = entries.find((each) => each >= early) ?? entries.at(-1)!;
  const wanted = entry + right + 1 + gap;
  const verifying = (at: number): number => Math.max(at, left) + 1;
  if (wanted <= last) return { blocks: Math.max(made, last), looks, again: 0, verifying: verifying(entry) };
  if (wanted <= capacity && wanted - last <= last / 8) {
    return { blocks: Math.max(made, wanted), looks: [...looks, wanted], again: 0, verifying: verifying(entry) };
  }
  const again = early + right + 1 + gap;
  return { blocks: Math.max(made, last, again), looks, again, verifying: verifying(early) };
}
