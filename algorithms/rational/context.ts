/** What a solver over Q runs with and works by, and what it gives. */
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { Team } from '../../kernels/threads/team.js';
import type { CommonFraction } from './reconstruction.js';

export interface RationalContext {
  readonly seed: bigint;
  /** Threads for the factors of large matrices; absent where there are none. */
  readonly team?: (() => Promise<Team>) | undefined;
  /** A GPU for what the host would take that many seconds for, if there is one and it should. */
  readonly gpu?: ((seconds: number) => Promise<GpuDevice | undefined>) | undefined;
  /** Bytes that Schur complements may take on them. */
  readonly maxBytes?: number | undefined;
  /** Throws when the caller has cancelled. */
  readonly check: () => void;
  /** A phase of the factors begins. */
  readonly onPhase?: ((phase: string) => void) | undefined;
  /** Digits known, of at most `total`. */
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * A matrix modulo p, as lifting needs it: A·G·A ≡ A, so that G·b solves A·x ≡ b wherever there is a solution.
 *
 *   R, C : the rows and columns of the pivots, M = A[R, C] nonsingular     G : M^-1 in places C × R, 0 elsewhere
 */
export interface ModularFactors {
  readonly p: number;
  readonly rank: number;
  /** G·b or Gᵀ·b, canonical, for canonical columns b. */
  apply(columns: readonly Float64Array[], transposed: boolean): Promise<Float64Array[]>;
  free(): void;
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
  readonly device?: 'gpu'; // where they come from, unless that is the host
  readonly offGpu?: string | undefined; // why the host, where there was a GPU
}
