/** A rank that is planned and not made: what is asked, checked at the door, and what the plan says. */

import { numbersOf } from '../../algorithms/methods/rates.js';
import { faultOfRates, type MachineRates } from '../../algorithms/planning/machine-rates.js';
import type { DevicePlan } from '../../algorithms/planning/plan.js';
import { WordPrime } from '../../fields/word-prime.js';
import { describe } from '../../kernels/errors/describe.js';
import { MAX_SIZE, StructureError } from '../../kernels/errors/structure-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { Input } from './input.js';
import type { AnyOptions, PlanOptions } from './options.js';

export type { DevicePlan, MachineRates };

/** A matrix, or its sizes alone. */
export type PlanInput = Input | { readonly rows: number; readonly cols: number; readonly nnz: number };

export interface PlanSettings {
  readonly nnz: number | null; // entries of a matrix that is not there
  readonly rank: number | null;
  readonly devices: readonly number[];
  readonly rates: MachineRates | null;
  readonly pricePerHour: number | null;
}

export interface PlanData {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly mod: bigint;
  readonly rank: number;
  /** Whether `rank` is but the shorter side, because nothing else was said of it. */
  readonly isBound: boolean;
  /** The method that `auto` should choose; the plan is that of block Wiedemann on the matrix itself. */
  readonly method: 'elimination' | 'hybrid' | 'wiedemann';
  readonly plans: readonly PricedPlan[];
  readonly rates: MachineRates;
  /** What is measured, what is carried on, and what is left out, a line each. */
  readonly doubts: readonly string[];
  readonly seconds: Readonly<Record<string, number>>; // of the planning itself
}

export interface PricedPlan extends DevicePlan {
  readonly price: number | null;
}

const DEVICES = [1, 8, 64];
const MOST_DEVICES = 512;

/** What the engine is asked: sizes alone are a matrix without entries, and a number of them. */
export function planInput(input: PlanInput, options: PlanOptions): [Input, AnyOptions] {
  const isSizes =
    typeof input === 'object' &&
    input !== null &&
    'nnz' in input &&
    !(input instanceof SparseMatrix) &&
    !['apply', 'wide', 'rowIdx', 'entries'].some((name) => name in input);
  if (!isSizes) return [input as Input, options as AnyOptions];
  const { rows, cols, nnz } = input as { rows: number; cols: number; nnz: number };
  for (const [name, value] of Object.entries({ rows, cols, nnz })) {
    if (!Number.isSafeInteger(value) || value < 1 || (name !== 'nnz' && value > MAX_SIZE))
      throw new StructureError(`plan: expected ${name}, a whole number from 1 on, got ${describe(value)}`);
  }
  if (nnz > rows * cols) throw new StructureError(`plan: expected at most ${rows * cols} entries, got ${nnz}`);
  const nothing = new Uint32Array(0);
  const empty = { rows, cols, rowIdx: nothing, colIdx: nothing, values: new Int32Array(0) };
  return [empty, { ...options, entries: nnz } as AnyOptions];
}

export function planOf({ entries, rank, devices = DEVICES, rates, pricePerHour }: AnyOptions, p: number): PlanSettings {
  if (rank !== undefined && !(Number.isSafeInteger(rank) && rank >= 1))
    throw new OptionError(`rank: expected a number from 1 on, got ${describe(rank)}`);
  const isCount = (count: unknown): boolean =>
    Number.isSafeInteger(count) && (count as number) >= 1 && (count as number) <= MOST_DEVICES;
  if (!Array.isArray(devices) || devices.length === 0 || !devices.every(isCount))
    throw new OptionError(`devices: expected numbers from 1 to ${MOST_DEVICES}, got ${describe(devices)}`);
  if (pricePerHour !== undefined && !(Number.isFinite(pricePerHour) && pricePerHour >= 0))
    throw new OptionError(`pricePerHour: expected a price, got ${describe(pricePerHour)}`);
  if (rates !== undefined) checkRates(rates, p);
  return {
    nnz: entries ?? null,
    rank: rank ?? null,
    devices: [...new Set(devices as readonly number[])],
    rates: rates ?? null,
    pricePerHour: pricePerHour ?? null,
  };
}

/** Numbers of one kind take the same time whatever the prime is. */
function checkRates(rates: MachineRates, p: number): void {
  const fault = faultOfRates(rates);
  if (fault !== null) throw new OptionError(`rates: expected ${fault}`);
  const [theirs, ours] = [rates.p, p].map((prime) => numbersOf(WordPrime.of(prime)));
  if (theirs !== ours)
    throw new OptionError(`rates: expected those of a prime of the kind of ${p} (${ours}), got ${rates.p} (${theirs})`);
}
