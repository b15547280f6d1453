/** What the encoders of rows have in common: a function's parameters, and a row or a part of one. */
import type { Expression, Type } from './encoder.js';

/** Parameters of every function, (x, y, args): where the columns of a tile begin, and jit-layout.ts. */
export const VECTOR_X = 0;
export const VECTOR_Y = 1;
export const ARGS = 2;
export const FIRST_LOCAL = 3;

/** Entries first … end − 1 of a row. */
export interface RowPart {
  readonly first: number;
  readonly end: number;
  readonly columns: Uint32Array;
  readonly values: Uint32Array; // canonical residues
  readonly stride: number; // bytes of a row of X
  readonly at: number; // of the row of Y, in bytes
  readonly later: boolean; // whether an earlier part of the row has been stored
}

export interface RowCode {
  readonly locals: readonly Type[]; // from FIRST_LOCAL on
  /** At the beginning of a function. */
  begin(): Expression[];
  row(part: RowPart): Expression[];
}

/** Functions of row-ends.as.ts with their parameters: i for i32, v for v128; and what they return. */
export const ROW_ENDS: readonly (readonly [name: string, params: string, result: '' | 'i' | 'v'])[] = [
  ['jitEndWord', 'iiii', 'i'],
  ['jitLowU16', 'vv', 'v'],
  ['jitHighU16', 'vv', 'v'],
  ['jitReduceU16', 'iv', 'v'],
  ['jitEndUnitsU16', 'iivvii', ''],
  ['jitEndU16', 'iivvii', ''],
  ['jitReduceU32', 'ivvvv', 'v'],
  ['jitEndU32', 'iivii', ''],
];

export const ZERO: readonly number[] = new Array<number>(16).fill(0);

/** The entries of a part by value: those that are 1, then those that are −1, and the others; `plus` are 1. */
export function sortByClass(
  { first, end, values }: RowPart,
  p: number,
): { readonly units: readonly number[]; readonly plus: number; readonly general: readonly number[] } {
  const [units, minus, general]: [number[], number[], number[]] = [[], [], []];
  for (let k = first; k < end; k++) (values[k] === 1 ? units : values[k] === p - 1 ? minus : general).push(k);
  const plus = units.length;
  units.push(...minus);
  return { units, plus, general };
}
