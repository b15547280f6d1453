/**
 * The shortest recurrence of several scalar sequences, found while they are still being computed.
 *
 *   s^(t)_k, 1 ≤ t ≤ T, over GF(q)      bound : the recurrence of the infinite sequences has at most this degree
 *   f : monic, the shortest that holds for all terms seen; deg f is at most the degree of that of the infinite ones
 *
 * T sequences show a recurrence of degree d after d + d/T orders, where a single one needs 2·d. The search stops when f
 * has held for `gap` orders in a row, or is proved to be the recurrence of the infinite sequences, which happens at
 * order 2·bound at the latest.
 * Sources: Wiedemann 1986; several sequences: Coppersmith 1994 with n = 1.
 */

import type { Field } from '../../fields/field.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import { stopGap } from '../block-wiedemann/block-shape.js';
import { GeneratorSearch } from '../block-wiedemann/generator.js';
import { GrowingBlocks } from '../block-wiedemann/growing-blocks.js';
import { KrylovSequence } from '../block-wiedemann/krylov.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { factorOf, type LeftFactor } from '../block-wiedemann/sparse-factor.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import type { OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { ExtensionPolyEngine, PolyEngine } from '../sigma-basis/pm-basis.js';
import { timePhase } from '../stopwatch.js';
import { MultiSequenceBm } from './multi-sequence-bm.js';

export interface Recurrence {
  readonly coefficients: Uint32Array; // codes of GF(q), f_0 first, monic
  readonly degree: number;
  /** f is the recurrence of the infinite sequences, hence divides the minimal polynomial. */
  readonly proved: boolean;
}

export type RecurrencePhase = 'sequence' | 'generator' | 'verification';
export type RecurrenceSeconds = Record<RecurrencePhase, number>;

/** The device, the randomness and the caller's hooks: what a run needs of the context of block Wiedemann. */
export type RecurrenceContext = Pick<RunContext, 'executor' | 'seed' | 'check' | 'onProgress'> &
  Partial<Pick<RunContext, 'orderBasisEngine'>>;

export interface RecurrenceRun {
  readonly working: WorkingField;
  readonly seed: bigint;
  readonly attempt: number; // from 1; later attempts wait longer before they believe f
  readonly seconds: RecurrenceSeconds;
}

const PROJECTIONS = 4;
// Orders between two looks at the stopping rule; a multiple of the sequence's own batches.
const STEP = 64;
// Beyond so many orders the quadratic register gives way to order bases, where a fast engine is at hand
// (test/bench/RESULTS.md#register-or-order-basis).
const ONLINE_ORDERS = 1000;

/** Sequences that grow on request. */
export interface ScalarSequences {
  readonly count: number; // T
  /** Block k holds term k of every sequence. */
  readonly terms: GrowingBlocks;
  extend(orders: number, check: () => void, onStep: (done: number) => void): Promise<void>;
}

/** The sequences U·B^k·v of B = c·a, a square: their f divides the minimal polynomial of B. */
export async function findRecurrence(
  context: RecurrenceContext,
  a: Operator,
  c: LeftFactor,
  run: RecurrenceRun,
): Promise<Recurrence> {
  if (a.rows === 0) return { coefficients: Uint32Array.of(1), degree: 0, proved: true };
  const shape = { m: PROJECTIONS, n: 1, s: 0, shift: 0 as const };
  const krylov = await KrylovSequence.create(context.executor, a, c, run.working, shape, run.seed);
  const engine = context.orderBasisEngine?.(run.working.field);
  const sequences: ScalarSequences = {
    count: PROJECTIONS,
    terms: krylov.s,
    extend: (orders, check, onStep) => krylov.extend(orders, 0, check, onStep),
  };
  try {
    return await recurrenceOf(context, sequences, a.rows, engine, run);
  } finally {
    krylov.free();
    engine?.dispose?.();
  }
}

/** f of sequences whose recurrence has degree `bound` at most. */
export async function recurrenceOf(
  context: Pick<RunContext, 'check' | 'onProgress'>,
  sequences: ScalarSequences,
  bound: number,
  engine: OrderBasisEngine | undefined,
  run: RecurrenceRun,
): Promise<Recurrence> {
  const search = new RecurrenceSearch(context, sequences, bound, run);
  // Only the fast engines are worth changing to: the naive one is slower than the register.
  const fast = engine instanceof PolyEngine || engine instanceof ExtensionPolyEngine ? engine : null;
  return (await search.online(fast ? ONLINE_ORDERS : Number.POSITIVE_INFINITY)) ?? (await search.byOrderBases(fast!));
}

/** The sequences and the search for their recurrence in turns. */
class RecurrenceSearch {
  private readonly context: Pick<RunContext, 'check' | 'onProgress'>;
  private readonly sequences: ScalarSequences;
  private readonly bound: number;
  private readonly run: RecurrenceRun;
  private readonly gap: number;
  private readonly expected: number; // orders, when deg f = bound

  constructor(
    context: Pick<RunContext, 'check' | 'onProgress'>,
    sequences: ScalarSequences,
    bound: number,
    run: RecurrenceRun,
  ) {
    this.context = context;
    this.sequences = sequences;
    this.bound = bound;
    this.run = run;
    this.gap = stopGap({ m: sequences.count, n: 1 }, run.working.log2q) * run.attempt;
    this.expected = Math.min(2 * bound, bound + Math.ceil(bound / sequences.count) + this.gap);
  }

  /** Order by order, up to `limit` of them; null when they were not enough. */
  async online(limit: number): Promise<Recurrence | null> {
    const { bound, gap } = this;
    const { terms, count } = this.sequences;
    const register = new MultiSequenceBm(this.run.working.elements, count);
    // Order 2·bound is the end even when nothing is proved there: then the operator of the caller's is not linear.
    while (register.order < 2 * bound && !register.proves(bound) && register.confirmed < gap) {
      if (register.order >= limit) return null;
      await this.extend(Math.min(register.order + Math.min(STEP, gap + register.order), 2 * bound));
      const to = Math.min(terms.count, 2 * bound);
      await timePhase(this.run.seconds, 'generator', async () => {
        while (register.order < to) register.extend(terms.at(register.order));
      });
    }
    return { coefficients: register.recurrence(), degree: register.degree, proved: register.proves(bound) };
  }

  /** By order bases of the transposed sequence, 1 × T: its left generator, 1 × 1, is f. */
  async byOrderBases(engine: OrderBasisEngine): Promise<Recurrence> {
    const { bound, gap } = this;
    const { terms, count } = this.sequences;
    const F = this.run.working.elements;
    const search = new GeneratorSearch(engine, { m: 1, n: count, s: 0 }, [], 2 * bound);
    try {
      for (let to = Math.min(terms.count, 2 * bound); ; to = this.nextOrder(to)) {
        await this.extend(to);
        await timePhase(this.run.seconds, 'generator', () => search.advance(terms, NO_BLOCKS, to, F.neg(F.one)));
        // The shortest of the other rows has degree search.degree + search.gap.
        const proved = search.degree <= bound && search.degree + search.gap > bound;
        if (!proved && search.gap < gap && to < 2 * bound) continue;
        if (await search.isReduced(F)) {
          const { coefficients, degree } = await search.generator(F);
          return { coefficients: monic(F, coefficients), degree, proved };
        }
        if (to === 2 * bound) return { coefficients: Uint32Array.of(1), degree: 0, proved: false };
      }
    } finally {
      search.free();
    }
  }

  /** An eighth further, not passing by the order at which f of full degree shows. */
  private nextOrder(order: number): number {
    const further = Math.min(Math.ceil(order * 1.125), 2 * this.bound);
    return order < this.expected ? Math.min(further, this.expected) : further;
  }

  private async extend(to: number): Promise<void> {
    const { attempt, seconds } = this.run;
    const progress = (done: number): void =>
      this.context.onProgress({ phase: 'sequence', attempt, done, total: Math.max(this.expected, done) });
    await timePhase(seconds, 'sequence', () => this.sequences.extend(to, () => this.context.check(), progress));
  }
}

const NO_BLOCKS = new GrowingBlocks(0);

/** f divided by its leading coefficient. */
function monic(F: Field<number>, f: Uint32Array): Uint32Array {
  const inverse = F.inv(f[f.length - 1]);
  return f.map((c) => F.mul(c, inverse));
}

/** C = 1: B is A itself. */
export function identityFactor(executor: Executor): LeftFactor {
  return factorOf(
    executor,
    (to, from) => [{ do: 'copy', to, from }],
    () => {},
  );
}
