/**
 * The binary digits of x = A^-1·b from a floating-point solver that converges, the residual kept exactly.
 *
 *   2^(s·k)·b = A·X_k + r_k     d = round(G·2^s·r_k)     X_(k+1) = 2^s·X_k + d     r_(k+1) = 2^s·r_k − A·d
 *
 * G is the approximate inverse of splitting.ts, so that a step costs one product by A, which is the solver's and the
 * exact residual's at once. Everything is an integer below 2^53 in a double: |2^s·r| + ρ·|d| < 2^53 is tested in each
 * step, ρ the largest sum of a row's magnitudes, and bounds every partial sum. With more bits a step than the solver
 * gains the residual grows until the test fails: then all begins again with fewer.
 *
 * With K = s·k and d·X = n·2^K + e, e small, 2^K·(A·n − d·b) = −(d·r + A·e): a right side below 2^K proves A·n = d·b.
 * Coordinates alone are proved by |x − X/2^K| ≤ ε/2^K: it is a fraction of denominator at most |det A|, and of those
 * n/d is the only one so near.
 * Source: Wan 2006, An algorithm to solve integer linear systems exactly using numerical methods.
 */
import { MemoryError } from '../../kernels/errors/memory-error.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { Expansion, RationalContext } from './context.js';
import { type IntegerSystem, larger, magnitude } from './integer-system.js';
import { checkHeap, commonDenominator, findRelation, joinDigits, lowestTerms } from './reconstruction.js';
import { HostRefinement, type RefinementSteps } from './refinement-steps.js';
import { type Splitting, splitSystem } from './splitting.js';

const MOST_BITS = 24;
const SLACK = 120;
/** Steps between two looks at the caller's wishes, and the first of them. */
const STRIDE = 1024;
const FIRST = 16;
/** A host's time for the digits, roughly (test/bench/RESULTS.md#hundred-digit). */
const TYPICAL_BITS = 8;
const SECONDS_A_TERM = 2.6e-9;

/** A solver for the matrix of a square system; a sentence where the method does not serve. */
export function approximateInverse(system: IntegerSystem, check: () => void): Splitting | string {
  const { rows, cols, values } = system;
  if (rows !== cols) return 'the matrix is not square';
  if (values === null || system.rowSum > 2n ** 40n) return 'the integers of the matrix are too large for doubles';
  const splitting = splitSystem(system, values, check);
  if (splitting === null) return 'a zero on the diagonal, or a singular block of lines with a weak diagonal';
  // Nonsingular, or the solution would be one of many.
  if (splitting.contraction < 1) return splitting;
  return `no bound of the solver's error (‖I − A·G‖ ≤ ${splitting.contraction.toPrecision(3)})`;
}

/** The solution, or the given coordinates of it, in lowest terms; a sentence where the method does not serve. */
export async function solveByRefinement(
  context: RationalContext,
  system: IntegerSystem,
  splitting: Splitting,
  coordinates: readonly number[] | null,
): Promise<Expansion | string> {
  if (system.largestRight >= 2n ** 31n) return 'the integers of the right side are too large for doubles';
  const place = new Uint32Array(system.rows);
  splitting.order.forEach((line, at) => {
    place[line] = at;
  });
  const wanted = Array.from(coordinates ?? place.keys(), (c) => place[c]);
  const all = coordinates === null;
  const gpu = await context.gpu?.(secondsOnHost(system, splitting, all));
  let offGpu: string | undefined;
  for (const device of gpu === undefined ? [undefined] : [gpu, undefined]) {
    try {
      if (device !== undefined && system.rowSum >= 2n ** 31n) throw new MemoryError('rows too large for 32 bits');
      for (let bits = MOST_BITS; bits >= 1; bits--) {
        const found = await expandOn(device, context, system, splitting, wanted, all, bits);
        if (found !== null) return { ...found, offGpu };
      }
      // Where words of 32 bits do not hold the residuals doubles may.
      if (device !== undefined) offGpu = 'residuals too large for 32 bits';
    } catch (error) {
      // A matrix that the GPU does not bind as a whole is the host's.
      if (device === undefined || !(error instanceof MemoryError)) throw error;
      offGpu = error.message;
    }
  }
  return 'the floating-point solver does not converge';
}

