/**
 * What the steps of the methods cost on one thread, in seconds: a table, and how far this machine, now, is from it.
 *
 *   entry    an entry of a sparse matrix in a product with 16 vectors of residues
 *   row      a row of the longer side in a step's hash and projection
 *   formed   an entry of a dense Schur complement, beside the products
 *   pluq     a multiplication of a dense elimination
 *   basis    an unknown's share of an order basis for BASIS_UNKNOWNS
 *
 * Numbers are bits or bytes (mod 2), u16 (p < 2^16, eliminated with fewer reductions below 2^12) or u32. Rates of one core of
 * an AMD EPYC, 2026-11 (npm run bench -- rates). Another machine changes them mostly alike, and ratios are what counts; where
 * two methods are near to each other and a run is long, the two rates that decide between them are measured before it
 * (`measuredRates`).
 */
import { CounterRandom } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { BitMatrix } from '../../kernels/bit-matrix.js';
import { bitPluq } from '../../kernels/bit-pluq.js';
import { DenseMatrix } from '../../kernels/dense-matrix.js';
import { pluq } from '../../kernels/dense-pluq.js';
import type { Team } from '../../kernels/team.js';
import { chooseBlocks } from '../block-wiedemann/blocks.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { numbersAnElement, overBlockField, WorkingField } from '../block-wiedemann/working-field.js';
import { leastSeconds } from './stopwatch.js';

export interface Rates {
  readonly entry: number;
  readonly row: number;
  readonly formed: number;
  readonly pluq: number;
  readonly basis: number;
}

/**
 * Of what threads do, the share that only one of them can: dense eliminations took 1/1.7 of the time on 2 threads and 1/4.1 on 16
 * of a Xeon, order bases 1/3.4 on 16.
 */
const ALONE = 0.19;

/** Seconds of one thread that so many do in one. */
export function speedup(threads: number): number {
  return threads / (1 + ALONE * (threads - 1));
}

/** Below it dense eliminations are quicker (1.2e-11 at 3, 251 and 4093, 1.9e-11 at 65521). */
const SMALL_PRIME = 2 ** 12;

type Numbers = 'bits' | 'small' | 'narrow' | 'wide';

const TABLE: Readonly<Record<Numbers, Rates>> = {
  bits: { entry: 2.5e-9, row: 1.5e-8, formed: 3e-10, pluq: 2.4e-13, basis: 1.8e-5 },
  small: { entry: 2.5e-9, row: 2.3e-8, formed: 3e-9, pluq: 1.2e-11, basis: 2e-5 },
  narrow: { entry: 2.5e-9, row: 2.3e-8, formed: 3e-9, pluq: 1.9e-11, basis: 2e-5 },
  wide: { entry: 5e-9, row: 5e-8, formed: 3.7e-9, pluq: 7.2e-11, basis: 3.4e-5 },
};

/** A product over GF(2^8), of bytes, by one of residues mod 2. */
export const BYTES = 1 / 3;

function numbersOf({ p, narrow }: Pick<WordPrime, 'p' | 'narrow'>): Numbers {
  return p === 2 ? 'bits' : p < SMALL_PRIME ? 'small' : narrow ? 'narrow' : 'wide';
}

export function ratesOf(field: Pick<WordPrime, 'p' | 'narrow'>): Rates {
  return TABLE[numbersOf(field)];
}

/** An unknown's share grows by a fifth while the unknowns double: N = 1000, 4000, 16000 give 1.5, 2.0 and 3.4e-5. */
const BASIS_UNKNOWNS = 4096;
const BASIS_GROWTH = 1 / 4;

/** Seconds of an order basis for N unknowns whose elements take k numbers. */
export function basisSeconds({ basis }: Rates, N: number, k: number): number {
  return k * N * basis * (N / BASIS_UNKNOWNS) ** BASIS_GROWTH;
}

/** Rates over those of the table. */
export type Measured = Pick<Rates, 'basis' | 'pluq'>;

/** Two small pieces of work: an order basis for so many unknowns, with the blocks of a long run, and a dense elimination. */
const UNKNOWNS = 512;
const SIZE = { residues: 384, bits: 2048 };

/** Seconds that they mostly take, of the first for each number that an element takes. */
const TRIALS: Readonly<Record<Numbers, Measured>> = {
  bits: { basis: 5.5e-3, pluq: 3.2e-3 },
  small: { basis: 5.5e-3, pluq: 1.7e-3 },
  narrow: { basis: 5.3e-3, pluq: 2.3e-3 },
  wide: { basis: 7.5e-3, pluq: 5.8e-3 },
};

/** Beyond it a measurement tells more of the moment than of the machine. */
const MOST = 2;

/** The two that decide between elimination and block Wiedemann; each may take `budget` seconds. */
export async function measuredRates(context: RunContext, team: Team, budget: number): Promise<Measured> {
  const mostly = TRIALS[numbersOf(context.executor.field)];
  const trial = await trialSeconds(context, team, budget);
  return { basis: within(trial.basis / mostly.basis), pluq: within(trial.pluq / mostly.pluq) };
}

function within(ratio: number): number {
  return Math.min(MOST, Math.max(1 / MOST, ratio));
}

/** What they take now, as they would on one thread. */
export async function trialSeconds(context: RunContext, team: Team, budget: number): Promise<Measured> {
  const { field } = context.executor;
  const k = numbersAnElement(field.p, 'block');
  await team.gathered();
  const basis = await overBlockField(context, async ({ executor }) =>
    orderBasis(context, new WorkingField(executor, 'block'), k, budget),
  );
  const pluq = await elimination(team, field, field.p === 2 ? SIZE.bits : SIZE.residues, budget);
  return { basis: (basis * team.threads) / k, pluq: pluq * team.threads };
}

/** Seconds of the order basis of a random series. */
async function orderBasis(
  { orderBasisEngine }: RunContext,
  working: WorkingField,
  k: number,
  budget: number,
): Promise<number> {
  const { m, n } = chooseBlocks(BASIS_UNKNOWNS, k);
  const s = verificationWidth(working.log2q);
  const orders = Math.ceil(UNKNOWNS / m + UNKNOWNS / n);
  const engine = orderBasisEngine(working);
  const g = engine.create(m + n + s, n, orders) as ReturnType<typeof engine.sigmaBasis>;
  const codes = new Uint32Array((m + n + s) * n * orders);
  engine.write(g, new CounterRandom(0n, 0).fillResidues(codes, working.q));
  try {
    return await leastSeconds(budget, () => {
      engine.release(engine.sigmaBasis(g, new Int32Array(m + n + s).fill(1, m), s));
    });
  } finally {
    engine.release(g);
    engine.dispose?.();
  }
}

/** Seconds of the elimination of a random n x n matrix. */
async function elimination(team: Team, field: WordPrime, n: number, budget: number): Promise<number> {
  const drawn = new Uint32Array(field.p === 2 ? (n * n) / 32 : n * n);
  const source = new CounterRandom(0n, 0);
  if (field.p === 2) source.fillWords(drawn);
  else source.fillResidues(drawn, field.p);
  const a = field.p === 2 ? new BitMatrix(team.memory, n, n) : new DenseMatrix(team.memory, field, n, n);
  try {
    return await leastSeconds(budget, () => {
      for (let i = 0; i < n; i++) a.row(i).set(drawn.subarray((i * drawn.length) / n, ((i + 1) * drawn.length) / n));
      if (a instanceof BitMatrix) bitPluq(team, a);
      else pluq(team, field, a);
    });
  } finally {
    a.release();
  }
}
