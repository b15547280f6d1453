/**
 * A trial of sparse pivots (markowitz.ts): the matrix after as many of them as pay, with structural pivots found anew.
 *
 *   w(R, C, nnz) : seconds for the rank of such a matrix by elimination or block Wiedemann, without pivots
 *                  (methods/costs.ts)
 *
 * Meshes, bands, geometric graphs and linear programs end with next to nothing left, where structural pivots alone
 * leave a full Schur complement. On random matrices fill wins: structural pivots, applied but never multiplied out,
 * leave as few rows with a fraction of the entries. Where w would rise from the first pivot on, no trial begins
 * (test/bench/RESULTS.md#sparse-pivots). A trial is given up
 *
 *   when w has risen
 *   when the operations are spent
 *   when w, falling twice as fast as while the operations last doubled, would not come down to what there is to gain
 *
 * and costs an eighth of the expected time at most.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Costs, Estimates, Measurements } from '../estimates.js';
import { type Presolved, presolve } from '../presolve/presolve.js';
import type { EliminationRecord } from './elimination-record.js';
import { Markowitz } from './markowitz.js';

const SHARE = 1 / 8;
const GAIN = 3 / 4;
const OPERATION = 1.5e-8; // seconds
const START = 0.03; // seconds until it runs at that rate: code that is met for the first time is slow

/** Operations an entry below which an attempt would end before anything can be seen. */
const LEAST = 8;

/** Pivots between two looks at w, and how far above the least it may rise. */
const PATIENCE = 64;
const TOLERANCE = 1.05;

/** Operations of going on to the end, in nnz² / N: rows fill up while there are fewer of them. */
const TO_THE_END = 3;

export interface TrialOptions extends Measurements {
  readonly check?: (() => void) | undefined;
  readonly maxBytes?: number | undefined;
  /** Of the run; default 1. */
  readonly threads?: number | undefined;
  /** Takes down the factors. */
  readonly record?: EliminationRecord | undefined;
}

/**
 * `goal`: what there is to gain, of the costs of all methods. Null where sparse pivots do not make it much less, or
 * their lists would take more than `maxBytes`.
 */
export function markowitzTrial(
  F: WordPrime,
  presolved: Presolved,
  estimates: Estimates,
  goal: (costs: Costs) => number,
  options: TrialOptions = {},
): Presolved | null {
  if (presolved.sparsePivots > 0) return null;
  const start = performance.now();
  const { gpu } = options;
  const tried = sparsePivots(F, presolved, estimates, goal, options);
  if (tried === null) return null;
  const { run, seconds } = tried;
  const found = presolveRest(F, presolved, run, estimates, start);
  return goal(estimates.costsLeft(found.a, found.matching.size, { gpu })) > GAIN * seconds ? null : found;
}

/** What a trial that took so many pivots has found. */
export function takeSparsePivots(F: WordPrime, presolved: Presolved, estimates: Estimates, pivots: number): Presolved {
  const start = performance.now();
  return presolveRest(F, presolved, runSparsePivots(F, presolved, pivots), estimates, start);
}

/** Sparse pivots, so many. */
export function runSparsePivots(F: WordPrime, { a, at }: Pick<Presolved, 'a' | 'at'>, pivots: number): Markowitz {
  const run = new Markowitz(F, a, at);
  while (run.pivots < pivots && run.nnz > 0) run.step();
  return run;
}

function presolveRest(
  F: WordPrime,
  presolved: Presolved,
  run: Markowitz,
  estimates: Estimates,
  start: number,
): Presolved {
  const found = presolve(F, run.rest(), estimates);
  return {
    ...found,
    sparsePivots: run.pivots,
    pivotsTaken: presolved.pivotsTaken + run.pivots + found.pivotsTaken,
    explanation: [sparsePivotsLine(presolved.a, run), ...found.explanation],
    seconds: (performance.now() - start) / 1000,
  };
}

/** In words. */
export function sparsePivotsLine(a: ResidueMatrix, run: Markowitz): string {
  const left = `${run.rows} x ${run.cols} with ${run.nnz} entries`;
  return `${run.pivots} sparse pivots of ${a.rows} x ${a.cols} leave ${left}`;
}

/** Sparse pivots that seem to pay, and the seconds to gain without them; null where they do not. */
export function sparsePivots(
  F: WordPrime,
  { a, at, matching }: Pick<Presolved, 'a' | 'at' | 'matching'>,
  estimates: Estimates,
  goal: (costs: Costs) => number,
  { check = () => {}, maxBytes = Number.POSITIVE_INFINITY, threads = 1, record, ...measurements }: TrialOptions = {},
): { readonly run: Markowitz; readonly seconds: number } | null {
  const seconds = goal(estimates.costsLeft(a, matching.size, measurements));
  const most = operationsWorth(seconds, estimates.speedup(threads));
  if (most < LEAST * a.colIdx.length) return null;
  const { gpu } = measurements;
  const costsOf = (rows: number, cols: number, nnz: number): Costs => estimates.costs(rows, cols, nnz, { gpu });
  let least = worth(costsOf(a.rows, a.cols, a.colIdx.length));
  if (worth(costsOf(a.rows - 1, a.cols - 1, a.colIdx.length + leastFill(a, at))) > least) return null;
  const run = new Markowitz(F, a, at, record);
  let [mark, before, last] = [a.colIdx.length, least, least];
  for (let step = 1; run.nnz > 0 && run.operations <= most; step++) {
    run.step();
    if (step % PATIENCE !== 0) continue;
    check();
    // Lists that are full are copied to twice the room: three times what there is.
    if (3 * run.bytes > maxBytes) return null;
    const explicit = costsOf(run.rows, run.cols, run.nnz);
    const w = worth(explicit);
    last = w;
    if (w > TOLERANCE * least) break;
    least = Math.min(least, w);
    if (explicit.elimination < (TO_THE_END * OPERATION * run.nnz ** 2) / Math.min(run.rows, run.cols)) break;
    if (run.operations < mark) continue;
    if (w * (w / before) ** (2 * Math.log2(most / run.operations)) > seconds) break;
    [mark, before] = [2 * run.operations, w];
  }
  return run.nnz > 0 && last > seconds ? null : { run, seconds };
}

/**
 * Operations that may be spent where `seconds` of one thread are left to do; below 0 where that is little. One thread
 * does them, in which time all threads would do `speedup` times as much.
 */
export function operationsWorth(seconds: number, speedup: number): number {
  return ((SHARE * seconds) / speedup - START) / OPERATION;
}

/** w, for the two methods that need no pivots. */
function worth({ elimination, wiedemann }: Costs): number {
  return Math.min(elimination, wiedemann);
}

/** Entries that come in addition if a shortest row and a shortest column meet in the first pivot. */
function leastFill(a: ResidueMatrix, at: ResidueMatrix): number {
  const [row, col] = [shortest(a), shortest(at)];
  return (row - 1) * (col - 1) - (row + col - 1);
}

function shortest({ rows, rowPtr }: ResidueMatrix): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < rows; i++) least = Math.min(least, rowPtr[i + 1] - rowPtr[i]);
  return least;
}
