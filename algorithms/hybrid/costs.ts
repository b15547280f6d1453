/**
 * What finding the rank of a Schur complement costs, from its sizes, or from them and a product that was timed.
 *
 *   S : R × C, N the shorter side      a : seconds of a product with 16 vectors      k : numbers that an element of GF(q) takes
 *
 *   elimination      the rows of S, then R × C dense:                             R·C·F + N·a/16 + E·R·C·N
 *   sampling         products with N vectors, and N × N dense:                    N·a/16 + E·N³
 *   wiedemann        products with 1.5·N vectors, the hash and order bases:       k·N·(B·a + G)
 *
 * The rank may be far below N, which shortens the last two; where N is full they are right within a factor 2 or so. Rates of
 * one core of an AMD EPYC, 2026-11 (npm run bench -- pluq, gf2, spmm, sigma-basis). Another machine changes them all alike, and
 * their ratios are what counts; but a itself depends on where the entries stand and how deep the substitution goes, so before
 * anything long it is measured (hybrid-rank.ts).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import { numbersAnElement } from '../block-wiedemann/working-field.js';
import type { Matching } from '../elimination/pattern.js';

const SECONDS_AN_ENTRY = 3e-9; // 16 vectors
const DENSE_ENTRY = 2e-9; // F
const ELIMINATION = { bits: 5e-13, narrow: 2e-11, wide: 8e-11 }; // E
const PRODUCTS = 0.12; // B
const ORDER_BASIS = 7e-5; // G

/** What may be spent on samples that may turn out to be too few, as a share of what block Wiedemann takes. */
const ATTEMPT = 0.005;

interface Pivoted {
  readonly a: ResidueMatrix;
  readonly matching: Matching;
}

export interface Costs {
  readonly elimination: number; // seconds on one thread
  readonly sampling: number;
  readonly wiedemann: number;
  /** Samples that cost next to nothing. */
  readonly samples: number;
}

export function costs(
  field: WordPrime,
  rows: number,
  cols: number,
  nnz: number,
  k: number,
  a = productSeconds(nnz),
): Costs {
  const N = Math.min(rows, cols);
  const cube = field.narrow ? ELIMINATION.narrow : ELIMINATION.wide;
  const exactCube = field.p === 2 ? ELIMINATION.bits : cube;
  const elimination = rows * cols * (DENSE_ENTRY + exactCube * N) + (N * a) / 16;
  const samplingOf = (samples: number): number => (samples * a) / 16 + cube * N * samples ** 2;
  const wiedemann = k * N * (PRODUCTS * a + ORDER_BASIS);
  let samples = 1;
  while (samples < N && samplingOf(2 * samples) <= ATTEMPT * wiedemann) samples *= 2;
  return { elimination, sampling: samplingOf(N), wiedemann, samples };
}

/** Of what the pivots leave; `product`: seconds of one with 16 vectors. */
export function costsLeft(field: WordPrime, { a, matching: { size } }: Pivoted, product?: number): Costs {
  return costs(field, a.rows - size, a.cols - size, a.colIdx.length, numbersAnElement(field.p, 'block'), product);
}

/** a, as it mostly is. */
export function productSeconds(nnz: number): number {
  return SECONDS_AN_ENTRY * nnz;
}

export function cheapest({ elimination, sampling, wiedemann }: Costs): number {
  return Math.min(elimination, sampling, wiedemann);
}
