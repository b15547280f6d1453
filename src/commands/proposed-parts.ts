/** The number of parts of a run that `run plan` and `slurm plan` propose where none is asked for, and why. */
import { type ChosenParts, chooseParts } from '../../algorithms/planning/choose-parts.js';
import type { StagedEngine } from '../engine/engine.js';
import type { PlanOptions } from '../questions/plan.js';
import { MOST_PARTS } from '../questions/stage.js';
import { clock } from './rates-file.js';

export interface ProposedParts {
  readonly parts: number;
  readonly rates: NonNullable<PlanOptions['rates']>;
  readonly why: string;
}

/** Rates are measured here where none are given. */
export async function proposeParts(
  engine: StagedEngine,
  file: string,
  options: Omit<PlanOptions, 'devices'>,
): Promise<ProposedParts> {
  const { rates, rows, cols, nnz, seconds } = await engine.plan(file, options);
  const { mod, rank, block } = options;
  const columns = Math.min(rows, cols, nnz, MOST_PARTS, (typeof block === 'object' ? block[1] : block) ?? MOST_PARTS);
  const devices = Array.from({ length: 1 + Math.floor(Math.log2(columns)) }, (_, i) => 2 ** i);
  const { plans } = await engine.plan({ rows, cols, nnz }, { mod, rank, block, rates, device: rates.device, devices });
  // Each process reads the matrix for itself.
  const processes = ({ devices }: { readonly devices: number }): number => (devices === 1 ? 1 : 3);
  const withReading = plans.map((plan) => {
    const total = plan.seconds.total + processes(plan) * (seconds['reading'] ?? 0);
    return { ...plan, seconds: { ...plan.seconds, total } };
  });
  const chosen = chooseParts(withReading);
  const where = options.rates === undefined ? 'rates measured here' : 'these rates';
  return { parts: chosen.plan.devices, rates, why: `${reasonOf(chosen)}: by ${where}${threadsOf(rates)}` };
}

function reasonOf({ plan, more }: ChosenParts): string {
  const count = (devices: number): string => `${devices} ${devices === 1 ? 'part' : 'parts'}`;
  const own = `${count(plan.devices)} should take ${clock(plan.seconds.total)} in all, reading included`;
  if (more === null) return `${own}, and there are no more columns`;
  return `${own}, and ${more.devices} not a third less, ${clock(more.seconds.total)}`;
}

function threadsOf({ device, adapter, threads }: ProposedParts['rates']): string {
  const host = `${threads} ${threads === 1 ? 'thread' : 'threads'}`;
  return ` of ${device === 'gpu' ? `${adapter} and ${host}` : host}`;
}
