/**
 * Ranks that are known: by a formula for whole families, and computed elsewhere for single instances.
 *
 * Sources: R. M. Wilson 1990 for inclusion matrices; J.-G. Dumas, Sparse Integer Matrices Collection; SuiteSparse
 * JGD_BIBD, JGD_Homology, JGD_Trefethen, JGD_SPG, JGD_Margulies. Exceptions beyond theirs by elimination (test/data),
 * and once more by a dense elimination written apart from this project.
 */
import { binomial } from './subsets.js';

export interface KnownRank {
  readonly instance: string;
  readonly family: string; // a name and arguments for generate()
  readonly args: readonly number[];
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly rank: number; // over Q
  readonly exceptions: Readonly<Record<number, number>>; // rank mod p where it differs, see below
}

/**
 * Primes up to here have been tried, on every instance of at most 120000 rows: where `exceptions` does not have one of
 * them, the rank mod p is the rank over Q. Of larger instances only what is published is known.
 */
export const EXCEPTIONS_KNOWN_UP_TO = 7;

/** The rank of W_{t,k}(v) mod p, exact for every prime p, or over Q (p = 0); t ≤ min(k, v − k). */
export function inclusionRank(t: number, k: number, v: number, p: number): number {
  let rank = 0;
  for (let i = 0; i <= t; i++) {
    const index = binomial(k - i, t - i);
    if (p === 0 || index % p !== 0) rank += binomial(v, i) - binomial(v, i - 1);
  }
  return rank;
}

/**
 * The rank of PG(2, q), q prime, mod p or over Q (p = 0).
 *
 * A·Aᵀ = q·I + J has determinant q^(q²+q)·(q + 1)². Mod p dividing q + 1 it is J − I, of rank q² + q because
 * q² + q + 1 = 1 there, and A·1 = (q + 1)·1 = 0: so is A's. Mod q: Graham and MacWilliams 1966.
 */
export function projectivePlaneRank(q: number, p: number): number {
  if (p === q) return (q * (q + 1)) / 2 + 1;
  return q * q + q + (p !== 0 && (q + 1) % p === 0 ? 0 : 1);
}

type Row = [instance: string, family: string, args: number[], rows: number, cols: number, nnz: number, rank: number];

/** One row, with the exceptions. */
function row(
  [instance, family, args, rows, cols, nnz, rank]: Row,
  exceptions: Readonly<Record<number, number>> = {},
): KnownRank {
  return { instance, family, args, rows, cols, nnz, rank, exceptions };
}

export const KNOWN_RANKS: readonly KnownRank[] = [
  row(['bibd_9_5', 'bibd', [9, 5], 36, 126, 1260, 36], { 2: 27, 5: 35 }),
  row(['bibd_12_5', 'bibd', [12, 5], 66, 792, 7920, 66], { 2: 54, 5: 65 }),
  row(['bibd_13_6', 'bibd', [13, 6], 78, 1716, 25740, 78], { 3: 77, 5: 65 }),
  row(['bibd_49_3', 'bibd', [49, 3], 1176, 18424, 55272, 1176], { 2: 1128, 3: 1175 }),
  row(['bibd_81_3', 'bibd', [81, 3], 3240, 85320, 255960, 3240], { 2: 3160, 3: 3239 }),
  row(['ch5-5-b3', 'ch', [5, 5, 3], 600, 600, 2400, 424], { 3: 423 }),
  row(['ch6-6-b3', 'ch', [6, 6, 3], 5400, 2400, 21600, 1985]),
  row(['ch6-6-b4', 'ch', [6, 6, 4], 4320, 5400, 21600, 3390], { 3: 3380 }),
  row(['ch7-7-b3', 'ch', [7, 7, 3], 29400, 7350, 117600, 6516]),
  row(['ch7-7-b4', 'ch', [7, 7, 4], 52920, 29400, 264600, 22884]),
  row(['ch8-8-b3', 'ch', [8, 8, 3], 117600, 18816, 470400, 17311]),
  row(['ch8-8-b4', 'ch', [8, 8, 4], 376320, 117600, 1881600, 100289]),
  row(['ch9-9-b4', 'ch', [9, 9, 4], 1905120, 381024, 9525600, 341200]),
  row(['mk9-b3', 'mk', [9, 3], 945, 1260, 3780, 875], { 3: 867 }),
  row(['mk10-b3', 'mk', [10, 3], 4725, 3150, 18900, 2564], { 3: 2563 }),
  row(['mk11-b3', 'mk', [11, 3], 17325, 6930, 69300, 5994]),
  row(['mk12-b3', 'mk', [12, 3], 51975, 13860, 207900, 12440]),
  row(['mk13-b5', 'mk', [13, 5], 135135, 270270, 810810, 134211]),
  row(['mk14-b5', 'mk', [14, 5], 945945, 945945, 5675670, 672762]),
  row(['Trefethen_200', 'trefethen', [200], 200, 200, 2890, 200], { 2: 199 }),
  row(['Trefethen_500', 'trefethen', [500], 500, 500, 8478, 500], { 2: 484, 5: 499, 7: 499 }),
  row(['Trefethen_2000', 'trefethen', [2000], 2000, 2000, 41906, 2000], { 2: 1995, 3: 1999, 5: 1999 }),
  row(['PG(2,7)', 'pg', [7], 57, 57, 456, 57], { 2: 56, 7: 29 }),
  row(['EX1', 'ex', [1], 560, 560, 8736, 547], { 2: 266, 3: 512, 7: 546 }),
  row(['EX2', 'ex', [2], 560, 560, 8736, 553], { 2: 266, 3: 515, 7: 552 }),
  row(['EX5', 'ex', [5], 6545, 6545, 295680, 4740], { 2: 2318, 3: 4528, 7: 4721 }),
  row(['kneser_6_2_1', 'kneser', [6, 2], 601, 676, 2027, 540], { 3: 526 }),
  row(['flower_4_1', 'flower', [4], 121, 129, 386, 108], { 2: 107, 3: 101 }),
  row(['kneser_8_3_1', 'kneser', [8, 3], 15737, 15681, 47042, 14421]),
];