/** Digits that are enough, of `bits` each. */
function digitsOf({ minorLog2: D, numeratorLog2: N }: IntegerSystem, all: boolean, bits: number): number {
  return Math.ceil((2 * (all ? Math.max(N, D) : D) + SLACK) / bits);
}

function secondsOnHost(system: IntegerSystem, { weak, colIdx }: Splitting, all: boolean): number {
  return digitsOf(system, all, TYPICAL_BITS) * (colIdx.length + weak * weak) * SECONDS_A_TERM;
}

async function expandOn(
  gpu: GpuDevice | undefined,
  context: RationalContext,
  system: IntegerSystem,
  splitting: Splitting,
  wanted: readonly number[],
  all: boolean,
  bits: number,
): Promise<Expansion | null> {
  if (gpu === undefined) {
    return expand(context, new HostRefinement(splitting, system, bits, wanted), system, splitting, wanted, all, bits);
  }
  const { GpuRefinement } = await import('../../kernels/refinement/gpu-refinement.js');
  const right = Array.from(splitting.order, (line) => Number(system.right[line]));
  const steps = new GpuRefinement(gpu, splitting, right, Number(system.rowSum), bits, wanted);
  try {
    const found = await expand(context, steps, system, splitting, wanted, all, bits);
    return found && { ...found, device: 'gpu' };
  } finally {
    steps.free();
  }
}

/** The expansion by `bits` a step; null when the residual outgrows its words. */
async function expand(
  context: RationalContext,
  steps: RefinementSteps,
  system: IntegerSystem,
  splitting: Splitting,
  wanted: readonly number[],
  all: boolean,
  bits: number,
): Promise<Expansion | null> {
  const { minorLog2: D } = system;
  const whole = digitsOf(system, all, bits);
  const digits: Float64Array[] = [];
  const powers = [2n ** BigInt(bits)];
  let attempt = all ? Math.min(whole, Math.ceil(96 / bits)) : whole;
  for (;;) {
    while (digits.length < attempt) {
      context.check();
      context.onProgress(digits.length, whole);
      // The first steps are few, since they say whether so many bits are too many.
      const more = await steps.advance(Math.min(attempt - digits.length, digits.length === 0 ? FIRST : STRIDE));
      if (more === null) return null;
      digits.push(...more);
    }
    checkHeap(wanted.length, bits * digits.length);
    const last = digits.length - 1;
    const xs = wanted.map((_, c) => joinDigits(digits.length, (j) => digits[last - j][c], powers));
    const fraction = nearestFraction(xs, BigInt(bits * digits.length));
    if (fraction !== null) {
      const { numerators, denominator, error } = fraction;
      const K = BigInt(bits * digits.length);
      const r = await steps.residual();
      const proved = all
        ? denominator * largest(r) + system.rowSum * error < 1n << K
        : (errorBound(r, splitting, wanted) * denominator + error) << BigInt(D) < 1n << K;
      if (proved)
        return { ...lowestTerms(numerators, denominator), proof: all ? 'product' : 'bound', steps: digits.length };
    }
    if (digits.length > whole) return null;
    attempt = Math.max(digits.length + 1, Math.min(whole, Math.ceil(attempt * 1.4)));
  }
}

/** max |r|. */
function largest(r: Float64Array): bigint {
  return BigInt(r.reduce((most, x) => Math.max(most, Math.abs(x)), 0));
}

/** max |(A^-1·r)_c| over the coordinates wanted, rounded up. */
function errorBound(r: Float64Array, { norm, reach, contraction }: Splitting, wanted: readonly number[]): bigint {
  let size = 0;
  for (let i = 0; i < r.length; i++) size = Math.max(size, Math.abs(r[i]) / norm[i]);
  const bound = (wanted.reduce((most, c) => Math.max(most, reach[c]), 0) * size) / (1 - contraction);
  return magnitude(BigInt(Math.ceil(bound * (1 + 2 ** -20)))) + 1n;
}

/** d with d·X_i near multiples n_i of 2^K, and how near all are. */
function nearestFraction(xs: readonly bigint[], K: bigint) {
  const m = 1n << K;
  const d = xs.length === 1 ? (findRelation(xs[0], m)?.t ?? null) : commonDenominator(xs, m);
  if (d === null) return null;
  const numerators = xs.map((x) => (2n * d * x + m) >> (K + 1n));
  const error = xs.reduce((largest, x, i) => larger(largest, d * x - (numerators[i] << K)), 0n);
  return { numerators, denominator: d, error };
}
