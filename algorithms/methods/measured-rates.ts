/**
 * How far this machine, now, is from the table of rates (rates.ts): two small pieces of work, timed. A long run for
 * which two methods are near to each other does them first.
 */
import { CounterRandom } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { pluq } from '../../kernels/dense/pluq.js';
import { BitMatrix } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import type { Team } from '../../kernels/threads/team.js';
import { chooseBlocks } from '../block-wiedemann/block-shape.js';
import { numbersAnElement } from '../block-wiedemann/extension-degree.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { overBlockField, WorkingField } from '../block-wiedemann/working-field.js';
import type { RateRatios } from '../estimates.js';
import { leastSeconds } from '../stopwatch.js';
import { BASIS_UNKNOWNS, type Numbers, numbersOf, speedup } from './rates.js';

/** An order basis for so many unknowns, with the blocks of a long run, and a dense elimination. */
const UNKNOWNS = 512;
const SIZE = { residues: 384, bits: 2048 };

/** Seconds that they mostly take, of the first for each number that an element takes. */
const TRIALS: Readonly<Record<Numbers, RateRatios>> = {
  bits: { basis: 5.5e-3, pluq: 3.2e-3 },
  small: { basis: 5.5e-3, pluq: 1.7e-3 },
  u16: { basis: 5.3e-3, pluq: 2.3e-3 },
  u32: { basis: 7.5e-3, pluq: 5.8e-3 },
};

/** The largest correction: beyond it a measurement tells more of the moment than of the machine. */
const MOST = 2;

/** The two that decide between elimination and block Wiedemann; each may take `budget` seconds. */
export async function measureRates(context: RunContext, team: Team, budget: number): Promise<RateRatios> {
  const mostly = TRIALS[numbersOf(context.executor.field)];
  const trial = await trialSeconds(context, team, budget);
  return { basis: clamp(trial.basis / mostly.basis), pluq: clamp(trial.pluq / mostly.pluq) };
}

function clamp(ratio: number): number {
  return Math.min(MOST, Math.max(1 / MOST, ratio));
}

/** Their present times, as of one thread. */
export async function trialSeconds(context: RunContext, team: Team, budget: number): Promise<RateRatios> {
  const { field } = context.executor;
  const k = numbersAnElement(field.p, 'block');
  await team.waitForThreads();
  const basis = await overBlockField(context, async ({ executor }) =>
    orderBasis(context, new WorkingField(executor, 'block'), k, budget),
  );
  const pluq = await elimination(team, field, field.p === 2 ? SIZE.bits : SIZE.residues, budget);
  const worth = speedup(team.threads);
  return { basis: (basis * worth) / k, pluq: pluq * worth };
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
  const engine = orderBasisEngine(working.field);
  const g = engine.create(m + n + s, n, orders) as ReturnType<typeof engine.sigmaBasis>;
  const codes = new Uint32Array((m + n + s) * n * orders);
  engine.write(g, new CounterRandom(0n, 0).fillResidues(codes, working.q));
  try {
    return await leastSeconds(budget, () => {
      engine.release(engine.sigmaBasis(g, new Int32Array(m + n + s).fill(1, m + s), 0));
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
