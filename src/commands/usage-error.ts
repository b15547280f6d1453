/**
 * Exit codes (those from 65 to 78 are of sysexits.h, those from 128 on a shell's for a signal) and the errors that only
 * a command line has; light, so always loaded.
 */

export const REFUSED = 1;
export const USAGE = 2;
export const NO_SOLUTION = 3;
export const BAD_DATA = 65; // EX_DATAERR
export const NO_DEVICE = 69; // EX_UNAVAILABLE
export const INTERNAL = 70; // EX_SOFTWARE
export const NO_RESOURCE = 71; // EX_OSERR: the system refuses a thread, a process or memory
export const NO_OUTPUT_FILE = 73; // EX_CANTCREAT
export const WRITE_FAILED = 74; // EX_IOERR

export const STOPPED = 75; // EX_TEMPFAIL: the same command goes on

/** The signals that end a run in order, and the exit code of each: 128 and its number. */
export const SIGNAL_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type EndingSignal = keyof typeof SIGNAL_CODES;

/** What exit codes say, for the manual page. */
export const EXIT_STATUS: readonly [code: string, meaning: string][] = [
  ['0', 'answered'],
  [`${REFUSED}`, 'certificate refused'],
  [`${USAGE}`, 'wrong usage'],
  [`${NO_SOLUTION}`, 'the system has no solution, proved'],
  [`${BAD_DATA}`, 'bad data, or an input that cannot be read'],
  [`${NO_DEVICE}`, 'a device is missing'],
  [`${INTERNAL}`, 'internal, no answer, or no memory left'],
  [`${NO_RESOURCE}`, 'the system refuses a thread, a process or memory'],
  [`${NO_OUTPUT_FILE}`, 'a file to write cannot be made'],
  [`${WRITE_FAILED}`, 'writing failed'],
  [`${STOPPED}`, 'ended at a checkpoint of --run'],
  ...Object.entries(SIGNAL_CODES).map(([signal, code]): [string, string] => [`${code}`, `ended by ${signal}`]),
];

/** A wrong command line, found by a verb rather than by the parser. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A certificate that does not hold. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** A system that has no solution, as is proved. */
export class NoSolutionError extends Error {
  override readonly name = 'NoSolutionError';
}

/** A question that came to no answer: every attempt was unlucky, or no method serves it. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
}

/** Of several questions some came to none, each for a reason that has been told; the exit code is that of the first. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A file that cannot be made, found out before the work. */
export class OutputFileError extends Error {
  override readonly name = 'OutputFileError';
}

/** A certificate that was asked for and cannot be had; the rank stands. */
export class NoCertificateError extends Error {
  override readonly name = 'NoCertificateError';
}

/** Writing failed half-way: a full disk, a file size limit. */
export class WriteError extends Error {
  override readonly name = 'WriteError';
}

const SIGNAL_WORDS: Readonly<Record<EndingSignal, string>> = {
  SIGHUP: 'hung up',
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
};

/** The run was ended by a signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
  readonly signal: EndingSignal;
  readonly exitCode: number;

  constructor(signal: EndingSignal) {
    super(SIGNAL_WORDS[signal]);
    this.signal = signal;
    this.exitCode = SIGNAL_CODES[signal];
  }
}
