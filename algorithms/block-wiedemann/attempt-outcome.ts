/** What an attempt at the rank comes to. */

export interface AttemptOutcome {
  readonly degree: number; // a lower bound of the rank
  readonly verified: boolean;
  readonly reason: string; // why it is not verified, in words
  /** The operator is not linear: fresh randomness does not help. */
  readonly broken?: boolean;
  /** Memory or a processor erred more than the attempt could mend: nothing is known, and another one may do. */
  readonly lost?: boolean;
  readonly combined?: undefined;
}

/** What a generator of that degree leaves to verify (verification.ts). */
export interface Relations {
  readonly degree: number;
  readonly combined: Uint32Array;
}

export const LOST: AttemptOutcome = {
  degree: 0,
  verified: false,
  lost: true,
  reason: 'an order basis, or what it says of its generator, failed its check',
};

/** Rows of T are in no row space then: nothing is known. */
export const NO_TRANSPOSE = { reason: 'applyTransposed is not the transpose of apply', broken: true };
