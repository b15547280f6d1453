/** Exit codes (those beyond 2 are of sysexits.h) and the errors that only a command line has; light, so always loaded. */

export const USAGE = 2;
export const BAD_DATA = 65;
export const NO_DEVICE = 69;
export const INTERNAL = 70;
export const INTERRUPTED = 130;

/** A wrong command line, found by a verb rather than by the parser. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The run was ended by SIGINT. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}
