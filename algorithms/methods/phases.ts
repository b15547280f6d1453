/**
 * The phases of block Wiedemann for a rank in seconds: the numbers of its steps times what a step takes. One model:
 * the choice of a method takes the steps' times from a table (costs.ts), a plan takes them as measured (planning/).
 */
import type { Phase } from '../block-wiedemann/phase.js';

/** How often. */
export interface StepCounts {
  readonly steps: number; // of the sequence: V ← C·(A·V)
  readonly verifying: number; // of the verification: X ← Aᵀ·(Cᵀ·X)
}

/** Seconds. */
export interface StepSeconds {
  readonly setup: number;
  readonly step: number;
  readonly verifying: number;
  readonly basis: number; // the whole order basis
  readonly combining: number; // of the relations that are verified
}

export function phaseSeconds(counts: StepCounts, seconds: StepSeconds): Readonly<Record<Phase, number>> {
  return {
    setup: seconds.setup,
    sequence: counts.steps * seconds.step,
    sigmaBasis: seconds.basis,
    verification: counts.verifying * seconds.verifying + seconds.combining,
  };
}

export function sumOfPhases({ setup, sequence, sigmaBasis, verification }: Readonly<Record<Phase, number>>): number {
  return setup + sequence + sigmaBasis + verification;
}
