/** A stage of a kept run in parts: what is asked of it, and what it says when it is done. */
import { describe } from '../../kernels/errors/describe.js';
import { OptionError } from '../errors.js';

/** Parts that a run is cut into at most: a block has so many columns. */
export const MOST_PARTS = 512;

export type StageSettings =
  /** `rank`: what it is expected to be at most; parts are made of no more blocks than that takes. */
  | { readonly kind: 'plan'; readonly parts: number; readonly rank: number | null; readonly file: string }
  | { readonly kind: 'krylov'; readonly part: number } // from 0
  | { readonly kind: 'generator' };

export interface StageData {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly mod: bigint;
  readonly block: readonly [m: number, n: number];
  readonly seed: bigint;
  readonly parts: number;
  readonly blocks: number; // of each part
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null;
  readonly threads: number;
  readonly explanation: readonly string[];
  readonly warnings: readonly string[];
  readonly seconds: Readonly<Record<string, number>>;
}

export function stageOf(stage: StageSettings | undefined): StageSettings | null {
  if (stage?.kind === 'plan') {
    if (!isFrom(1, stage.parts) || stage.parts > MOST_PARTS)
      throw new OptionError(`parts: expected a number from 1 to ${MOST_PARTS}, got ${describe(stage.parts)}`);
    if (stage.rank !== null && !isFrom(1, stage.rank))
      throw new OptionError(`rank: expected a number from 1 on, got ${describe(stage.rank)}`);
  }
  if (stage?.kind === 'krylov' && !isFrom(0, stage.part))
    throw new OptionError(`part: expected a number from 0 on, got ${describe(stage.part)}`);
  return stage ?? null;
}

function isFrom(least: number, value: number): boolean {
  return Number.isSafeInteger(value) && value >= least;
}
