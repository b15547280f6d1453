/** Steps of numeric refinement (refinement.ts), in doubles on the host: kernels/refinement/ has them on a GPU. */
import type { Awaitable } from '../../kernels/executor.js';
import type { IntegerSystem } from './integer-system.js';
import type { Splitting } from './splitting.js';

export interface RefinementSteps {
  /** The next digits of the coordinates wanted, a step each; null when a number was too large to be exact. */
  advance(steps: number): Awaitable<Float64Array[] | null>;
  /** r after them, in the order of the splitting. */
  residual(): Awaitable<Float64Array>;
}

/** The double nearest to a sum below this is of a sum below 2^53. */
const EXACT = 2 ** 52;
/** Adding and subtracting it rounds a double below 2^51 to an integer. */
const ROUND = 1.5 * 2 ** 52;

/** r, d and one step of both. */
export class HostRefinement implements RefinementSteps {
  private readonly d: Float64Array;
  private readonly r: Float64Array;
  private readonly splitting: Splitting;
  private readonly wanted: readonly number[];
  private readonly reciprocals: Float64Array;
  private readonly scale: number;
  private readonly rowSum: number;
  private largest: number; // |r|

  constructor(splitting: Splitting, system: IntegerSystem, bits: number, wanted: readonly number[]) {
    this.splitting = splitting;
    this.wanted = wanted;
    this.d = new Float64Array(system.rows);
    this.r = Float64Array.from(splitting.order, (line) => Number(system.right[line]));
    this.reciprocals = splitting.diagonal.map((a) => 1 / a);
    this.scale = 2 ** bits;
    this.rowSum = Number(system.rowSum);
    this.largest = Number(system.largestRight);
  }

  advance(steps: number): Float64Array[] | null {
    const digits: Float64Array[] = [];
    while (digits.length < steps) {
      if (!this.step()) return null;
      digits.push(Float64Array.from(this.wanted, (c) => this.d[c]));
    }
    return digits;
  }

  residual(): Float64Array {
    return this.r;
  }

  /** The next digits; false when a number was too large to be exact. */
  private step(): boolean {
    const { splitting, d, r, scale, reciprocals } = this;
    const { weak, rowPtr, middle, colIdx, values, inverse } = splitting;
    const n = r.length;
    const before = scale * this.largest;
    if (!(before < EXACT)) return false;
    // d_S = D^-1·2^s·r_S
    for (let i = weak; i < n; i++) d[i] = r[i] * scale * reciprocals[i] + ROUND - ROUND;
    subtractProduct(r, d, 0, n, middle, rowPtr, 1, colIdx, values, scale);
    multiplyRounded(d, inverse, r, weak);
    subtractProduct(r, d, 0, n, rowPtr, middle, 0, colIdx, values, 1);
    const digit = largestOf(d);
    this.largest = largestOf(r);
    return before + this.rowSum * digit < EXACT;
  }
}

/** r ← scale·r − A'·d for the entries of row i from from[i] to to[i + shift]. */
function subtractProduct(
  r: Float64Array,
  d: Float64Array,
  begin: number,
  n: number,
  from: Uint32Array,
  to: Uint32Array,
  shift: number,
  colIdx: Uint32Array,
  values: Float64Array,
  scale: number,
): void {
  for (let i = begin; i < n; i++) {
    let sum = r[i] * scale;
    const end = to[i + shift];
    for (let e = from[i]; e < end; e++) sum -= values[e] * d[colIdx[e]];
    r[i] = sum;
  }
}

/** d_i ← round(Σ_j C_ij·r_j), i < k. */
function multiplyRounded(d: Float64Array, inverse: Float64Array, r: Float64Array, k: number): void {
  for (let i = 0; i < k; i++) {
    let [even, odd, at] = [0, 0, i * k];
    let j = 0;
    for (; j + 1 < k; j += 2, at += 2) {
      even += inverse[at] * r[j];
      odd += inverse[at + 1] * r[j + 1];
    }
    if (j < k) even += inverse[at] * r[j];
    d[i] = Math.round(even + odd);
  }
}

function largestOf(x: Float64Array): number {
  let largest = 0;
  for (let i = 0; i < x.length; i++) {
    const size = x[i] < 0 ? -x[i] : x[i];
    if (Number.isNaN(size)) return Number.POSITIVE_INFINITY;
    if (size > largest) largest = size;
  }
  return largest;
}
