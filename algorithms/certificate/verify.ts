/**
 * Whether a rank certificate holds for a matrix: a few sparse products, in plain TypeScript. It rests on the format, the
 * challenges and the maps, which the prover must keep to as well, and on `fields`; on nothing that finds an answer.
 *
 *   lower  P·A·Q·x = b for b uniform over E: were P·A·Q singular, its image would hold b with probability at most 1/q.
 *          Nonsingular, it has r columns in the image of P·A: rank A ≥ r.
 *   upper  A·Q·y = A·w for w uniform: were rank A > r ≥ rank A·Q, A·w, uniform in the image of A, would lie in that of
 *          A·Q, a proper subspace, with probability at most 1/q. When r is the least of rows and columns nothing is needed.
 *
 * Each bound is tried on as many challenges as make q^-count ≤ 2^-64. Sources: Dumas, Kaltofen 2014 (nonsingularity, and
 * rank by it); Eberly 2015 (the upper bound by random members of the image).
 */
import type { Field } from '../../fields/field.js';
import { isPrime } from '../../fields/primality.js';
import type { ResidueMatrix } from '../../kernels/residue-matrix.js';
import { certificateField } from './certificate-field.js';
import { challenge, challengeCount, commitmentDigest, ERROR_LOG2, matrixDigest } from './challenges.js';
import { type LineMap, lineMap } from './compression.js';
import type { RankCertificate } from './format.js';

export interface Verdict {
  readonly holds: boolean;
  readonly rank: number; // claimed
  readonly mod: bigint; // the prime it is about, to be compared with the one that is wanted
  readonly lowerBound: number | null; // what was shown
  readonly upperBound: number | null;
  readonly errorLog2: number; // of each bound shown, per commitment tried by the prover; see challenges.ts
  readonly reason: string; // why it does not hold, in words
}

/** `a` : the matrix mod the certificate's p, entries by rows, columns ascending, none zero. */
export function verifyRankCertificate(c: RankCertificate, a: ResidueMatrix): Verdict {
  const refused = (reason: string): Verdict => ({
    ...{
      holds: false,
      rank: c.rank,
      mod: BigInt(c.p),
      lowerBound: null,
      upperBound: null,
      errorLog2: ERROR_LOG2,
      reason,
    },
  });
  if (!isPrime(c.p)) return refused(`${c.p} is not prime`);
  if (a.rows !== c.rows || a.cols !== c.cols) {
    return refused(`the certificate is about a ${c.rows} x ${c.cols} matrix, this one is ${a.rows} x ${a.cols}`);
  }
  if (!matrixDigest(a, c.p).every((byte, i) => byte === c.matrix[i])) {
    return refused(`the certificate is about another matrix mod ${c.p}`);
  }
  const { field: F, q } = certificateField(c.p);
  const count = challengeCount(q);
  const full = c.rank === Math.min(c.rows, c.cols);
  if (c.lower.length !== count) return refused(`expected ${count} answers to the lower bound, got ${c.lower.length}`);
  if (c.upper !== null && c.upper.length !== (full ? 0 : count)) {
    return refused(`expected ${full ? 0 : count} answers to the upper bound, got ${c.upper.length}`);
  }
  const digest = commitmentDigest(c);
  const [rowMap, colMap] = [lineMap(c, 'rows'), lineMap(c, 'cols')];
  for (let j = 0; j < count; j++) {
    const b = challenge(digest, 'lower', j, c.rank, q);
    // P·(A·(Q·x)) = b
    const ax = times(F, a, spread(F, colMap, c.lower[j], c.cols));
    const image = gather(F, rowMap, ax, c.rank);
    if (image.some((value, i) => value !== b[i]))
      return refused(`the answer to challenge ${j} of the lower bound is wrong`);
  }
  if (c.upper === null && !full) {
    return {
      holds: true,
      rank: c.rank,
      mod: BigInt(c.p),
      lowerBound: c.rank,
      upperBound: null,
      errorLog2: ERROR_LOG2,
      reason: '',
    };
  }
  for (let j = 0; !full && j < count; j++) {
    // A·(w − Q·y) = 0
    const w = challenge(digest, 'upper', j, c.cols, q);
    const qy = spread(F, colMap, c.upper![j], c.cols);
    const difference = w.map((value, i) => F.sub(value, qy[i]));
    if (times(F, a, difference).some((value) => value !== 0)) {
      return refused(`the answer to challenge ${j} of the upper bound is wrong`);
    }
  }
  return {
    holds: true,
    rank: c.rank,
    mod: BigInt(c.p),
    lowerBound: c.rank,
    upperBound: c.rank,
    errorLog2: ERROR_LOG2,
    reason: '',
  };
}

/** A·x */
function times(F: Field<number>, a: ResidueMatrix, x: Uint32Array): Uint32Array {
  const y = new Uint32Array(a.rows);
  for (let i = 0; i < a.rows; i++) {
    let sum = F.zero;
    for (let k = a.rowPtr[i]; k < a.rowPtr[i + 1]; k++) sum = F.add(sum, F.mul(a.values[k], x[a.colIdx[k]]));
    y[i] = sum;
  }
  return y;
}

/** P·v for the map P: v has a value a line, the result one a place. */
function gather(F: Field<number>, { place, line, factor }: LineMap, v: Uint32Array, places: number): Uint32Array {
  const out = new Uint32Array(places);
  for (let e = 0; e < place.length; e++) out[place[e]] = F.add(out[place[e]], F.mul(factor[e], v[line[e]]));
  return out;
}

/** Q·x = (the map's transpose)·x. */
function spread(F: Field<number>, { place, line, factor }: LineMap, x: Uint32Array, lines: number): Uint32Array {
  const out = new Uint32Array(lines);
  for (let e = 0; e < place.length; e++) out[line[e]] = F.add(out[line[e]], F.mul(factor[e], x[place[e]]));
  return out;
}
