/** The pivots with whose Schur complement a GPU is quickest: of as few depths as a longer sequence is worth. */
import type { WordPrime } from '../../fields/word-prime.js';
import type { Substitutions } from '../estimates.js';
import type { Pivots } from '../presolve/pattern.js';
import type { Presolved } from '../presolve/presolve.js';
import { shallowPivots } from '../presolve/shallow-pivots.js';
import type { StructuralPivots } from '../presolve/structural-pivots.js';
import { stepSeconds } from './gpu-costs.js';

/**
 * The rank that the Schur complement is taken to have, as a share of its shorter side: between those that were measured
 * (test/bench/RESULTS.md#gpu-substitution). The larger that rank, the more pivots are worth a shorter product.
 */
const RANK = 0.1;

type Pivoted = Pick<Presolved, 'a' | 'matching' | 'pivots'>;

/** The choice asks for them more than once. */
const found = new WeakMap<Pivoted['pivots'], StructuralPivots>();

/** The same for the same matrix, whatever GPU there is, so that a kept run goes on with any device. */
export function pivotsForGpu<P extends Pivoted>(field: WordPrime, presolved: P): P {
  const { a, pivots } = presolved;
  let shallow = found.get(pivots);
  if (shallow === undefined) {
    shallow = shallowPivots(a, presolved, secondsOf(field, presolved));
    found.set(pivots, shallow);
  }
  return { ...presolved, ...shallow };
}

/** The pivots that are given up, in words. */
export function linesOfLost(all: Pivots, taken: Pivots): readonly string[] {
  const [found, left] = [all, taken].map(({ rows }) => rows.length);
  const [was, is] = [all, taken].map(({ depths }) => depths.length - 1);
  return left === found ? [] : [`${found - left} of ${found} pivots are given up: ${is} deep in place of ${was}`];
}

/** What a product with the Schur complement of these pivots takes. */
export function substitutionOf({ matching, pivots }: Pick<Pivoted, 'matching' | 'pivots'>): Substitutions {
  return { pivots: matching.size, levels: pivots.depths.length - 1 };
}

function secondsOf(field: WordPrime, { a, matching }: Pivoted): (lost: number, levels: number) => number {
  const { size } = matching;
  const [rows, cols] = [a.rows - size, a.cols - size];
  const rank = RANK * Math.min(rows, cols);
  const nnz = a.colIdx.length;
  const [flat, deep] = [0, 1].map((levels) => stepSeconds(field, rows, cols, nnz, { pivots: size, levels }));
  return (lost, levels) => (rank + lost) * (flat + levels * (deep - flat));
}
