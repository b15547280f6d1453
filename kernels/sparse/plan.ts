/**
 * How a matrix mod p is stored for multiplication: its value classes, each as a main format and a remainder.
 *
 *   A mod p = short rows + long rows
 *   short rows = A(+1) + A(−1) + A(general), each in a format of its own
 *   long rows  = Σ panels of columns (long-rows.ts), each by value class
 *
 * A plan is plain data, made from row-length statistics, with its reasons in words. Every executor runs every plan, and
 * all plans of one matrix give the same product. The choice: dense blocks where the matrix consists of them, ELL where
 * all rows are of one length, sorted rows where neighbours are of different ones and one class has all entries, ELL_R
 * where they are short and nearly alike, else CSR. A rectangle of the shortest row's length with the rest in CSR, which
 * `storage: 'ell'` makes, is two passes, and is slower than CSR alone (test/bench/RESULTS.md#plan). Products with fewer
 * columns may have a plan of their own: narrow-plans.ts.
 */

import { chooseBlocks } from './dense-blocks.js';
import { type BlockSize, countBlocks } from './formats/bcsr.js';
import { type Csr, csrUnchecked } from './formats/csr.js';
import { toCsrSorted } from './formats/csr-sorted.js';
import { cutRectangle } from './formats/ell.js';
import { toEllR } from './formats/ell-r.js';
import { bytesOf, type FormatName, formatNamed, type Stored } from './formats/index.js';
import type { ProductSizes } from './formats/product-sizes.js';
import { wholeRows } from './formats/row-runs.js';
import { cutLongRows, type LongRows } from './long-rows.js';
import type { ResidueMatrix } from './residue-matrix.js';
import { type RowLengths, rowLengths } from './row-statistics.js';
import { isScattered } from './scattered.js';
import { areUneven } from './uneven-rows.js';
import { splitByValue, VALUE_CLASSES, type ValueClass } from './unit-split.js';

export interface Part {
  readonly values: ValueClass;
  readonly rows: 'all' | 'short' | 'long'; // those whose entries it has
  readonly formats: readonly Stored[]; // one or more, their entries disjoint
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
  /** Whether most reads of X are of lines that rows nearby do not read. */
  readonly isScattered: boolean;
}

export interface PlanOptions {
  /** One format for every part, instead of a choice. */
  readonly storage?: FormatName | undefined;
  /** Whether a row's entries of all classes are to be walked together, as a substitution must; default no. */
  readonly onePass?: boolean | undefined;
  /** Columns of the vectors that the choice is for; default WIDTH. */
  readonly width?: number | undefined;
  readonly sizes?: ProductSizes | undefined;
}

/** A width that most products have. */
export const WIDTH = 16;

export function planOf(matrix: ResidueMatrix, p: number, options: PlanOptions = {}): Plan {
  const { storage, sizes = {} } = options;
  const shape = shapeOf(matrix, p);
  return {
    ...shape,
    parts: storage === undefined ? chooseParts(matrix, shape, options) : storeParts(matrix, p, storage, sizes),
  };
}

/** All of the matrix in blocks of b x b. */
export function planInBlocks(matrix: ResidueMatrix, p: number, b: BlockSize): Plan {
  return { ...shapeOf(matrix, p), parts: [partInBlocks(matrix, p, b)] };
}

type Shape = Omit<Plan, 'parts'>;

function shapeOf(matrix: ResidueMatrix, p: number): Shape {
  const { rows, cols, rowPtr, colIdx } = matrix;
  return {
    rows,
    cols,
    nnz: colIdx.length,
    p,
    rowPtr,
    lengths: rowLengths(rowPtr),
    isScattered: isScattered(wholeRows(matrix)),
  };
}

/**
 * ELL_R: rows up to this mean length gain from a length in place of two offsets, at up to this share of unused places.
 */
const SHORT_ROW = 16;
const SLACK = 1 / 16;

function partInBlocks(matrix: ResidueMatrix, p: number, b: BlockSize): Part {
  const percent = Math.round((100 * matrix.colIdx.length) / (countBlocks(matrix, b) * b * b));
  const formats = formatNamed(`bcsr-${b}`).fromRows(csrUnchecked(matrix), p);
  return {
    ...{ values: 'general', rows: 'all', formats, lengths: rowLengths(matrix.rowPtr) },
    reason: `dense blocks of ${b} x ${b}, ${percent} % full`,
  };
}

