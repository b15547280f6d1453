/**
 * What a question comes back with: the answer, what is proved about it, and how it was found.
 *
 *   proved   : the value is right, no probability involved
 *   probable : the value is right unless an event of probability at most 2^errorLog2 happened; errorLog2 < 0
 *   oneSided : only lowerBound is proved, value is what was found; reason says why nothing more is
 *
 * Bounds speak of the answer itself for rank, of its degree for minpoly (whatever is found divides the minimal
 * polynomial, so a lower bound is free there too).
 */
export type Outcome<T> = Report & (Proved<T> | Probable<T> | OneSided<T>);

/** Of a minimal polynomial: a Uint32Array mod a word prime, bigints mod a larger one. */
export type Coefficients = Uint32Array | bigint[];

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
  readonly lowerBound: number | null; // null for a determinant
  readonly upperBound: number | null; // null when not proved
  readonly method: string;
  /** Why that method, and what it met, a line each; empty where there was nothing to choose. */
  readonly explanation: readonly string[];
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null; // the GPU's name
  readonly threads: number;
  readonly block: readonly [m: number, n: number] | null; // null when the method has no blocks
  readonly seed: bigint;
  /** The text of a rank certificate, where one was asked for. */
  readonly certificate: string | null;
  /** Why there is none although one was asked for. */
  readonly certificateReason?: string;
  readonly seconds: Readonly<Record<string, number>>; // by phase, and `total`
}

/** What is claimed, as the algorithms report it: null claims nothing, −Infinity cannot be wrong. */
export interface Claim {
  readonly errorLog2: number | null;
  readonly reason?: string | undefined;
}

/** Which of the three kinds a claim is. */
export function kindOfClaim<T>(value: T, { errorLog2, reason }: Claim): Proved<T> | Probable<T> | OneSided<T> {
  if (errorLog2 === null) return { kind: 'oneSided', value, errorLog2, reason: reason ?? 'not verified' };
  if (errorLog2 === Number.NEGATIVE_INFINITY) return { kind: 'proved', value, errorLog2 };
  return { kind: 'probable', value, errorLog2 };
}
