/**
 * The rank of a sparse matrix mod p by elimination, deterministic and proved: rounds of structural pivots, each followed by
 * the Schur complement, and a dense elimination where fill has made it dense or small.
 *
 *   rank A = Σ pivots of the rounds + rank of the last Schur complement
 *
 * A round looks for pivots without arithmetic (structural-pivots.ts), forms some rows of the Schur complement S to see how full
 * they are, and then all of them, sparse for another round or dense for the end. Rows of pivots are never looked at again.
 * Source: Bouillaguet and Delaplace 2016 (rounds of structural pivots, the Schur complement row by row).
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { type ResidueMatrix, transposed } from '../../kernels/residue-matrix.js';
import { SchurRows } from '../../kernels/schur-rows.js';
import type { Team } from '../../kernels/team.js';
import { withoutEmptyLines } from '../block-wiedemann/empty-lines.js';
import { MethodError } from '../method-error.js';
import { type FormRows, rankOfDenseRows } from './dense-rows.js';
import { structuralPivots } from './structural-pivots.js';

export interface EliminationOptions {
  /** Bytes that Schur complements and dense rows may take; default 2 GiB. */
  readonly maxBytes?: number | undefined;
  /** Stop as soon as the pivots found prove so much. */
  readonly atLeast?: number | undefined;
  /** Throws when the run is to end. */
  readonly check?: (() => void) | undefined;
  readonly onPhase?: ((phase: Phase) => void) | undefined;
}

type Phase = 'pivots' | 'schur' | 'dense';

export interface EliminationResult {
  readonly rank: number; // exact when `complete`, otherwise a proved lower bound
  readonly complete: boolean;
  readonly seconds: Readonly<Record<string, number>>;
  readonly explanation: readonly string[];
}

/** Rows of S that are formed to estimate the rest. */
const SAMPLE = 64;

/** Fuller Schur complements are eliminated as dense ones: a multiplication of a dense product costs a thirtieth. */
const DENSE_SHARE = 1 / 20;

/** Multiplications of a dense elimination that is quicker than another round whatever the share of entries is: 50 ms. */
const DENSE_WORK = 2 ** 30;

export function eliminationRank(
  team: Team,
  field: WordPrime,
  matrix: ResidueMatrix,
  options: EliminationOptions = {},
): EliminationResult {
  const { maxBytes = 2 ** 31, atLeast = Number.POSITIVE_INFINITY, check = () => {} } = options;
  const seconds: Record<Phase, number> = { pivots: 0, schur: 0, dense: 0 };
  const explanation: string[] = [];
  const timed = <T>(phase: Phase, work: () => T): T => {
    check();
    options.onPhase?.(phase);
    const start = performance.now();
    const value = work();
    seconds[phase] += (performance.now() - start) / 1000;
    return value;
  };
  const found = (rank: number, complete = true): EliminationResult => {
    return { rank, complete, seconds, explanation };
  };

  let a = withoutEmptyLines(matrix);
  for (let rank = 0; ; ) {
    const shortest = Math.min(a.rows, a.cols);
    if (shortest === 0) return found(rank);
    const { matching, pivots } = timed('pivots', () => structuralPivots(a, transposed(a)));
    const size = pivots.rows.length;
    rank += size;
    explanation.push(`${size} structural pivots of ${a.rows} x ${a.cols} with ${a.values.length} entries`);
    if (size === shortest) return found(rank);
    if (rank >= atLeast) return found(rank, false);
    // Their order has the last to be eliminated first.
    const order = { rows: pivots.rows.slice().reverse(), cols: pivots.cols.slice().reverse() };
    const rest = Uint32Array.from({ length: a.rows }, (_, i) => i).filter((i) => matching.colOf[i] < 0);
    const schur = new SchurRows(team, field, a, order);
    try {
      const entries = timed('schur', () => estimated(schur, rest));
      const share = entries / rest.length / schur.cols;
      const work = rest.length * schur.cols * Math.min(rest.length, schur.cols);
      if (share > DENSE_SHARE || work < DENSE_WORK) {
        explanation.push(`dense elimination of ${rest.length} x ${schur.cols}, ${percent(share)} full`);
        const form: FormRows = (first, rows, to, at) => {
          timed('schur', () => schur.dense(rest.subarray(first, first + rows), to, at));
        };
        const before = seconds.schur;
        const more = timed('dense', () => rankOfDenseRows(team, field, rest.length, schur.cols, form, maxBytes));
        seconds.dense -= seconds.schur - before;
        return found(rank + more);
      }
      if (12 * entries > maxBytes) throw new MethodError(tooMuch(rest.length, schur.cols, entries, maxBytes));
      explanation.push(`Schur complement ${rest.length} x ${schur.cols}, about ${percent(share)} full`);
      a = withoutEmptyLines(timed('schur', () => schur.sparse(rest, check)));
    } finally {
      schur.release();
    }
  }
}

/** Entries of all rows of S, from some of them. */
function estimated(schur: SchurRows, rest: Uint32Array): number {
  const count = Math.min(SAMPLE, rest.length);
  const sample = Uint32Array.from({ length: count }, (_, t) => rest[Math.floor(((t + 0.5) * rest.length) / count)]);
  return (schur.sparse(sample).values.length / count) * rest.length;
}

function percent(share: number): string {
  return `${(100 * share).toPrecision(2)} %`;
}

function tooMuch(rows: number, cols: number, entries: number, maxBytes: number): string {
  const [need, have] = [12 * entries, maxBytes].map((bytes) => Math.round(bytes / 2 ** 20));
  return `method elimination: the ${rows} x ${cols} Schur complement takes about ${need} MB, allowed are ${have}`;
}
