/**
 * The recurrence of the vectors B^k·v seen through m projections: the common part of minpoly and det.
 *
 *   B = C·A, N × N over GF(q)      v : N × 1 uniform      U : m × N structured      s_k = U·B^k·v, m sequences
 *   f : their shortest recurrence, monic, deg f ≤ deg μ for the minimal polynomial μ of B, whatever U and v are
 *
 * m sequences show a recurrence of degree d after d + d/m orders, where a single one needs 2·d: m = 4 costs 1.25·N
 * products with one column. The search stops when f has held for `gap` orders in a row, or is proved to be the
 * recurrence of the infinite sequences (then f divides μ), which happens at order 2·N at the latest.
 * Sources: Wiedemann 1986; several sequences: Coppersmith 1994 with n = 1; fact 7 of Kaltofen and Saunders 1991 for q.
 */
import type { BlockVector, Executor, Operator } from '../kernels/executor.js';
import { stopGap } from './block-wiedemann/blocks.js';
import type { LeftFactor } from './block-wiedemann/hashing.js';
import { KrylovSequence } from './block-wiedemann/krylov.js';
import type { RunContext } from './block-wiedemann/rank.js';
import type { WorkingField } from './block-wiedemann/working-field.js';
import { ShiftRegister } from './shift-register.js';

export interface Recurrence {
  readonly coefficients: Uint32Array; // codes of GF(q), f_0 first, monic
  readonly degree: number;
  /** f is the recurrence of the infinite sequences, hence divides the minimal polynomial. */
  readonly proved: boolean;
}

export type RecurrencePhase = 'sequence' | 'generator' | 'verification';
export type RecurrenceSeconds = Record<RecurrencePhase, number>;

/** The device, the randomness and the caller's hooks: what a run needs of the context of block Wiedemann. */
export type RecurrenceContext = Pick<RunContext, 'executor' | 'seed' | 'check' | 'onProgress'>;

export interface RecurrenceRun {
  readonly working: WorkingField;
  readonly seed: bigint;
  readonly attempt: number; // from 1; later attempts wait longer before they believe f
  readonly seconds: RecurrenceSeconds;
}

const PROJECTIONS = 4;
// Orders between two looks at the clock and at the stopping rule; a multiple of the sequence's own batches.
const STEP = 64;

/** f for B = c·a; `a` is square. */
export async function findRecurrence(
  context: RecurrenceContext,
  a: Operator,
  c: LeftFactor,
  run: RecurrenceRun,
): Promise<Recurrence> {
  const N = a.rows;
  if (N === 0) return { coefficients: Uint32Array.of(1), degree: 0, proved: true };
  const { working, attempt, seconds } = run;
  const shape = { m: PROJECTIONS, n: 1, s: 0, shift: 0 as const };
  const gap = stopGap(shape, working.log2q) * attempt;
  const expected = Math.min(2 * N, N + Math.ceil(N / PROJECTIONS) + gap);
  const register = new ShiftRegister(working.elements, PROJECTIONS);
  const krylov = await KrylovSequence.create(context.executor, a, c, working, shape, run.seed);
  const check = (): void => context.check();
  const progress = (done: number): void =>
    context.onProgress({ phase: 'sequence', attempt, done, total: Math.max(expected, done) });
  try {
    // Order 2·N is the end even when nothing is proved there: then the operator of the caller's is not linear.
    while (register.order < 2 * N && !register.proves(N) && register.confirmed < gap) {
      const to = Math.min(register.order + Math.min(STEP, gap + register.order), 2 * N);
      await timed(seconds, 'sequence', () => krylov.extend(to, 0, check, progress));
      await timed(seconds, 'generator', async () => {
        while (register.order < to) register.extend(krylov.s.at(register.order));
      });
    }
  } finally {
    krylov.free();
  }
  return { coefficients: register.recurrence(), degree: register.degree, proved: register.proves(N) };
}

/** C = 1: B is A itself. */
export function identityFactor(executor: Executor): LeftFactor {
  const copy = async (to: BlockVector, from: BlockVector): Promise<void> => executor.copy(to, from);
  return { apply: copy, applyTransposed: copy, free() {} };
}

export async function timed<T>(seconds: RecurrenceSeconds, phase: RecurrencePhase, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } finally {
    seconds[phase] += (performance.now() - start) / 1000;
  }
}
