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
 * where they are short and nearly alike, else CSR; for one vector also small blocks that are half full. A rectangle of
 * the shortest row's length with the rest in CSR, which `storage: 'ell'` makes, is two passes, and is slower than CSR
 * alone (test/bench/RESULTS.md#plan).
 */

import { areHalfFull, findBlocks } from './block-fill.js';
import { type BlockSize, countBlocks, isBcsr } from './formats/bcsr.js';
import { type Csr, csrUnchecked } from './formats/csr.js';
import { toCsrSorted } from './formats/csr-sorted.js';
import { cutRectangle } from './formats/ell.js';
import { toEllR } from './formats/ell-r.js';
import { bytesOf, type FormatName, formatNamed, type Stored } from './formats/index.js';
import { wholeRows } from './formats/row-runs.js';
import { cutLongRows, type LongRows } from './long-rows.js';
import { type ResidueMatrix, transpose } from './residue-matrix.js';
import { type RowLengths, rowLengths } from './row-statistics.js';
import { isScattered } from './scattered.js';
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
}

export function planOf(matrix: ResidueMatrix, p: number, options: PlanOptions = {}): Plan {
  const { storage, onePass = false } = options;
  const parts = storage === undefined ? chooseParts(matrix, p, onePass) : storeParts(matrix, p, storage);
  return { ...sizesOf(matrix, p), parts };
}

/**
 * The size of the dense blocks of the plan for products with one vector, where that is not the one for all others,
 * which is `plan`, of A or of Aᵀ; else null. `matrix` is A: the blocks of Aᵀ are those of A, as full as they are.
 */
function narrowBlocks(matrix: ResidueMatrix, { p, parts }: Plan): BlockSize | null {
  const kinds = parts.flatMap(({ formats }) => formats.map(({ kind }) => kind));
  if (kinds.includes(`bcsr-${STORED_AS.wide}`)) return findBlocks(matrix) === LARGE ? STORED_AS.narrow : null;
  if (p === 2 || p >= 2 ** 16 || parts.some(({ formats }) => formats.some(isBcsr))) return null;
  // Units of one sign, and rows that are sorted, are as fast (test/bench/RESULTS.md#blocks-unasked).
  const isFast = kinds.includes('csr-sorted') || (parts.length === 1 && parts[0].values !== 'general');
  return !isFast && areHalfFull(matrix) ? 2 : null;
}

/** The plans for products with one vector, of A or of Aᵀ; undefined, and nothing is kept, where there are none. */
export function narrowPlans(
  matrix: ResidueMatrix,
  plan: Plan | null,
  planTransposed: Plan | null,
): ((transposed: boolean) => Plan | null) | undefined {
  const [b, ofTransposed] = [plan, planTransposed].map((each) => each && narrowBlocks(matrix, each));
  const p = plan?.p ?? planTransposed?.p;
  return p && (b || ofTransposed) ? plansInBlocks(matrix, p, b ?? null, ofTransposed ?? null) : undefined;
}

/** By themselves, so that they keep no more than these. */
function plansInBlocks(
  matrix: ResidueMatrix,
  p: number,
  b: BlockSize | null,
  ofTransposed: BlockSize | null,
): (transposed: boolean) => Plan | null {
  return (transposed) => {
    const size = transposed ? ofTransposed : b;
    if (size === null) return null;
    const a = transposed ? transpose(matrix) : matrix;
    return { ...sizesOf(a, p), parts: [partInBlocks(a, p, size)] };
  };
}