function chooseParts(
  matrix: ResidueMatrix,
  shape: Shape,
  { onePass = false, width = WIDTH, sizes = {} }: PlanOptions,
): Part[] {
  const { p, lengths } = shape;
  if (onePass) return chooseShortParts(matrix, shape, null, sizes);
  const b = chooseBlocks(matrix, p, lengths.max, width);
  if (b !== null) return [partInBlocks(matrix, p, b)];
  const cut = cutLongRows(matrix, p, sizes);
  if (cut === null) return chooseShortParts(matrix, shape, width, sizes);
  const short = chooseShortParts(cut.short, shape, width, sizes).map((part): Part => ({ ...part, rows: 'short' }));
  return [...short, ...panelParts(cut)];
}

/** Long rows, panel by panel, in the remainder's format. */
function panelParts({ short, count, panels, columns, classes }: LongRows): Part[] {
  const reason = `${count} long rows by ${panels} panels of ${columns} columns`;
  return VALUE_CLASSES.filter((name) => classes[name].length > 0).map((values) => {
    const rowPtr = new Uint32Array(short.rows + 1);
    for (const panel of classes[values]) {
      panel.rowIdx.forEach((i, at) => {
        rowPtr[i + 1] += panel.rowPtr[at + 1] - panel.rowPtr[at];
      });
    }
    for (let i = 0; i < short.rows; i++) rowPtr[i + 1] += rowPtr[i];
    return { values, rows: 'long', formats: classes[values], lengths: rowLengths(rowPtr), reason };
  });
}

/** `width`: null where rows stay in their order. */
function chooseShortParts(matrix: ResidueMatrix, shape: Shape, width: number | null, sizes: ProductSizes): Part[] {
  const { unsplitUnits, ...classes } = splitByValue(matrix, shape.p, true);
  const present = VALUE_CLASSES.filter((name) => classes[name].nnz > 0);
  // Parts in different orders would be passes of their own.
  const gainsSorted = (a: Csr): boolean => width !== null && present.length === 1 && areUneven(a.rowPtr, shape, width);
  const unsplit = (name: ValueClass): number => (name === 'general' ? unsplitUnits : 0);
  return present.map((name) => choosePart(name, classes[name], unsplit(name), gainsSorted, sizes));
}

/** `units`: its ±1 entries that have no part of their own; `gainsSorted`: whether rows are to be sorted. */
function choosePart(
  values: ValueClass,
  a: Csr,
  units: number,
  gainsSorted: (a: Csr) => boolean,
  sizes: ProductSizes,
): Part {
  const lengths = rowLengths(a.rowPtr);
  const { min, max, nnz, rows } = lengths;
  const few = units === 0 ? '' : `; ${units} are ±1, too few a row for a part of their own`;
  const part = (stored: Stored, reason: string): Part => {
    return { values, rows: 'all', formats: [stored], lengths, reason: reason + few };
  };
  if (min === max) return part(cutRectangle(a, min)[0], `every row has ${min}`);
  const unused = max * rows - nnz;
  const between = `rows have from ${min} to ${max}`;
  if (gainsSorted(a)) return part(toCsrSorted(a, sizes), `${between}, neighbours unlike: sorted`);
  if (max > SHORT_ROW) return part(a, `${between}, too many for lengths to be felt`);
  const percent = Math.round((100 * unused) / nnz);
  if (unused > SLACK * nnz) return part(a, `${between}: ${percent} % more places if all had ${max}`);
  return part(toEllR(a, max), `${between}, nearly all ${max}`);
}

/**
 * Every part in one format: each value class that is worth a part, or the matrix as a whole where the format holds all
 * classes.
 */
function storeParts(matrix: ResidueMatrix, p: number, name: FormatName, sizes: ProductSizes): Part[] {
  const format = formatNamed(name);
  const whole = (): Record<ValueClass, Csr | null> => ({ plus: null, minus: null, general: csrUnchecked(matrix) });
  const classes = format.whole ? whole() : splitByValue(matrix, p, true);
  return VALUE_CLASSES.flatMap((values) => {
    const a = classes[values];
    if (a === null || a.nnz === 0) return [];
    const reason = `${name} was asked for`;
    return [{ values, rows: 'all', formats: format.fromRows(a, p, sizes), lengths: rowLengths(a.rowPtr), reason }];
  });
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
    formats: formats.map((format) => ({ format: format.kind as FormatName, nnz: format.nnz, bytes: bytesOf(format) })),
    reason,
  }));
  const bytes = parts.flatMap((part) => part.formats).reduce((sum, format) => sum + format.bytes, 0);
  return { rows: plan.rows, cols: plan.cols, nnz: plan.nnz, mod: plan.p, rowLengths: plan.lengths, parts, bytes };
}
