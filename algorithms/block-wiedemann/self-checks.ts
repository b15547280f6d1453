/** The count of a run's self-checks (sequence-check.ts, basis-check.ts), and what a user is told of failures. */
import type { RunContext } from './run-context.js';

/** Whether a minimal polynomial or determinant checks itself: where that is asked for, and where it is kept. */
export function checksItself({ selfChecks, checkpoint }: Pick<RunContext, 'selfChecks' | 'checkpoint'>): boolean {
  return selfChecks === true || checkpoint !== undefined;
}

/**
 * The same of a rank, which does unless it is told not to: a wrong word of its sequence makes a degree too large, which
 * would be believed. Long ranks pay some 2 % for it, those of a second or less 4 to 12
 * (test/bench/RESULTS.md#self-checks).
 */
export function checksRank({ selfChecks, checkpoint }: Pick<RunContext, 'selfChecks' | 'checkpoint'>): boolean {
  return selfChecks !== false || checkpoint !== undefined;
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
