/**
 * Whether the Schur complement S of structural pivots is zero, by random vectors in plain numbers: where peeling finds
 * as many pivots as the rank is, as in chessboard complexes, a rank needs no more, neither kernels nor threads
 * (test/bench/RESULTS.md#pivots-alone).
 *
 *   v : uniform at the columns without pivots, and at the others, in the pivots' order, so that their rows vanish on v
 *   S·x : the products of the rows without pivots with v (schur/schur-complement.ts)
 *   of a wide matrix the same of the transpose, whose v is shorter
 *
 * S·x = 0 for a uniform x has probability at most 1/p unless S = 0, so that w vectors err with p^−w, and a product that
 * is not 0 proves S ≠ 0. Vectors are taken in turns, each a pass over A. There is a turn more than the error asks for,
 * so that an error of memory during one of them makes no claim wrong.
 */
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import { minusInverses } from './minus-inverses.js';
import { linesBeside, type PivotPlaces, reversePivots } from './pattern.js';
import { RowSums } from './row-sums.js';

/** Rows that are looked at as soon as what they need of v is known: mostly one of them shows that S is not zero. */
const EARLY = 64;

/** log2 of the error that a claim may have, and turns for it at most: kernels take more vectors sooner. */
const WANTED_LOG2 = -60;
const MOST_TURNS = 3;

/**
 * log2 of the probability that S is not zero; null where it is not, or where p is small and many vectors are needed.
 * `at` is the transpose of `a`.
 */
export function vanishingLog2(
  F: WordPrime,
  a: ResidueMatrix,
  at: ResidueMatrix,
  pivots: PivotPlaces,
  seed: bigint,
): number | null {
  return a.cols > a.rows ? vanishing(F, at, reversePivots(pivots), seed) : vanishing(F, a, pivots, seed);
}

function vanishing(F: WordPrime, a: ResidueMatrix, { rows, cols }: PivotPlaces, seed: bigint): number | null {
  const sums = new RowSums(F, a);
  const { vectors } = sums;
  const turns = Math.ceil(-WANTED_LOG2 / (vectors * Math.log2(F.p)));
  if (turns > MOST_TURNS) return null;
  const place = new Int32Array(a.cols).fill(-1);
  markPlaces(cols, place);
  const [others, free] = [linesBeside(rows, a.rows), linesBeside(cols, a.cols)];
  const early = someByNeed(a, others, place);
  const factors = new Uint32Array(rows.length);
  const drawn = new Uint32Array(vectors * free.length);
  const v = sums.block();
  for (let turn = 0; turn <= turns; turn++) {
    new CounterRandom(deriveSeed(seed, 'vanishing', turn), 0).fillResidues(drawn, F.p);
    if (turn > 0) v.fill(0);
    sums.spread(drawn, free, v);
    let known = 0; // pivots whose entries of v are
    const extendTo = (count: number): void => {
      const next = { rows: rows.subarray(known, count), cols: cols.subarray(known, count) };
      if (turn === 0) factors.set(minusInverses(F, a, next), known);
      sums.extend(v, next, factors.subarray(known, count));
      known = count;
    };
    for (const { row, need } of turn === 0 ? early : []) {
      extendTo(Math.max(known, need));
      if (!isOrthogonal(sums, Uint32Array.of(row), v)) return null;
    }
    extendTo(rows.length);
    if (!isOrthogonal(sums, others, v)) return null;
  }
  return -turns * vectors * Math.log2(F.p);
}

/** Some rows without pivots, and how many pivots v has to know for each, those of few first. */
function someByNeed({ rowPtr, colIdx }: ResidueMatrix, others: Uint32Array, place: Int32Array) {
  const count = Math.min(EARLY, others.length);
  const some = Array.from({ length: count }, (_, k) => {
    const row = others[Math.floor((k * others.length) / count)];
    const need = 1 + colIdx.subarray(rowPtr[row], rowPtr[row + 1]).reduce((most, j) => Math.max(most, place[j]), -1);
    return { row, need };
  });
  return some.sort((x, y) => x.need - y.need);
}

function isOrthogonal(sums: RowSums, rows: Uint32Array, v: Uint32Array): boolean {
  for (let k = 0; k < rows.length; k++) {
    sums.take(rows[k], v);
    if (!sums.areZero()) return false;
  }
  return true;
}

// A loop of its own: kernels/sparse/residue-matrix.ts.

/** The place of each column's pivot. */
function markPlaces(cols: Uint32Array, place: Int32Array): void {
  for (let k = 0; k < cols.length; k++) place[cols[k]] = k;
}
