/** Systems over Q for a caller: a solution for every right side, or a proof that one has none. */
import type { RationalContext } from '../../algorithms/rational/context.js';
import { type RationalSolution, solveRational } from '../../algorithms/rational/solve.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import { type Entry, SparseMatrix, type SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Fractions } from '../questions/outcome.js';
import type { Caller } from './caller.js';
import type { Found } from './found.js';

/** Proved for every right side, or oneSided where some method came to no end. */
export async function solveOverTheRationals(
  matrix: SparseMatrix,
  parts: SparseMatrixParts,
  { seed, overQ, maxMemory, device }: Settings,
  caller: Caller,
  { team, gpu }: Pick<RationalContext, 'team' | 'gpu'>,
): Promise<Found> {
  const { rows, cols } = matrix;
  const { method, coordinates } = overQ!;
  const b = SparseMatrix.fromPartsUnchecked(parts, new WideEntries(parts.wide));
  if (b.rows !== rows) throw new StructureError(`solve: expected right sides of ${rows} rows, got ${b.rows}`);
  const outside = coordinates?.find((j) => j >= cols);
  if (outside !== undefined)
    throw new StructureError(`coordinates: expected unknowns up to ${cols}, counted from 1, got ${outside + 1}`);
  if (device === 'gpu') await gpu!(Infinity); // or there is none, which is said before anything is found
  const context = {
    ...{ seed, team, gpu, maxBytes: maxMemory ?? undefined },
    check: () => {},
    onPhase: (phase: string) => caller.progress({ phase, done: 0, total: 1 }),
    onProgress: (done: number, total: number) => caller.progress({ phase: 'digits', done, total }),
  };
  const options = { method, ...(coordinates === null ? {} : { coordinates }) };
  const found = await solveRational(context, matrix, columnsOf(b), options);
  const own = { rightSides: b.cols, inconsistent: null };
  const { reasons, seconds } = found;
  const bounds = { lowerBound: null, upperBound: null, block: null };
  const base = { ...bounds, own, explanation: reasons, seconds: { digits: seconds } };
  if (found.kind === 'unsolved') return { ...base, value: null, errorLog2: null, reason: reasons.join('; '), method };
  const proved = { ...base, errorLog2: Number.NEGATIVE_INFINITY };
  if (found.kind === 'solved') {
    const value = fractions(found, coordinates?.length ?? cols);
    const { method: used, device } = found.solutions.at(-1) ?? { method };
    return { ...proved, value, method: used, device };
  }
  const { column, certificate } = found;
  return { ...proved, value: null, method: 'lifting', own: { ...own, inconsistent: { column, certificate } } };
}

/** The solutions as columns. */
function fractions({ solutions }: RationalSolution & { kind: 'solved' }, count: number): Fractions {
  return {
    numerators: Array.from({ length: count }, (_, k) => solutions.map(({ numerators }) => numerators[k]!)).flat(),
    denominators: solutions.map(({ denominator }) => denominator),
  };
}

/** The right sides, whole. */
function columnsOf(b: SparseMatrix): Entry[][] {
  const columns = Array.from({ length: b.cols }, () => new Array<Entry>(b.rows).fill(0));
  const { colPtr, rowIdx, values } = b.toCsc();
  for (let t = 0; t < b.cols; t++) {
    for (let k = colPtr[t]!; k < colPtr[t + 1]!; k++) columns[t]![rowIdx[k]!] = values[k]!;
  }
  return columns;
}
