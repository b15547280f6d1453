/**
 * Costs of the methods' steps on one thread, in seconds: a table, and this machine's distance from it.
 *
 *   entry    an entry of a sparse matrix in a product with 16 vectors of residues
 *   row      a row of the longer side in a step's hash and projection
 *   formed   an entry of a dense Schur complement, beside the products
 *   pluq     a multiplication of a dense elimination
 *   basis    an unknown's share of an order basis for BASIS_UNKNOWNS
 *
 * Numbers are bits or bytes (mod 2), u16 (p < 2^16, eliminated with fewer reductions below 2^12) or u32. Rates are
 * those of one core of an AMD EPYC (test/bench/RESULTS.md#rates). Another machine changes them mostly alike, and ratios
 * are what counts; where two methods are near to each other and a run is long, the two rates that decide between them
 * are measured before it (measured-rates.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';

export interface Rates {
  readonly entry: number;
  readonly row: number;
  readonly formed: number;
  readonly pluq: number;
  readonly basis: number;
}

/** Share of the work of threads that only one of them can do (test/bench/RESULTS.md#threads-of-methods). */
const ALONE = 0.19;

/** Seconds of one thread that so many do in one. */
export function speedup(threads: number): number {
  return threads / (1 + ALONE * (threads - 1));
}

/** Below it dense eliminations are quicker (1.2e-11 at 3, 251 and 4093, 1.9e-11 at 65521). */
const SMALL_PRIME = 2 ** 12;

/** The numbers of vectors and matrices mod p. */
export type Numbers = 'bits' | 'small' | 'u16' | 'u32';

const TABLE: Readonly<Record<Numbers, Rates>> = {
  bits: { entry: 2.5e-9, row: 1.5e-8, formed: 3e-10, pluq: 2.4e-13, basis: 1.8e-5 },
  small: { entry: 2.5e-9, row: 2.3e-8, formed: 3e-9, pluq: 1.2e-11, basis: 2e-5 },
  u16: { entry: 2.5e-9, row: 2.3e-8, formed: 3e-9, pluq: 1.9e-11, basis: 2e-5 },
  u32: { entry: 5e-9, row: 5e-8, formed: 3.7e-9, pluq: 7.2e-11, basis: 3.4e-5 },
};

/** A product over GF(2^8), of bytes, by one of residues mod 2. */
export const BYTES = 1 / 3;

export function numbersOf({ p, isU16 }: Pick<WordPrime, 'p' | 'isU16'>): Numbers {
  return p === 2 ? 'bits' : p < SMALL_PRIME ? 'small' : isU16 ? 'u16' : 'u32';
}

export function ratesOf(field: Pick<WordPrime, 'p' | 'isU16'>): Rates {
  return TABLE[numbersOf(field)];
}

/** Of fronts, which are residues mod 2, too. */
export function frontRatesOf(field: Pick<WordPrime, 'p' | 'isU16'>): Rates {
  return field.p === 2 ? TABLE.small : ratesOf(field);
}

/** An unknown's share grows by a fifth while the unknowns double: N = 1000, 4000, 16000 give 1.5, 2.0 and 3.4e-5. */
export const BASIS_UNKNOWNS = 4096;
const BASIS_GROWTH = 1 / 4;

/** Seconds of an order basis for N unknowns whose elements take k numbers. */
export function basisSeconds({ basis }: Rates, N: number, k: number): number {
  return k * N * basis * (N / BASIS_UNKNOWNS) ** BASIS_GROWTH;
}