function sizesOf(matrix: ResidueMatrix, p: number): Omit<Plan, 'parts'> {
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

/**
 * The share of the blocks' places that entries have, at least, so that zeros take less of a product with many vectors
 * than blocks gain (test/bench/RESULTS.md#blocks-unasked).
 */
const FULL = 0.95;

/** The share of ±1 at most: more of them are faster apart. */
const FEW_UNITS = 1 / 4;

/**
 * Blocks of this size are stored as smaller ones: for products with one vector as those of the most rows that a kernel
 * sums at once, for others as those whose values it reads in one run.
 */
const LARGE = 16;
const STORED_AS = { narrow: 8, wide: 4 } as const;

/** All of the matrix in dense blocks; null where it does not consist of them, or their kernel lacks the residues. */
function blockPart(matrix: ResidueMatrix, p: number): Part | null {
  if (p >= 2 ** 16) return null;
  const found = findBlocks(matrix);
  if (found === null || found === 2) return null;
  const b = found === LARGE ? STORED_AS.wide : found;
  const nnz = matrix.colIdx.length;
  const isFull = nnz >= FULL * countBlocks(matrix, b) * b * b;
  return isFull && countUnits(matrix.values, p) <= FEW_UNITS * nnz ? partInBlocks(matrix, p, b) : null;
}

function partInBlocks(matrix: ResidueMatrix, p: number, b: BlockSize): Part {
  const percent = Math.round((100 * matrix.colIdx.length) / (countBlocks(matrix, b) * b * b));
  const formats = formatNamed(`bcsr-${b}`).fromRows(csrUnchecked(matrix), p);
  return {
    ...{ values: 'general', rows: 'all', formats, lengths: rowLengths(matrix.rowPtr) },
    reason: `dense blocks of ${b} x ${b}, ${percent} % full`,
  };
}

// A loop of its own: residue-matrix.ts.
function countUnits(values: Uint32Array, p: number): number {
  let units = 0;
  for (let k = 0; k < values.length; k++) if (values[k] === 1 || values[k] === p - 1) units++;
  return units;
}

function chooseParts(matrix: ResidueMatrix, p: number, onePass: boolean): Part[] {
  if (onePass) return chooseShortParts(matrix, p, true);
  const blocks = blockPart(matrix, p);
  if (blocks !== null) return [blocks];
  const cut = cutLongRows(matrix, p);
  if (cut === null) return chooseShortParts(matrix, p, false);
  const short = chooseShortParts(cut.short, p, false).map((part): Part => ({ ...part, rows: 'short' }));
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

function chooseShortParts(matrix: ResidueMatrix, p: number, inOrder: boolean): Part[] {
  const { unsplitUnits, ...classes } = splitByValue(matrix, p, true);
  const present = VALUE_CLASSES.filter((name) => classes[name].nnz > 0);
  // Parts in different orders would be passes of their own.
  const maySort = !inOrder && present.length === 1;
  return present.map((name) => choosePart(name, classes[name], name === 'general' ? unsplitUnits : 0, maySort));
}

/**
 * Entries for each row that is not as long as the one before, at most, for which sorting pays
 * (test/bench/RESULTS.md#rows-sorted-unasked).
 */
const UNEVEN = 128;

/** A loop of its own: residue-matrix.ts. */
function areUneven(rowPtr: Uint32Array): boolean {
  let changes = 0;
  for (let i = 2; i < rowPtr.length; i++) {
    if (rowPtr[i] - rowPtr[i - 1] !== rowPtr[i - 1] - rowPtr[i - 2]) changes++;
  }
  return UNEVEN * changes > rowPtr[rowPtr.length - 1];
}

/** `units`: its ±1 entries that have no part of their own; `maySort`: whether rows may come in another order. */
function choosePart(values: ValueClass, a: Csr, units: number, maySort: boolean): Part {
  const lengths = rowLengths(a.rowPtr);
  const { min, max, nnz, rows } = lengths;
  const few = units === 0 ? '' : `; ${units} are ±1, too few a row for a part of their own`;
  const part = (stored: Stored, reason: string): Part => {
    return { values, rows: 'all', formats: [stored], lengths, reason: reason + few };
  };
  if (min === max) return part(cutRectangle(a, min)[0], `every row has ${min}`);
  const unused = max * rows - nnz;
  const between = `rows have from ${min} to ${max}`;
  if (maySort && areUneven(a.rowPtr)) return part(toCsrSorted(a), `${between}, neighbours unlike: sorted`);
  if (max > SHORT_ROW) return part(a, `${between}, too many for lengths to be felt`);
  const percent = Math.round((100 * unused) / nnz);
  if (unused > SLACK * nnz) return part(a, `${between}: ${percent} % more places if all had ${max}`);
  return part(toEllR(a, max), `${between}, nearly all ${max}`);
}

/**
 * Every part in one format: each value class that is worth a part, or the matrix as a whole where the format holds all
 * classes.
 */
function storeParts(matrix: ResidueMatrix, p: number, name: FormatName): Part[] {
  const format = formatNamed(name);
  const whole = (): Record<ValueClass, Csr | null> => ({ plus: null, minus: null, general: csrUnchecked(matrix) });
  const classes = format.whole ? whole() : splitByValue(matrix, p, true);
  return VALUE_CLASSES.flatMap((values) => {
    const a = classes[values];
    if (a === null || a.nnz === 0) return [];
    const reason = `${name} was asked for`;
    return [{ values, rows: 'all', formats: format.fromRows(a, p), lengths: rowLengths(a.rowPtr), reason }];
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
