/**
 * Whether a rank certificate holds for a matrix: a few sparse products, in plain TypeScript. It rests on the format,
 * the challenges and the maps, which the prover must keep to as well, and on `fields`; on nothing that finds an answer.
 *
 *   lower  P·A'·Q·x = b for b uniform over E: were P·A'·Q singular, its image would hold b with probability at most
 *          1/q. Nonsingular, it has r columns in the image of P·A': rank A = rank A' ≥ r.
 *   upper  A'·Q·y = A'·w for w uniform: were rank A' > r ≥ rank A'·Q, A'·w, uniform in the image of A', would lie in
 *          that of A'·Q, a proper subspace, with probability at most 1/q. When r is the least of rows and columns of A'
 *          nothing is needed.
 *
 * Each bound is tried on as many challenges as make q^-count ≤ 2^-64. Sources: Dumas, Kaltofen 2014 (nonsingularity,
 * and rank by it); Eberly 2015 (the upper bound by random members of the image).
 */
import type { Field } from '../../fields/field.js';
import { isPrime } from '../../fields/primality.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { certificateField } from './certificate-field.js';
import { challenge, challengeCount, commitmentDigest, ERROR_LOG2 } from './challenges.js';
import { type LineMap, lineMap } from './compression.js';
import type { RankCertificate } from './format.js';
import { matrixDigest } from './matrix-digest.js';
import type { NonzeroPart } from './nonzero-part.js';

/** The caller's question: whether the rank is one number, by default the claimed one, or no less than it. */
export type Question = { readonly rank?: number | undefined } | { readonly atLeast: number };

export interface Verdict {
  /**
   * Whether the certificate shows what the question asks: without a question, that the rank is `rank`, neither less nor
   * more.
   */
  readonly holds: boolean;
  readonly rank: number; // claimed
  readonly mod: bigint; // the prime it is about
  readonly lowerBound: number | null; // what was shown, whether or not it was asked; null where nothing was
  readonly upperBound: number | null;
  readonly errorLog2: number; // of each bound shown, per commitment tried by the prover; see challenges.ts
  readonly reason: string; // why it does not hold, in words
}

/** `part` : of the matrix, mod the certificate's p. */
export function verifyRankCertificate(c: RankCertificate, part: NonzeroPart, question: Question = {}): Verdict {
  const shown = showBounds(c, part);
  const bounds = typeof shown === 'string' ? { lower: null, upper: null } : shown;
  const reason = typeof shown === 'string' ? shown : explainRefusal(shown, question);
  return {
    ...{ holds: reason === '', rank: c.rank, mod: BigInt(c.p) },
    ...{ lowerBound: bounds.lower, upperBound: bounds.upper, errorLog2: ERROR_LOG2, reason },
  };
}

/** A verdict that shows nothing, with its reason. */
export function refusal(c: RankCertificate, reason: string): Verdict {
  const bounds = { lowerBound: null, upperBound: null };
  return { holds: false, rank: c.rank, mod: BigInt(c.p), ...bounds, errorLog2: ERROR_LOG2, reason };
}

/** That it is about a matrix of other sizes, in words; null where it is not. */
export function otherSizes(c: RankCertificate, a: { readonly rows: number; readonly cols: number }): string | null {
  if (a.rows === c.rows && a.cols === c.cols) return null;
  return `the certificate is about a ${c.rows} x ${c.cols} matrix, this one is ${a.rows} x ${a.cols}`;
}

interface Bounds {
  readonly lower: number;
  readonly upper: number | null;
}

/** Why these bounds are no answer, '' where they are. */
function explainRefusal({ lower, upper }: Bounds, question: Question): string {
  if ('atLeast' in question) {
    return lower >= question.atLeast ? '' : `it shows rank ${lower}, not ${question.atLeast} or more`;
  }
  const { rank = lower } = question;
  if (rank !== lower) return `it shows rank ${lower}${upper === null ? ' or more' : ''}, not ${rank}`;
  return upper === null ? `it shows no more than rank ≥ ${lower}` : '';
}

/** The bounds that the answers show, or why they show none: one wrong answer refuses the whole. */
function showBounds(c: RankCertificate, part: NonzeroPart): Bounds | string {
  const { inner: a } = part;
  if (!isPrime(c.p)) return `${c.p} is not prime`;
  const other = otherSizes(c, part);
  if (other !== null) return other;
  if (!matrixDigest(part, c.p).every((byte, i) => byte === c.matrix[i])) {
    return `the certificate is about another matrix mod ${c.p}`;
  }
  const most = Math.min(a.rows, a.cols);
  if (c.rank > most) return `expected a rank of at most ${most}, the nonzero rows or columns, got ${c.rank}`;
  for (const [name, pivots, size] of [
    ['rows', c.pivotRows, a.rows],
    ['columns', c.pivotCols, a.cols],
  ] as const) {
    const beyond = pivots.find((line) => line >= size);
    if (beyond !== undefined) return `expected pivots among ${size} nonzero ${name}, got number ${beyond}`;
  }
  const { field: F, q } = certificateField(c.p);
  const count = challengeCount(q);
  const full = c.rank === most;
  if (c.lower.length !== count) return `expected ${count} answers to the lower bound, got ${c.lower.length}`;
  if (c.upper === null ? full : c.upper.length !== (full ? 0 : count)) {
    return `expected ${full ? 0 : count} answers to the upper bound, got ${c.upper?.length ?? 'null'}`;
  }
  const digest = commitmentDigest(c);
  const [rowMap, colMap] = [lineMap(c, 'rows', a.rows), lineMap(c, 'cols', a.cols)];
  for (let j = 0; j < count; j++) {
    const b = challenge(digest, 'lower', j, c.rank, q);
    // P·(A'·(Q·x)) = b
    const ax = times(F, a, spread(F, colMap, c.lower[j], a.cols));
    const image = gather(F, rowMap, ax, c.rank);
    if (image.some((value, i) => value !== b[i])) return `the answer to challenge ${j} of the lower bound is wrong`;
  }
  if (c.upper === null) return { lower: c.rank, upper: null };
  for (let j = 0; !full && j < count; j++) {
    // A'·(w − Q·y) = 0
    const w = challenge(digest, 'upper', j, a.cols, q);
    const qy = spread(F, colMap, c.upper[j], a.cols);
    const difference = w.map((value, i) => F.sub(value, qy[i]));
    if (times(F, a, difference).some((value) => value !== 0)) {
      return `the answer to challenge ${j} of the upper bound is wrong`;
    }
  }
  return { lower: c.rank, upper: c.rank };
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
