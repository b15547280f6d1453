/** Systems over Q for a caller: a square nonsingular matrix, each right side by itself. */
import { solveRational } from '../../algorithms/rational/solve.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import { WideEntries } from '../../kernels/sparse/big-entries.js';
import { type Entry, SparseMatrix, type SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import type { Settings } from '../questions/options.js';
import type { Fractions } from '../questions/outcome.js';
import type { Caller } from './caller.js';
import type { Found } from './found.js';

/** Proved for every right side, or oneSided where some method came to no end. */
export function solveOverTheRationals(
  matrix: SparseMatrix,
  parts: SparseMatrixParts,
  { seed, overQ }: Settings,
  caller: Caller,
): Found {
  const { rows, cols } = matrix;
  const { method, coordinates } = overQ!;
  const b = SparseMatrix.fromPartsUnchecked(parts, new WideEntries(parts.wide));
  if (b.rows !== rows) throw new StructureError(`solve: expected right sides of ${rows} rows, got ${b.rows}`);
  if (rows !== cols) throw new StructureError(`solve over Q: expected a square matrix, got ${rows} x ${cols}`);
  const outside = coordinates?.find((j) => j >= cols);
  if (outside !== undefined) throw new StructureError(`coordinates: expected numbers in 0…${cols - 1}, got ${outside}`);
  const s = b.cols;
  const count = coordinates?.length ?? cols;
  const value: Fractions = { numerators: new Array<bigint>(count * s).fill(0n), denominators: [] };
  const base = { lowerBound: null, upperBound: null, block: null, own: { rightSides: s, inconsistent: null } };
  const seconds: Record<string, number> = {};
  let way: string = method;
  for (const [t, right] of columnsOf(b).entries()) {
    const context = {
      seed,
      check: () => {},
      onProgress: (done: number, total: number) => caller.progress({ phase: 'digits', done, total }),
    };
    const options = { method, ...(coordinates === null ? {} : { coordinates }) };
    const found = solveRational(context, matrix, right, options);
    seconds['digits'] = (seconds['digits'] ?? 0) + found.seconds;
    if (found.kind === 'unsolved')
      return { ...base, value: null, errorLog2: null, reason: found.reason, method: way, seconds };
    found.numerators.forEach((numerator, k) => {
      value.numerators[k * s + t] = numerator;
    });
    value.denominators.push(found.denominator);
    way = found.method;
  }
  return { ...base, value, errorLog2: Number.NEGATIVE_INFINITY, method: way, seconds };
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
