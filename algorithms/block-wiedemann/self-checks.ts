/** The count of a run's self-checks (sequence-check.ts, basis-check.ts), and what a user is told of failures. */
import type { RunContext } from './run-context.js';

/** Whether a run checks itself: where that is asked for, and where it is kept. */
export function checksItself({ selfChecks, checkpoint }: Pick<RunContext, 'selfChecks' | 'checkpoint'>): boolean {
  return selfChecks === true || checkpoint !== undefined;
}

/**
 * Blocks of a sequence from which on a rank checks itself unasked: vectors for it are a few narrow steps of so many
 * (test/bench/RESULTS.md#self-checks). It takes a quarter of a minute then, in which memory may err.
 */
const LONG = 5 * 2 ** 10;
/** The same on a GPU, which waits at every mark (check-interval.ts). */
const LONG_ON_GPU = 2 ** 13;

/** The same of an attempt at a rank with so many blocks, on any devices; `selfChecks` false: if it is kept. */
export function checksAttempt(context: RunContext, blocks: number): boolean {
  return checksItself(context) || (context.selfChecks !== false && checksUnasked(context.executor.name, blocks));
}

/** Whether a rank in so many blocks does so by itself. */
export function checksUnasked(device: RunContext['executor']['name'], blocks: number): boolean {
  return blocks >= (device === 'gpu' ? LONG_ON_GPU : LONG);
}

/** Self-checks made, and those that failed. */
export interface SelfChecks {
  sequence: number; // intervals
  basis: number;
  failed: number;
}

/** A line where memory or a processor erred. */
export function warningsOf({ sequence, basis, failed }: SelfChecks): string[] {
  if (failed === 0) return [];
  const held = `${sequence} intervals of the sequence and ${basis} order bases hold`;
  return [`self-checks: ${failed} failed and were gone back from, since memory or a processor errs; ${held}`];
}
