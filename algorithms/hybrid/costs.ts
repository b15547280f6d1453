/**
 * When to sample a Schur complement to its rank and when to leave it to block Wiedemann, from sizes alone: a choice by
 * clock would not be the same twice.
 *
 *   N : the shorter side of S      a : seconds of a product with 16 vectors      k : degree of the working field
 *
 *   sampling         N/16 products, and elimination of N × N:  N·a/16 + E·N³
 *   block Wiedemann  1.5·N/16 products and as many with the hash, verification, order bases:  k·N·(B·a + G)
 *
 * Rates of one core of an AMD EPYC, 2026-11 (npm run bench -- pluq, spmm, sigma-basis); their ratios are what counts.
 */
import type { WordPrime } from '../../fields/word-prime.js';

const SECONDS_AN_ENTRY = 3e-9; // 16 vectors
const ELIMINATION = { narrow: 2e-11, wide: 8e-11 }; // E
const PRODUCTS = 0.12; // B
const ORDER_BASIS = 7e-5; // G

/** What may be spent on samples that may turn out to be too few, as a share of what block Wiedemann takes. */
const ATTEMPT = 0.03;

/** How many samples are worth taking: all where that is cheaper, else so many that they cost next to nothing. */
export function samplesWorthTaking(field: WordPrime, N: number, nnz: number, k: number): number {
  const a = SECONDS_AN_ENTRY * nnz;
  const cube = field.narrow ? ELIMINATION.narrow : ELIMINATION.wide;
  const wiedemann = k * N * (PRODUCTS * a + ORDER_BASIS);
  const sampling = (samples: number): number => (samples * a) / 16 + cube * N * samples ** 2;
  if (sampling(N) <= wiedemann) return Number.POSITIVE_INFINITY;
  let samples = 1;
  while (sampling(2 * samples) <= ATTEMPT * wiedemann) samples *= 2;
  return samples;
}
