/** What a solver over Q runs with, and what the two of them give. */
import type { CommonFraction } from './reconstruction.js';

export interface RationalContext {
  readonly seed: bigint;
  /** Throws when the caller has cancelled. */
  readonly check: () => void;
  /** Digits known, of at most `total`. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * What proves a solution.
 *
 *   product : A·n = d·b over Z, as the difference is a multiple of a number that it does not reach
 *   bound   : fractions within the bounds of Hadamard and Cramer differ by more than digits leave open
 */
export type RationalProof = 'product' | 'bound';

export interface Expansion extends CommonFraction {
  readonly proof: RationalProof;
  readonly steps: number; // digits
}
