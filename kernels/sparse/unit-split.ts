/**
 * A mod p = A(+1) + A(−1) + A(general): entries that are 1, p − 1, and anything else, each part with A's shape.
 *
 * The ±1 parts store no values and cost additions alone. For p = 2, where 1 = −1, all entries are +1. A class that is
 * not worth a part of its own is among the general ones.
 */
import { type Csr, csrUnchecked } from './formats/csr.js';
import type { ResidueMatrix } from './residue-matrix.js';

export type ValueClass = 'plus' | 'minus' | 'general';

export const VALUE_CLASSES: readonly ValueClass[] = ['plus', 'minus', 'general'];

/** The element of each ±1 class; 0, which no entry is, for a class among the general ones. */
interface Units {
  readonly plus: number;
  readonly minus: number;
}

export interface ValueSplit extends Record<ValueClass, Csr> {
  readonly unsplitUnits: number; // ±1 entries among the general ones
}

/** By value alone, or, where there are general entries, with what is `worthApart` from them. */
export function splitByValue(a: ResidueMatrix, p: number, choose = false): ValueSplit {
  const all: Units = { plus: 1, minus: p - 1 };
  const counts = countsOf(a, all);
  const units = choose && counts[2] > 0 ? worthApart(a, p, all, counts) : all;
  const nnz = units === all ? counts : countsOf(a, units);
  const part = (c: number): Csr => partOf(a, units, c, nnz[c]);
  return { plus: part(0), minus: part(1), general: part(2), unsplitUnits: nnz[2] - counts[2] };
}

function countsOf(a: ResidueMatrix, { plus, minus }: Units): Uint32Array {
  const counts = new Uint32Array(VALUE_CLASSES.length);
  countClasses(a.values, plus, minus, counts);
  return counts;
}

/**
 * Entries a row from which a ±1 class is worth its part beside general entries: the saving on each pays for a row's
 * further loops, whose ends are mispredicted where rows differ. Fewer suffice where the class has nearly all entries,
 * since the others' loop is then short (`most`), and where each row has as many (`even`). A small class also makes
 * general rows differ in length (test/bench/RESULTS.md#unit-classes).
 */
const NARROW = { any: 20, most: 10, even: 4 };
const WIDE = { any: 5, most: 2.5, even: 2 }; // p ≥ 2^16: products cost more
const MOST = 0.9;

function worthApart(a: ResidueMatrix, p: number, all: Units, counts: Uint32Array): Units {
  const least = p < 2 ** 16 ? NARROW : WIDE;
  const isWorth = (value: number, count: number): boolean => {
    const each = count / a.rows;
    if (each >= (count > MOST * a.values.length ? least.most : least.any)) return true;
    // Rows cannot all be equal where the count is no multiple of their number.
    return each >= least.even && Number.isInteger(each) && everyRowHas(a.rowPtr, a.values, value, each);
  };
  const [plus, minus] = [isWorth(all.plus, counts[0]), isWorth(all.minus, counts[1])];
  return plus && minus ? all : { plus: plus ? all.plus : 0, minus: minus ? all.minus : 0 };
}

/** The `nnz` entries of one class. A class that has all of them shares A's arrays. */
function partOf(a: ResidueMatrix, { plus, minus }: Units, c: number, nnz: number): Csr {
  const { rows, cols, values } = a;
  if (nnz === values.length) {
    return csrUnchecked({ rows, cols, rowPtr: a.rowPtr, colIdx: a.colIdx, values: c === 2 ? values : null });
  }
  const rowPtr = new Uint32Array(rows + 1);
  const colIdx = new Uint32Array(nnz);
  const general = c === 2 ? new Uint32Array(nnz) : null;
  if (nnz > 0) {
    collect(a.rowPtr, a.colIdx, values, plus, minus, c, rowPtr, colIdx);
    if (general !== null) collectValues(values, plus, minus, general);
  }
  return csrUnchecked({ rows, cols, rowPtr, colIdx, values: general });
}

// Loops of their own: kernels/sparse/residue-matrix.ts.

function everyRowHas(rowPtr: Uint32Array, values: Uint32Array, value: number, each: number): boolean {
  for (let i = 0; i < rowPtr.length - 1; i++) {
    let count = 0;
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) if (values[k] === value) count++;
    if (count !== each) return false;
  }
  return true;
}

function countClasses(values: Uint32Array, plus: number, minus: number, counts: Uint32Array): void {
  for (let k = 0; k < values.length; k++) counts[classOf(values[k], plus, minus)]++;
}

/** The places of class c's entries. */
function collect(
  rowPtr: Uint32Array,
  colIdx: Uint32Array,
  values: Uint32Array,
  plus: number,
  minus: number,
  c: number,
  outPtr: Uint32Array,
  outIdx: Uint32Array,
): void {
  let next = 0;
  for (let i = 0; i < rowPtr.length - 1; i++) {
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++)
      if (classOf(values[k], plus, minus) === c) outIdx[next++] = colIdx[k];
    outPtr[i + 1] = next;
  }
}

function collectValues(values: Uint32Array, plus: number, minus: number, general: Uint32Array): void {
  for (let k = 0, next = 0; k < values.length; k++) {
    if (classOf(values[k], plus, minus) === 2) general[next++] = values[k];
  }
}

/** The index in VALUE_CLASSES. */
function classOf(value: number, plus: number, minus: number): 0 | 1 | 2 {
  return value === plus ? 0 : value === minus ? 1 : 2;
}
