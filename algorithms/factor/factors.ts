/** The factors of a matrix: pivots by rounds on threads (pivot-factors.ts), else those of the slow twin. */
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { PivotFactors } from './pivot-factors.js';
import { findPivots } from './pivot-search.js';
import { PlainFactors } from './plain-factors.js';
import type { Factors } from './types.js';

export interface FactorOptions {
  /** Bytes that Schur complements and dense rows may take. */
  readonly maxBytes?: number | undefined;
}

/** Throws MethodError where a dense Schur complement does not fit. */
export async function factorize(
  context: RunContext,
  matrix: ResidueMatrix,
  { maxBytes }: FactorOptions = {},
): Promise<Factors> {
  const { executor, team, check, onProgress } = context;
  if (!team) return new PlainFactors(context, matrix);
  const found = await findPivots(team, executor.field, matrix, {
    ...{ maxBytes, check: () => check() },
    onPhase: (phase) => onProgress({ phase, attempt: 1, done: 0, total: 1 }),
  });
  return new PivotFactors(executor.field, matrix, found);
}
