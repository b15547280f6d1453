/** What is asked of a plan, checked at the door. */
import { numbersOf } from '../../algorithms/methods/rates.js';
import { faultOfRates, type MachineRates } from '../../algorithms/planning/machine-rates.js';
import { WordPrime } from '../../fields/word-prime.js';
import { describe } from '../../kernels/errors/describe.js';
import { OptionError } from '../errors.js';

/** What is asked of a plan beside what is asked of any question. */
export interface PlanChoices {
  /** The rank, or a bound of it; the shorter side when absent. */
  readonly rank?: number | undefined;
  /** Numbers of devices, such as this one: by default 1, 8 and 64, as far as there are columns for them. */
  readonly devices?: readonly number[] | undefined;
  /** Rates that were measured before, the `rates` of a plan: nothing is measured here. */
  readonly rates?: MachineRates | undefined;
  /** Of a device: `price` of the plan is then a number. */
  readonly pricePerHour?: number | undefined;
  /** Columns n of a block, or [m, n], in place of those that runs choose; no fewer than devices. */
  readonly block?: number | readonly [m: number, n: number] | undefined;
  /** Entries of a matrix that is not there. */
  readonly entries?: number | undefined;
}

/** The same as plain data. */
export interface PlanSettings {
  readonly nnz: number | null; // of a matrix that is not there
  readonly rank: number | null;
  readonly devices: readonly number[] | null;
  readonly rates: MachineRates | null;
  readonly pricePerHour: number | null;
}

const MOST_DEVICES = 512;

/** `device` : that of the question, which has to be the one of given rates; these leave no use for a `budget`. */
export function planOf(
  { entries, rank, devices, rates, pricePerHour, budget }: PlanChoices & { readonly budget?: unknown },
  p: number,
  device: string,
): PlanSettings {
  if (rank !== undefined && !(Number.isSafeInteger(rank) && rank >= 1))
    throw new OptionError(`rank: expected a number from 1 on, got ${describe(rank)}`);
  const isCount = (count: unknown): boolean =>
    Number.isSafeInteger(count) && (count as number) >= 1 && (count as number) <= MOST_DEVICES;
  const wrong = Array.isArray(devices) && devices.length > 0 ? devices.filter((count) => !isCount(count)) : [devices];
  if (devices !== undefined && wrong.length > 0)
    throw new OptionError(`devices: expected numbers from 1 to ${MOST_DEVICES}, got ${describe(wrong[0])}`);
  if (pricePerHour !== undefined && !(Number.isFinite(pricePerHour) && pricePerHour >= 0))
    throw new OptionError(`pricePerHour: expected a price, got ${describe(pricePerHour)}`);
  if (rates !== undefined && budget !== undefined)
    throw new OptionError('budget: expected rates that are measured here, got rates');
  if (rates !== undefined) checkRates(rates, p, device);
  return {
    nnz: entries ?? null,
    rank: rank ?? null,
    devices: devices === undefined ? null : [...new Set(devices)],
    rates: rates ?? null,
    pricePerHour: pricePerHour ?? null,
  };
}

/** The rank that is asked about, the shorter side where there is none: the matrix is known by now. */
export function boundedRank(asked: number | null, shorter: number): number {
  const rank = asked ?? shorter;
  if (rank > shorter)
    throw new OptionError(`rank: expected at most ${shorter}, the shorter side without empty lines, got ${rank}`);
  return rank;
}

/** Numbers of one kind take the same time whatever the prime is. */
function checkRates(rates: MachineRates, p: number, device: string): void {
  const fault = faultOfRates(rates);
  if (fault !== null) throw new OptionError(`rates: expected ${fault.expected}`);
  if (device !== 'auto' && device !== rates.device)
    throw new OptionError(`device: expected ${rates.device}, that of the rates, or auto, got ${device}`);
  const [theirs, ours] = [rates.p, p].map((prime) => numbersOf(WordPrime.of(prime)));
  if (theirs !== ours)
    throw new OptionError(`rates: expected those of a prime of the kind of ${p} (${ours}), got ${rates.p} (${theirs})`);
}
