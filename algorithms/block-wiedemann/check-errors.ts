/** How checks of a sequence end it (sequence-check.ts). */

/** A check failed, and what the steps began with is still good. */
export class FailedCheckError extends Error {
  override readonly name = 'FailedCheckError';
}

/** Products do not agree with each other again and again, or what they began with is lost. */
export class LostSequenceError extends Error {
  override readonly name = 'LostSequenceError';

  constructor(
    why = 'products did not agree with each other: the operator is not linear, or memory or a processor errs',
  ) {
    super(why);
  }
}

/** Y is not W·A, though it was made twice. */
export class NoTransposeError extends LostSequenceError {
  constructor() {
    super('applyTransposed is not the transpose of apply, or memory or a processor errs');
  }
}
