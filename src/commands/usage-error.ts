/** Exit codes (those beyond 2 are of sysexits.h) and the errors that only a command line has; light, so always loaded. */

export const REFUSED = 1;
export const USAGE = 2;
export const BAD_DATA = 65;
export const NO_DEVICE = 69;
export const INTERNAL = 70;
export const INTERRUPTED = 130;

/** A wrong command line, found by a verb rather than by the parser. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A certificate that does not hold. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** The run was ended by SIGINT. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}
