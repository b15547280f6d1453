/** What a question's caller gets: the answer, what is proved of it, and how it was found. */
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';

/**
 * The outcome of a question: the answer, its proved bounds, and the way to it.
 *
 *   proved   : the value is right, no probability involved
 *   probable : the value is right unless an event of probability at most 2^errorLog2 happened; errorLog2 < 0
 *   oneSided : only lowerBound is proved, value is what was found; reason says why nothing more is
 *
 * Bounds speak of the answer itself for rank, of its degree for minpoly, of the dimension for nullspace.
 */
export type Outcome<T> = OutcomeData<T> & { toJSON(): OutcomeJson };

/** Of factors: the value is the rank. */
export type FactorOutcome = Outcome<number> & { readonly determinant: bigint };

/** An outcome as it crosses threads. */
export type OutcomeData<T> = Report & (Proved<T> | Probable<T> | OneSided<T>);

/** Of a minimal polynomial: a Uint32Array mod a word prime, bigints mod a larger one. */
export type Coefficients = Uint32Array | bigint[];

/** A matrix or a vector, row by row: a Uint32Array mod a word prime, bigints mod a larger one. */
export type Residues = Uint32Array | bigint[];

/** A matrix over Q, row by row: entry (j, t) is its numerator over denominators[t], in lowest terms as a column. */
export interface Fractions {
  readonly numerators: bigint[];
  readonly denominators: bigint[]; // > 0, one a column
}

/**
 * Of A·X = B, A rows × cols, B rows × s: the value is X, cols × s, row by row; over Q it is Fractions. It is null where
 * a column of B has no solution, of which `inconsistent` is the proof, and in a oneSided outcome, where every attempt
 * was unlucky.
 */
export type SolveOutcome<T = Residues> = Outcome<T | null> & {
  readonly rightSides: number; // s
  readonly inconsistent: Inconsistent | null;
};

/** Column `column` of B, 0-based, has no solution: uᵀ·A = 0 and uᵀ·b ≠ 0 for the certificate u, of A's rows. */
export interface Inconsistent {
  readonly column: number;
  readonly certificate: Residues;
}

/**
 * Of a kernel: the value has its vectors as rows, a basis or those asked for; null where `onVectors` has taken them.
 * Vector k of a basis has 1 at freeLines[k] and 0 at the others of them.
 */
export type NullspaceOutcome = Outcome<SparseMatrix | null> & {
  readonly rank: number | null; // null of random vectors by lanczos: upperBound bounds the dimension
  readonly dimension: number | null; // likewise
  readonly vectors: number; // as many as there are in the value, or were given to onVectors
  readonly freeLines: Uint32Array; // as many as the dimension, increasing; none of random vectors by lanczos
};

export interface Proved<T> {
  readonly kind: 'proved';
  readonly value: T;
  readonly errorLog2: number; // −Infinity
}

export interface Probable<T> {
  readonly kind: 'probable';
  readonly value: T;
  readonly errorLog2: number;
}

export interface OneSided<T> {
  readonly kind: 'oneSided';
  readonly value: T;
  readonly errorLog2: null;
  readonly reason: string;
}

/** How an answer was found; enough to find it again. */
export interface Report {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number | null; // stored entries; null for an operator of the caller's own
  readonly mod: bigint;
  readonly lowerBound: number | null; // null for a determinant and a solution
  readonly upperBound: number | null; // null when not proved
  readonly method: string;
  /** The reasons for that method, and its findings, a line each; empty without a choice. */
  readonly explanation: readonly string[];
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null; // the GPU's name
  readonly threads: number;
  readonly block: readonly [m: number, n: number] | null; // null when the method has no blocks
  readonly seed: bigint;
  /** The text of a rank certificate, where one was asked for. */
  readonly certificate: string | null;
  /** Why there is none, where the question asks for one. */
  readonly certificateReason?: string;
  /**
   * As many independent rows of the matrix as its rank, 0-based, where they were asked for; null where there are none
   * to give.
   */
  readonly pivotRows: Uint32Array | null;
  /** As many columns: the submatrix of these rows and columns is nonsingular. */
  readonly pivotCols: Uint32Array | null;
  /** Why there are none, where the question asks for them. */
  readonly pivotsReason?: string;
  /** Warnings beside the answer, a line each. */
  readonly warnings: readonly string[];
  readonly seconds: Readonly<Record<string, number>>; // by phase, and `total`
}

/**
 * An outcome as JSON has it: integers of any size as strings, arrays of numbers as such, −∞ as null beside kind
 * 'proved'.
 */
export type OutcomeJson = { readonly kind: string } & Readonly<Record<string, unknown>>;

/** The outcome of an answer that came from the engine's thread. */
export function toOutcome<A extends object>(answer: A): A & { toJSON(): OutcomeJson } {
  // Not enumerable: outcomes are compared, spread and cloned as data.
  return Object.defineProperty(answer, 'toJSON', {
    value: jsonOfOutcome,
    configurable: true,
    writable: true,
  }) as A & { toJSON(): OutcomeJson };
}

function jsonOfOutcome(this: object): OutcomeJson {
  return Object.fromEntries(Object.entries(this).map(([key, value]) => [key, plain(value)])) as OutcomeJson;
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Uint32Array || value instanceof Int32Array) return Array.from(value);
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof SparseMatrix) return plain(value.toCoo());
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
  return value === Number.NEGATIVE_INFINITY ? null : value;
}

/**
 * A value with its kind. Of the bounds that algorithms report, errorLog2 null claims nothing, −Infinity cannot be
 * wrong.
 */
export function classify<T>(
  value: T,
  { errorLog2, reason }: { readonly errorLog2: number | null; readonly reason?: string | undefined },
): Proved<T> | Probable<T> | OneSided<T> {
  if (errorLog2 === null) return { kind: 'oneSided', value, errorLog2, reason: reason ?? 'not verified' };
  if (errorLog2 === Number.NEGATIVE_INFINITY) return { kind: 'proved', value, errorLog2 };
  return { kind: 'probable', value, errorLog2 };
}
