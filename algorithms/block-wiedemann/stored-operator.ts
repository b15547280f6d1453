/**
 * A matrix as an operator of a run: on other devices by its rows, or stored as asked for, else as was measured to be
 * best before, else as planned.
 */
import type { Operator, OperatorOptions } from '../../kernels/executor.js';
import { splitOperator } from '../../kernels/executors/split-rows.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RunContext } from './run-context.js';

export async function storedOperator(
  {
    executor,
    storage,
    words,
    tunedOperator,
    rowSplit,
  }: Pick<RunContext, 'executor' | 'storage' | 'words' | 'tunedOperator' | 'rowSplit'>,
  matrix: ResidueMatrix,
  options: Pick<OperatorOptions, 'use' | 'streamBytes'> = {},
): Promise<Operator> {
  if (rowSplit) return splitOperator(executor, matrix, rowSplit);
  if (options.streamBytes !== undefined) return executor.operator(matrix, options);
  const isAsked = storage !== undefined || words !== undefined;
  const tuned = !isAsked && tunedOperator ? await tunedOperator(executor, matrix, options) : null;
  return tuned ?? executor.operator(matrix, { ...options, storage, words });
}
