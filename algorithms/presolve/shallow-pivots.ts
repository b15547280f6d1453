/**
 * Pivots of fewer depths, for a device on which a substitution takes its time for each depth, however few pivots that
 * has.
 *
 * A pivot that is given up leaves its row and column to the Schur complement, whose rank is one more. Between two large
 * sets of pivots that hardly depend on each other there may be a long chain of few, as in large random matrices
 * (test/bench/RESULTS.md#gpu-substitution). Without it the pivots behind are as shallow as those before.
 */
import { type Matching, orderByDepth, type Pattern, type Pivots } from './pattern.js';
import type { StructuralPivots } from './structural-pivots.js';

/**
 * The pivots of `a` without those of thin depths. `seconds`: of a run without so many of the given pivots, in so many
 * depths; turns go on as long as it falls, each without the thinnest depths of what the one before left.
 */
export function shallowPivots(
  a: Pattern,
  given: StructuralPivots,
  seconds: (lost: number, depths: number) => number,
): StructuralPivots {
  let found = given;
  for (;;) {
    const lost = given.matching.size - found.matching.size;
    const sizes = sizesOf(found.pivots);
    const least = thinnestKept(sizes, (more, depths) => seconds(lost + more, depths));
    if (least === 0) return found;
    found = withoutThin(a, found, sizes, least);
  }
}

/** The fewest pivots of a depth that is worth its time; 0 where all are. */
function thinnestKept(sizes: Uint32Array, seconds: (more: number, depths: number) => number): number {
  const rising = sizes.slice().sort();
  let [best, least, more] = [seconds(0, sizes.length), 0, 0];
  for (let k = 0; k + 1 < rising.length; k++) {
    more += rising[k];
    const isLast = rising[k + 1] > rising[k]; // of its size
    const took = isLast ? seconds(more, rising.length - k - 1) : best;
    if (took < best) [best, least] = [took, rising[k + 1]];
  }
  return least;
}

/** Those of depths with at least so many. */
function withoutThin(
  a: Pattern,
  { matching, pivots }: StructuralPivots,
  sizes: Uint32Array,
  least: number,
): StructuralPivots {
  const colOf = matching.colOf.slice();
  const rowOf = matching.rowOf.slice();
  const { rows, cols, depths } = pivots;
  for (let d = 0; d < sizes.length; d++) {
    if (sizes[d] >= least) continue;
    for (let k = depths[d]; k < depths[d + 1]; k++) [colOf[rows[k]], rowOf[cols[k]]] = [-1, -1];
  }
  const order = matching.order.filter((i) => colOf[i] >= 0);
  const kept: Matching = { colOf, rowOf, order, size: order.length };
  return { matching: kept, pivots: orderByDepth(a, kept) };
}

function sizesOf({ depths }: Pivots): Uint32Array {
  return Uint32Array.from({ length: depths.length - 1 }, (_, d) => depths[d + 1] - depths[d]);
}
