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
import type { Awaitable } from '../../kernels/executor.js';
import { stopGap } from '../block-wiedemann/block-shape.js';
import { GeneratorSearch } from '../block-wiedemann/generator.js';
import { GrowingBlocks } from '../block-wiedemann/growing-blocks.js';
import type { BasisKeeper } from '../block-wiedemann/kept-basis.js';
import type { Pause } from '../block-wiedemann/look.js';
import type { WorkingField } from '../block-wiedemann/working-field.js';
import { StoppedError } from '../checkpoint/store.js';
import type { OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { ExtensionPolyEngine, PolyEngine } from '../sigma-basis/pm-basis.js';
import { MultiSequenceBm } from './multi-sequence-bm.js';

export interface Recurrence {
  readonly coefficients: Uint32Array; // codes of GF(q), f_0 first, monic
  readonly degree: number;
  /** f is the recurrence of the infinite sequences. */
  readonly proved: boolean;
}

// Orders between two looks at the stopping rule.
const STEP = 64;
// Beyond so many orders the quadratic register gives way to order bases, where a fast engine is at hand
// (test/bench/RESULTS.md#register-or-order-basis).
const ONLINE_ORDERS = 1000;

/** Sequences that grow on request. */
export interface ScalarSequences {
  readonly count: number; // T
  /** Block k holds term k of every sequence. */
  readonly terms: GrowingBlocks;
  extend(orders: number, check: () => Awaitable<void>): Promise<void>;
}

/**
 * f of sequences whose recurrence has degree `bound` at most. Later attempts wait longer before they believe it; throws
 * what `check` throws. `kept` : where the order basis is kept, if it is.
 */
export async function recurrenceOf(
  sequences: ScalarSequences,
  bound: number,
  working: WorkingField,
  engine: OrderBasisEngine,
  check: () => Awaitable<void>,
  attempt = 1,
  kept?: BasisKeeper,
): Promise<Recurrence> {
  const search = new RecurrenceSearch(sequences, bound, working, check, attempt);
  // Only the fast engines are worth changing to: the naive one is slower than the register.
  const fast = engine instanceof PolyEngine || engine instanceof ExtensionPolyEngine;
  return (
    (await search.online(fast ? ONLINE_ORDERS : Number.POSITIVE_INFINITY)) ?? (await search.byOrderBases(engine, kept))
  );
}

/** The sequences and the search for their recurrence in turns. */
class RecurrenceSearch {
  private readonly sequences: ScalarSequences;
  private readonly bound: number;
  private readonly working: WorkingField;
  private readonly check: () => Awaitable<void>;
  private readonly gap: number;
  private readonly expected: number; // orders, when deg f = bound

  constructor(
    sequences: ScalarSequences,
    bound: number,
    working: WorkingField,
    check: () => Awaitable<void>,
    attempt: number,
  ) {
    this.sequences = sequences;
    this.bound = bound;
    this.working = working;
    this.check = check;
    this.gap = stopGap({ m: sequences.count, n: 1 }, working.log2q) * attempt;
    this.expected = Math.min(2 * bound, bound + Math.ceil(bound / sequences.count) + this.gap);
  }

  /** Order by order, up to `limit` of them; null when they were not enough. */
  async online(limit: number): Promise<Recurrence | null> {
    const { bound, gap } = this;
    const { terms, count } = this.sequences;
    const register = new MultiSequenceBm(this.working.elements, count);
    // Order 2·bound is the end even when nothing is proved there: then the operator of the caller's is not linear.
    while (register.order < 2 * bound && !register.proves(bound) && register.confirmed < gap) {
      if (register.order >= limit) return null;
      await this.extend(Math.min(register.order + Math.min(STEP, gap + register.order), 2 * bound));
      const to = Math.min(terms.count, 2 * bound, limit); // chunks of terms, or kept ones, come at once
      while (register.order < to) register.extend(terms.at(register.order));
    }
    return { coefficients: register.recurrence(), degree: register.degree, proved: register.proves(bound) };
  }

  /** By order bases of the transposed sequence, 1 × T: its left generator, 1 × 1, is f. */
  async byOrderBases(engine: OrderBasisEngine, kept?: BasisKeeper): Promise<Recurrence> {
    const { bound, gap } = this;
    const { terms, count } = this.sequences;
    const F = this.working.elements;
    const search = new GeneratorSearch(engine, { m: 1, n: count, s: 0 }, null, 2 * bound);
    try {
      await kept?.recall(search.basis);
      const start = search.order || Math.min(terms.count, this.expected);
      for (let to = search.basis.look?.start.to ?? start; ; to = this.nextOrder(to)) {
        await this.check();
        await this.extend(to);
        const advance = (pause?: Pause) => search.advance(terms, NO_BLOCKS, to, F.neg(F.one), pause);
        if (to > search.order) await (kept?.goOn(search.basis, advance) ?? advance());
        // The shortest of the other rows has degree search.degree + search.gap.
        const proved = search.degree <= bound && search.degree + search.gap > bound;
        if (!proved && search.gap < gap && to < 2 * bound) continue;
        if (await search.isReduced(F)) {
          const { coefficients, degree } = await search.generator(F);
          return { coefficients: monic(F, coefficients), degree, proved };
        }
        if (to === 2 * bound) return { coefficients: Uint32Array.of(1), degree: 0, proved: false };
      }
    } catch (error) {
      if (error instanceof StoppedError) await kept?.end(search.basis);
      throw error;
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
    await this.sequences.extend(to, this.check);
  }
}

const NO_BLOCKS = new GrowingBlocks(0);

/** f divided by its leading coefficient. */
function monic(F: Field<number>, f: Uint32Array): Uint32Array {
  const inverse = F.inv(f[f.length - 1]);
  return f.map((c) => F.mul(c, inverse));
}
