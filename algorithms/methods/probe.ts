/**
 * Measurements before a long run, beside the time of a product, so that the choice of a method does not rest on sizes
 * alone.
 *
 *   fill    of the Schur complement, on some of its rows (elimination/fill.ts), as many as a small share of the run
 *           pays for
 *   rates   of an order basis and of a dense elimination, where that share pays for them and the methods are near to
 *           each other
 */
import type { Team } from '../../kernels/threads/team.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { fillLine, SAMPLE, sampleFill } from '../elimination/fill.js';
import { type Costs, cheapest, type Measurements } from '../estimates.js';
import type { Presolved } from '../presolve/presolve.js';
import { costsLeft } from './costs.js';
import { measureRates } from './measured-rates.js';

/** As a share of the cheapest method's estimate. */
const SHARE = 1 / 50;

/** Seconds an entry of the matrix: what making ready to form rows takes, and a row at most. */
const READY = 2e-8;
const ROW = 4e-9;
const LEAST_ROWS = 8;

/** Seconds that measuring the rates takes for numbers of 32 bits, the slowest, with an element in one. */
const RATES = 0.05;

/** Methods whose costs differ by more are not exchanged by rates. */
const NEAR = 4;

export interface Probe {
  readonly measurements: Measurements;
  readonly costs: Costs;
  /** The measurements and their results, a line each. */
  readonly explanation: readonly string[];
}

/** `given`: what a run has, and the time of a product where it is known. */
export async function probe(
  context: RunContext,
  team: Team,
  presolved: Presolved,
  given: Measurements,
): Promise<Probe> {
  const { field } = context.executor;
  const { a, matching } = presolved;
  const costsWith = (measurements: Measurements): Costs => costsLeft(field, a, matching.size, measurements);
  const explanation: string[] = [];
  let measurements = given;
  let costs = costsWith(measurements);
  const budget = SHARE * cheapest(costs);
  const pays = Math.floor((budget / a.colIdx.length - READY) / ROW);
  // On a GPU nothing else shows that little is left.
  const rows = given.gpu ? Math.max(LEAST_ROWS, pays) : pays;
  if (rows >= LEAST_ROWS) {
    const fill = sampleFill(team, field, a, presolved, Math.min(rows, SAMPLE));
    explanation.push(fillLine(fill));
    measurements = { ...measurements, fill };
    costs = costsWith(measurements);
  }
  context.check();
  // The GPU's own times are not measured.
  if (given.gpu || budget < RATES || !areNear(costs)) return { measurements, costs, explanation };
  const rates = await measureRates(context, team, budget / 2);
  const [basis, pluq] = [rates.basis, rates.pluq].map((ratio) => ratio.toPrecision(2));
  explanation.push(`an order basis takes ${basis} times what it mostly does, a dense elimination ${pluq} times`);
  measurements = { ...measurements, rates };
  return { measurements, costs: costsWith(measurements), explanation };
}

function areNear({ elimination, sampling, wiedemann }: Costs): boolean {
  const other = Math.min(sampling, wiedemann);
  return Math.max(elimination, other) < NEAR * Math.min(elimination, other);
}
