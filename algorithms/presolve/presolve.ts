/**
 * A matrix mod p made ready for the methods that begin with structural pivots, without arithmetic on rows:
 *
 *   rank = pivotsTaken + rank of `a`
 *   `a` : no empty rows and columns, none parallel, only pivots that others depend on
 *
 * The steps: empty and parallel lines are dropped and structural pivots found. Where the estimate of the rest is long,
 * the pivots beside the core (core.ts) are taken with their lines, and the steps begin again while each turn drops a
 * good share. They end where the pivots are all there is, or as many as are asked for.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { cheapest, type Estimates } from '../estimates.js';
import { coreOf } from './core.js';
import { distinctLines, restrict } from './distinct-lines.js';
import { type PivotSearch, type StructuralPivots, structuralPivots } from './structural-pivots.js';
import { vanishingLog2 } from './vanishing.js';

export interface Presolved extends StructuralPivots {
  readonly a: ResidueMatrix;
  readonly at: ResidueMatrix;
  readonly pivotsTaken: number;
  readonly sparsePivots: number; // of those taken, the first ones (elimination/markowitz-trial.ts)
  /** log2 of the error of the pivots being all there is (vanishing.ts); null where that is not known. */
  readonly vanishingLog2: number | null;
  /** The steps that changed the matrix, a line each. */
  readonly explanation: readonly string[];
  readonly seconds: number;
}

/** The steps begin again when the core drops this share of the entries. */
const WORTH = 1 / 16;

/**
 * Estimated seconds from which on the core is searched for, which takes as long as the search for pivots; and of an
 * elimination from which on random vectors come first.
 */
const LONG = 0.1;

/** Pivots that leave a larger share of the shorter side's lines are hardly all there is. */
const MUCH = 1 / 4;

export interface PresolveOptions {
  /** Estimated seconds of the rest from which on the core is searched for. */
  readonly long?: number;
  /** Of random vectors, by which the pivots may be shown to be all there is; none are taken without it. */
  readonly seed?: bigint;
  /** Pivots that prove so much are enough. */
  readonly atLeast?: number | undefined;
  /** Of the same matrix modulo other primes, or of the run that goes on. */
  readonly known?: PivotSearch | undefined;
}

export function presolve(
  F: WordPrime,
  matrix: ResidueMatrix,
  estimates: Pick<Estimates, 'costsLeft'>,
  { long = LONG, seed, atLeast = Number.POSITIVE_INFINITY, known }: PresolveOptions = {},
): Presolved {
  const start = performance.now();
  const explanation: string[] = [];
  let pivotsTaken = 0;
  for (let rest = matrix; ; ) {
    const { a, at, explanation: dropped } = distinctLines(F, rest);
    const { length } = rest.colIdx;
    explanation.push(...dropped);
    let vanishing: number | null = null;
    const provesEnough = ({ matching }: StructuralPivots): boolean => pivotsTaken + matching.size >= atLeast;
    const test = (found: StructuralPivots): boolean => {
      const { matching, pivots } = found;
      if (provesEnough(found)) return true;
      if (seed === undefined || isMuchLeft({ a, matching })) return false;
      // A short elimination proves the rank.
      if (estimates.costsLeft(a, matching.size).elimination <= LONG) return false;
      vanishing = vanishingLog2(F, a, at, pivots, seed);
      return vanishing !== null;
    };
    const found = known ? known.find(a, at, test) : structuralPivots(a, at, test);
    const isEnough = found.matching.size === Math.min(a.rows, a.cols) || vanishing !== null || provesEnough(found);
    const little = isEnough || cheapest(estimates.costsLeft(a, found.matching.size)) < long;
    const core = little ? null : coreOf(a, at, found.matching);
    if (core === null || core.entries > (1 - WORTH) * length) {
      const seconds = (performance.now() - start) / 1000;
      return { a, at, pivotsTaken, sparsePivots: 0, ...found, vanishingLog2: vanishing, explanation, seconds };
    }
    pivotsTaken += core.pivots;
    rest = restrict(a, core.rows, core.cols);
    explanation.push(
      `${core.pivots} pivots of ${a.rows} x ${a.cols} on which nothing depends leave ${rest.rows} x ${rest.cols}`,
    );
  }
}

/** Whether pivots leave so much that random vectors hardly show the rank of the rest. */
export function isMuchLeft({ a, matching }: Pick<Presolved, 'a' | 'matching'>): boolean {
  const most = Math.min(a.rows, a.cols);
  return most - matching.size > MUCH * most;
}

/** Whether a matrix comes with its pivots. */
export function isPresolved(given: ResidueMatrix | Presolved): given is Presolved {
  return 'matching' in given;
}
