/**
 * How a range of the coefficients of a product of polynomial matrices is cut for transforms on a GPU.
 *
 *   a : R × K, `left` coefficients      b : K × C, `right`      wanted: `count` coefficients from `from` on
 *
 * In `pieces` of `piece` coefficients, each by cyclic products of n points: a piece sees left − 1 + piece coefficients
 * of b, and what wraps falls below the wanted ones. a is transformed once. Costs are instructions counted in the
 * shaders.
 */
import { LONGEST_LOG } from './gpu-ntt-primes.js';

export interface GpuRange {
  readonly rows: number; // R
  readonly inner: number; // K, in whole groups for the entries of a
  readonly columns: number; // of b, in whole groups
  readonly left: number;
  readonly right: number;
  readonly from: number;
  readonly count: number;
  readonly total: number; // coefficients of a·b from here on vanish
}

export interface GpuSchedule {
  readonly logPoints: number;
  readonly piece: number;
  readonly pieces: number;
}

// Shorter transforms leave workgroups of the products half empty.
const SHORTEST_LOG = 4;

/** The cheapest; null when a is longer than any transform. */
export function gpuSchedule(range: GpuRange): GpuSchedule | null {
  const { rows, inner, columns, left, right, from, count, total } = range;
  const whole = from === 0 && count === Math.min(total, left + right - 1);
  let best: GpuSchedule | null = null;
  let least = Infinity;
  for (let logPoints = SHORTEST_LOG; logPoints <= LONGEST_LOG; logPoints++) {
    const n = 2 ** logPoints;
    // Nothing wraps in a product that has no more coefficients than points.
    const most = whole && n >= count ? count : n - left + 1 >= right ? count : n - left + 1;
    if (most < 1) continue;
    const pieces = Math.ceil(count / most);
    const transforms = inner * rows + pieces * columns * (inner + rows);
    const cost = n * ((10 * logPoints + 20) * transforms + 12.5 * pieces * rows * inner * columns);
    if (cost < least) {
      least = cost;
      best = { logPoints, piece: Math.ceil(count / pieces), pieces };
    }
    if (pieces === 1) break;
  }
  return best;
}
