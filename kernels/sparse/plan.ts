/**
 * How a matrix mod p is stored for multiplication: its value classes, each as a main format and a remainder.
 *
 *   A mod p = A(+1) + A(−1) + A(general)          each part = main (ELL, ELL_R) + rest (CSR, COO), either may be absent;
 *                                                 both only where `format: 'ell'` is asked for
 *
 * A plan is plain data, made from row-length statistics and able to say why; every executor runs every plan, and all
 * plans of one matrix give the same product. The choice: ELL where all rows are of one length, ELL_R where they are short and
 * nearly so, else CSR. Measured on the cpu executor (2 x AMD EPYC, width 16, 2026-11), 40 matrices of 3 to 48 entries a row: ELL saves
 * up to a tenth beside CSR, and so does ELL_R where rows are short; a rectangle of the shortest row's length with the rest
 * in CSR, which `format: 'ell'` makes, has two loops a row: it took up to 27 % more than CSR alone, and nowhere 2 % less (an Intel
 * Xeon: up to 49 % more, nowhere 3 % less).
 */

import { ellRectangle, ellRWhole, ellWhole, toCoo } from './formats/convert.js';
import type { Csr } from './formats/csr.js';
import type { Format } from './formats/entries.js';
import type { ResidueMatrix } from './residue-matrix.js';
import { type RowLengths, rowLengths } from './row-statistics.js';
import { splitByValue, VALUE_CLASSES, type ValueClass } from './unit-split.js';

export type { Format };
export type FormatName = Format['kind'];

export interface Part {
  readonly values: ValueClass;
  readonly formats: readonly Format[]; // one or two, their entries disjoint
  readonly lengths: RowLengths;
  readonly reason: string;
}

export interface Plan {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly p: number;
  readonly rowPtr: Uint32Array; // of all entries: rows + 1 offsets from 0 to nnz
  readonly parts: readonly Part[]; // classes without entries are left out
  readonly lengths: RowLengths;
}

export interface PlanOptions {
  /** One format for every part, instead of a choice. */
  readonly format?: FormatName;
}

export function planOf(matrix: ResidueMatrix, p: number, options: PlanOptions = {}): Plan {
  const classes = splitByValue(matrix, p, options.format === undefined);
  const parts = VALUE_CLASSES.filter((name) => classes[name].nnz > 0).map((name) => {
    const among = name === 'general' ? classes.among : 0;
    return options.format === undefined
      ? chosen(name, classes[name], among)
      : forced(name, classes[name], options.format);
  });
  const { rows, cols } = matrix;
  return { rows, cols, nnz: matrix.colIdx.length, p, rowPtr: matrix.rowPtr, parts, lengths: rowLengths(matrix.rowPtr) };
}

/** Rows for which a length in place of two offsets is felt, and the unused places, of their entries, that are worth it. */
const SHORT_ROW = 16;
const SLACK = 1 / 16;

/** `among`: its ±1 entries that have no part of their own. */
function chosen(values: ValueClass, a: Csr, among: number): Part {
  const lengths = rowLengths(a.rowPtr);
  const { min, max, nnz, rows } = lengths;
  const few = among === 0 ? '' : `; ${among} are ±1, too few a row for a part of their own`;
  const part = (format: Format, reason: string): Part => ({ values, formats: [format], lengths, reason: reason + few });
  if (min === max) return part(ellWhole(a, min), `every row has ${min}`);
  const unused = max * rows - nnz;
  const between = `rows have from ${min} to ${max}`;
  if (max > SHORT_ROW) return part(a, `${between}, too many for lengths to be felt`);
  const percent = Math.round((100 * unused) / nnz);
  if (unused > SLACK * nnz) return part(a, `${between}: ${percent} % more places if all had ${max}`);
  return part(ellRWhole(a, max), `${between}, nearly all ${max}`);
}

function forced(values: ValueClass, a: Csr, format: FormatName): Part {
  const lengths = rowLengths(a.rowPtr);
  const formats: Record<FormatName, () => Format[]> = {
    csr: () => [a],
    coo: () => [toCoo(a)],
    ell: () => (lengths.min === 0 ? [a] : ellRectangle(a, lengths.min)),
    'ell-r': () => [ellRWhole(a, lengths.max)],
  };
  return { values, formats: formats[format](), lengths, reason: `${format} was asked for` };
}

/** Bytes of the arrays of a format: indices, offsets or lengths, and values. */
export function formatBytes(format: Format): number {
  const arrays = [format.colIdx, format.values];
  if (format.kind === 'csr') arrays.push(format.rowPtr);
  else if (format.kind === 'coo') arrays.push(format.rowIdx);
  else if (format.kind === 'ell-r') arrays.push(format.lengths);
  return arrays.reduce((sum, array) => sum + (array?.byteLength ?? 0), 0);
}

/** A plan in numbers and words. */
export interface PlanDescription {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly mod: number;
  readonly rowLengths: RowLengths;
  readonly parts: readonly {
    readonly values: ValueClass;
    readonly nnz: number;
    readonly rowLengths: RowLengths;
    readonly formats: readonly { readonly format: FormatName; readonly nnz: number; readonly bytes: number }[];
    readonly reason: string;
  }[];
  readonly bytes: number;
}

export function describePlan(plan: Plan): PlanDescription {
  const parts = plan.parts.map(({ values, formats, lengths, reason }) => ({
    values,
    nnz: lengths.nnz,
    rowLengths: lengths,
    formats: formats.map((format) => ({ format: format.kind, nnz: format.nnz, bytes: formatBytes(format) })),
    reason,
  }));
  const bytes = parts.flatMap((part) => part.formats).reduce((sum, format) => sum + format.bytes, 0);
  return { rows: plan.rows, cols: plan.cols, nnz: plan.nnz, mod: plan.p, rowLengths: plan.lengths, parts, bytes };
}
