/**
 * Whether a rank certificate holds for a matrix: a few sparse products, in plain TypeScript that shares nothing with what
 * made the certificate but the format, so that it can be read in one sitting and trusted.
 *
 *   lower  P·A·Q·x = b for b uniform: were P·A·Q singular, its image would hold b with probability at most 1/p.
 *          Nonsingular, it has r columns in the image of P·A: rank A ≥ r.
 *   upper  A·Q·y = A·w for w uniform: were rank A > r ≥ rank A·Q, A·w, uniform in the image of A, would lie in that of
 *          A·Q, a proper subspace, with probability at most 1/p. When r is the least of rows and columns nothing is needed.
 *
 * Each bound is tried on as many challenges as make p^-count ≤ 2^-64. Sources: Dumas, Kaltofen 2014 (nonsingularity, and
 * rank by it); Eberly 2015 (the upper bound by random members of the image).
 */
import { isPrime } from '../../fields/primality.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import { challenge, challengeCount, commitmentDigest, ERROR_LOG2, matrixDigest } from './challenges.js';
import { type LineMap, lineMap } from './compression.js';
import type { RankCertificate } from './format.js';

export interface Verdict {
  readonly holds: boolean;
  readonly rank: number; // claimed
  readonly lowerBound: number | null; // what was shown
  readonly upperBound: number | null;
  readonly errorLog2: number; // of each bound shown, per commitment tried by the prover; see challenges.ts
  readonly reason: string; // why it does not hold, in words
}

/** `a` : the matrix mod the certificate's p, entries by rows, columns ascending, none zero. */
export function verifyRankCertificate(c: RankCertificate, a: ResidueMatrix): Verdict {
  const refused = (reason: string): Verdict => ({
    ...{ holds: false, rank: c.rank, lowerBound: null, upperBound: null, errorLog2: ERROR_LOG2, reason },
  });
  if (!isPrime(BigInt(c.p))) return refused(`${c.p} is not prime`);
  if (a.rows !== c.rows || a.cols !== c.cols) {
    return refused(`the certificate is about a ${c.rows} x ${c.cols} matrix, this one is ${a.rows} x ${a.cols}`);
  }
  if (!matrixDigest(a, c.p).every((byte, i) => byte === c.matrix[i])) {
    return refused(`the certificate is about another matrix mod ${c.p}`);
  }
  const count = challengeCount(c.p);
  const full = c.rank === Math.min(c.rows, c.cols);
  if (c.lower.length !== count) return refused(`expected ${count} answers to the lower bound, got ${c.lower.length}`);
  if (c.upper !== null && c.upper.length !== (full ? 0 : count)) {
    return refused(`expected ${full ? 0 : count} answers to the upper bound, got ${c.upper.length}`);
  }
  const digest = commitmentDigest(c);
  const [rowMap, colMap] = [lineMap(c, 'rows'), lineMap(c, 'cols')];
  for (let j = 0; j < count; j++) {
    const b = challenge(digest, 'lower', j, c.rank, c.p);
    // P·(A·(Q·x)) = b
    const ax = times(a, spread(colMap, c.lower[j], c.cols, c.p), c.p);
    const image = gather(rowMap, ax, c.rank, c.p);
    if (image.some((value, i) => value !== b[i]))
      return refused(`the answer to challenge ${j} of the lower bound is wrong`);
  }
  if (c.upper === null && !full) {
    return { holds: true, rank: c.rank, lowerBound: c.rank, upperBound: null, errorLog2: ERROR_LOG2, reason: '' };
  }
  for (let j = 0; !full && j < count; j++) {
    // A·(w − Q·y) = 0
    const w = challenge(digest, 'upper', j, c.cols, c.p);
    const qy = spread(colMap, c.upper![j], c.cols, c.p);
    const difference = w.map((value, i) => (value >= qy[i] ? value - qy[i] : value + c.p - qy[i]));
    if (times(a, difference, c.p).some((value) => value !== 0)) {
      return refused(`the answer to challenge ${j} of the upper bound is wrong`);
    }
  }
  return { holds: true, rank: c.rank, lowerBound: c.rank, upperBound: c.rank, errorLog2: ERROR_LOG2, reason: '' };
}

/** a·b mod p for p < 2^31: both partial products, and the sum, stay below 2^53. */
function mulMod(a: number, b: number, p: number): number {
  return (((a * (b >>> 16)) % p) * 65536 + a * (b & 65535)) % p;
}

/** A·x */
function times(a: ResidueMatrix, x: Uint32Array, p: number): Uint32Array {
  const y = new Uint32Array(a.rows);
  for (let i = 0; i < a.rows; i++) {
    let sum = 0;
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) sum = (sum + mulMod(a.values[k], x[a.colIdx[k]], p)) % p;
    y[i] = sum;
  }
  return y;
}

/** P·v for the map P: v has a value a line, the result one a place. */
function gather({ place, line, factor }: LineMap, v: Uint32Array, places: number, p: number): Uint32Array {
  const out = new Uint32Array(places);
  for (let e = 0; e < place.length; e++) out[place[e]] = (out[place[e]] + mulMod(factor[e], v[line[e]], p)) % p;
  return out;
}

/** Q·x = (the map's transpose)·x. */
function spread({ place, line, factor }: LineMap, x: Uint32Array, lines: number, p: number): Uint32Array {
  const out = new Uint32Array(lines);
  for (let e = 0; e < place.length; e++) out[line[e]] = (out[line[e]] + mulMod(factor[e], x[place[e]], p)) % p;
  return out;
}
