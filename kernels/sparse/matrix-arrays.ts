/** The arrays that a SparseMatrix is made of, under the names that callers have for them. */
import type { Entry, WideParts } from './big-entries.js';
import type { Coordinates } from './coordinates.js';

/** Indices and values as flat arrays, 0-based. */
export interface TripletArrays {
  readonly rowIdx: ArrayLike<number>;
  readonly colIdx: ArrayLike<number>;
  readonly values: ArrayLike<Entry>;
}

/** A matrix as plain data: what structured cloning makes of one, and `fromParts` reads back. */
export interface SparseMatrixParts extends Omit<Coordinates, 'wide'> {
  readonly wide: WideParts;
}

/** Sizes as `rows` and `cols`, or as `shape`. */
export type Shaped =
  | { readonly rows: number; readonly cols: number }
  | { readonly shape: readonly [number, number] | ArrayLike<number> };

type Some<T> = ArrayLike<T>;

/** Compressed rows under the names of this package or of scipy: row i owns entries rowPtr[i] … rowPtr[i+1] − 1. */
export type CsrArrays =
  | { readonly rowPtr: Some<number>; readonly colIdx: Some<number>; readonly values: Some<Entry> }
  | { readonly indptr: Some<number | bigint>; readonly indices: Some<number | bigint>; readonly data: Some<Entry> };

/** Compressed columns: column j owns entries colPtr[j] … colPtr[j+1] − 1. */
export type CscArrays =
  | { readonly colPtr: Some<number>; readonly rowIdx: Some<number>; readonly values: Some<Entry> }
  | { readonly indptr: Some<number | bigint>; readonly indices: Some<number | bigint>; readonly data: Some<Entry> };

/** Coordinates; repeated positions add up. */
export type CooArrays =
  | TripletArrays
  | { readonly row: Some<number | bigint>; readonly col: Some<number | bigint>; readonly data: Some<Entry> };
