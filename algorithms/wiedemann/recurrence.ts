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

import type { Field } from '../../fields/field.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import { stopGap } from '../block-wiedemann/block-shape.js';
import { GeneratorSearch } from '../block-wiedemann/generator.js';
import { KrylovSequence } from '../block-wiedemann/krylov.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { factorOf, type LeftFactor } from '../block-wiedemann/sparse-factor.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import type { OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { PolyEngine } from '../sigma-basis/pm-basis.js';
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

/** The device, the randomness and the caller's hooks: the part of block Wiedemann's context that a run needs. */
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

/** f for B = c·a; `a` is square. */
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
  try {
    const search = new RecurrenceSearch(context, krylov, a.rows, run);
    // The naive engine is slower than the register, so only the fast one replaces it.
    const fast = engine instanceof PolyEngine ? engine : null;
    return (await search.online(fast ? ONLINE_ORDERS : Number.POSITIVE_INFINITY)) ?? (await search.byOrderBases(fast!));
  } finally {
    krylov.free();
    engine?.dispose?.();
  }
}

/** The sequence and the search for its recurrence in turns. */
class RecurrenceSearch {
  private readonly context: RecurrenceContext;
  private readonly krylov: KrylovSequence;
  private readonly N: number;
  private readonly run: RecurrenceRun;
  private readonly gap: number;
  private readonly expected: number; // orders, when deg f = N

  constructor(context: RecurrenceContext, krylov: KrylovSequence, N: number, run: RecurrenceRun) {
    this.context = context;
    this.krylov = krylov;
    this.N = N;
    this.run = run;
    this.gap = stopGap({ m: PROJECTIONS, n: 1 }, run.working.log2q) * run.attempt;
    this.expected = Math.min(2 * N, N + Math.ceil(N / PROJECTIONS) + this.gap);
  }

  /** Order by order, up to `limit` of them; null when they were not enough. */
  async online(limit: number): Promise<Recurrence | null> {
    const { N, gap } = this;
    const register = new MultiSequenceBm(this.run.working.elements, PROJECTIONS);
    // Order 2·N is the end even without a proof: the caller's operator is then not linear.
    while (register.order < 2 * N && !register.proves(N) && register.confirmed < gap) {
      if (register.order >= limit) return null;
      await this.extend(Math.min(register.order + Math.min(STEP, gap + register.order), 2 * N));
      await timePhase(this.run.seconds, 'generator', async () => {
        while (register.order < this.krylov.length) register.extend(this.krylov.s.at(register.order));
      });
    }
    return { coefficients: register.recurrence(), degree: register.degree, proved: register.proves(N) };
  }

  /** By order bases of the transposed sequence, 1 × m: its left generator, 1 × 1, is f. */
  async byOrderBases(engine: OrderBasisEngine): Promise<Recurrence> {
    const { N, gap, krylov } = this;
    const F = this.run.working.elements;
    const search = new GeneratorSearch(engine, { m: 1, n: PROJECTIONS, s: 0 }, [], 2 * N);
    try {
      for (let to = krylov.length; ; to = this.nextOrder(to)) {
        await this.extend(to);
        await timePhase(this.run.seconds, 'generator', () => search.advance(krylov.s, krylov.t, to, F.neg(F.one)));
        // The shortest of the other rows has degree search.degree + search.gap.
        const proved = search.degree <= N && search.degree + search.gap > N;
        if (!proved && search.gap < gap && to < 2 * N) continue;
        const { coefficients, degree, reduced } = await search.generator(F);
        if (reduced) return { coefficients: monic(F, coefficients), degree, proved };
        if (to === 2 * N) return { coefficients: Uint32Array.of(1), degree: 0, proved: false };
      }
    } finally {
      search.free();
    }
  }

  /** An eighth further, not passing by the order at which f of full degree shows. */
  private nextOrder(order: number): number {
    const further = Math.min(Math.ceil(order * 1.125), 2 * this.N);
    return order < this.expected ? Math.min(further, this.expected) : further;
  }

  private async extend(to: number): Promise<void> {
    const { attempt, seconds } = this.run;
    const progress = (done: number): void =>
      this.context.onProgress({ phase: 'sequence', attempt, done, total: Math.max(this.expected, done) });
    await timePhase(seconds, 'sequence', () => this.krylov.extend(to, 0, () => this.context.check(), progress));
  }
}

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
