/** A rank that is planned and not made: what is asked, and what the plan says. */

import type { DevicePlan } from '../../algorithms/planning/device-plan.js';
import type { MachineRates } from '../../algorithms/planning/machine-rates.js';
import { describe } from '../../kernels/errors/describe.js';
import { MAX_SIZE, StructureError } from '../../kernels/errors/structure-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { Input } from './input.js';
import type { AnyOptions, QuestionOptions } from './options.js';
import type { PlanChoices } from './plan-settings.js';

export type { DevicePlan, MachineRates };

/** What plan takes. */
export interface PlanOptions
  extends Omit<QuestionOptions, 'storage' | 'words' | 'reorder' | 'verify' | 'tuning'>,
    Omit<PlanChoices, 'entries'> {
  /**
   * Seconds in which rates are measured, 12 by default, kept within a tenth. Reading, the smallest sizes and the setup
   * of a matrix that is there come beside them.
   */
  readonly budget?: number | undefined;
}

/** A matrix, or its sizes alone. */
export type PlanInput = Input | { readonly rows: number; readonly cols: number; readonly nnz: number };

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
  /** Other blocks, which should take a quarter less at least; null where those of a run are as good. */
  readonly quicker: DevicePlan | null;
  readonly price: number | null;
}

/** What the engine is asked: sizes alone are a matrix without entries, and a number of them. */
export function planInput(input: PlanInput, options: PlanOptions): [Input, AnyOptions] {
  const isSizes =
    typeof input === 'object' &&
    input !== null &&
    'nnz' in input &&
    !(input instanceof SparseMatrix) &&
    !['apply', 'wide', 'rowIdx', 'entries'].some((name) => name in input);
  if (!isSizes) return [input as Input, options as AnyOptions];
  if (options?.maxMemory !== undefined) throw new OptionError('maxMemory: expected a matrix, sizes take none');
  const { rows, cols, nnz } = input as { rows: number; cols: number; nnz: number };
  for (const [name, value] of Object.entries({ rows, cols, nnz })) {
    const most = name === 'nnz' ? Number.MAX_SAFE_INTEGER : MAX_SIZE;
    if (!Number.isSafeInteger(value) || value < 1 || value > most)
      throw new StructureError(`plan: expected ${name}, a whole number from 1 to ${most}, got ${describe(value)}`);
  }
  if (nnz > rows * cols) throw new StructureError(`plan: expected at most ${rows * cols} entries, got ${nnz}`);
  const nothing = new Uint32Array(0);
  const empty = { rows, cols, rowIdx: nothing, colIdx: nothing, values: new Int32Array(0) };
  return [empty, { ...options, entries: nnz } as AnyOptions];
}
