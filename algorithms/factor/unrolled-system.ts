/**
 * Forward and backward substitution as sparse triangles, whose elimination makes sparse vectors of the kernel.
 *
 *   y : what the rounds make forward     x : what they make backward, M⁻¹·b     z : the part of x at the dense end
 *   W·w = (b, 0), W lower triangular, w the unknowns in order       E : where w stands in the columns of the outcome
 *
 *   [Wᵀ E; Hᵀ G] with b in the rows of Hᵀ : the Schur complement of Wᵀ is G − Hᵀ·W⁻ᵀ·E, a row for each b
 *
 *   forward    w = y, E : the entries of the y in the equations of the dense end, G = b there: what is left of b
 *   complete   w = (y, z, x), z given; E : 1 where an x stands in the columns of A, G = e: the vector e − x
 *
 * A structural round (blocks.ts) has F·x = F·y − right·(later x), an eliminated one B·x = y − right·(later x). A last
 * round without a dense end needs no second pass: its y are its x.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { RoundBlocks, Triangle } from './blocks.js';
import { GrowingMatrix } from './growing-matrix.js';

export interface UnrolledSystem {
  readonly unknowns: number; // rows, and the first columns
  readonly matrix: ResidueMatrix; // [Wᵀ E], columns of a row in any order
  readonly equations: Uint32Array; // the column of b's entry at each pivot
}

/** The pivots of the rounds come first, those of the dense end last. */
export interface Rounds {
  readonly blocks: readonly RoundBlocks[];
  readonly rank: number; // of both
  readonly ending: number; // of the dense end
}

export function unrollForward({ blocks, rank, ending }: Rounds): UnrolledSystem {
  const equations = new Uint32Array(rank);
  const unknowns = numberForward(equations, blocks);
  for (let t = 0; t < ending; t++) equations[rank - ending + t] = unknowns + t;
  const entries = new GrowingMatrix();
  for (const { first, size, forward, below } of blocks) {
    addBlock(entries, forward.matrix, equations, first, equations, first);
    addBlock(entries, below, equations, first + size, equations, first);
  }
  return { unknowns, matrix: entries.toRows(unknowns, unknowns + ending), equations };
}

/** `pivotCols`: the columns of A at which the pivots stand; b at the dense end is the z that is given. */
export function unrollAll(
  F: WordPrime,
  { blocks, rank, ending }: Rounds,
  cols: number,
  pivotCols: Uint32Array,
): UnrolledSystem {
  const endFirst = rank - ending;
  const [equations, places] = [new Uint32Array(rank), new Uint32Array(rank)];
  let unknowns = numberForward(equations, blocks);
  for (let k = endFirst; k < rank; k++) equations[k] = places[k] = unknowns++;
  for (const round of blocks.slice().reverse()) {
    const { first, size, forward, backward } = round;
    if (isOnce(round, rank)) places.set(equations.subarray(first, first + size), first);
    else unknowns = number(places, first, size, backward ?? forward, unknowns);
  }
  const entries = new GrowingMatrix();
  for (const round of blocks) {
    const { first, size, forward, backward, below, right } = round;
    addBlock(entries, forward.matrix, equations, first, equations, first);
    addBlock(entries, below, equations, first + size, equations, first, endFirst - first - size);
    addBlock(entries, right, places, first, places, first + size);
    if (isOnce(round, rank)) continue;
    addBlock(entries, (backward ?? forward).matrix, places, first, places, first);
    if (backward === null) addBlock(entries, negate(F, forward.matrix), places, first, equations, first);
    else for (let k = first; k < first + size; k++) entries.add(equations[k], places[k], F.neg(1));
  }
  for (let k = endFirst; k < rank; k++) entries.add(equations[k], equations[k], 1);
  for (let k = 0; k < rank; k++) entries.add(places[k], unknowns + pivotCols[k], 1);
  return { unknowns, matrix: entries.toRows(unknowns, unknowns + cols), equations };
}

function isOnce({ first, size, backward }: RoundBlocks, rank: number): boolean {
  return backward === null && first + size === rank;
}

/** Numbers of the y by pivots; returns how many there are. */
function numberForward(to: Uint32Array, blocks: readonly RoundBlocks[]): number {
  let next = 0;
  for (const { first, size, forward } of blocks) next = number(to, first, size, forward, next);
  return next;
}

/** to[first …] ← numbers from `next` on, in the order in which the triangle is solved; returns the next number. */
function number(to: Uint32Array, first: number, size: number, { isLower }: Triangle, next: number): number {
  for (let k = 0; k < size; k++) to[first + (isLower ? k : size - 1 - k)] = next++;
  return next;
}

/** `most` rows of a block of W: row i is equations[firstRow + i], column j is unknowns[firstCol + j]. */
function addBlock(
  entries: GrowingMatrix,
  { rows, rowPtr, colIdx, values }: ResidueMatrix,
  equations: Uint32Array,
  firstRow: number,
  unknowns: Uint32Array,
  firstCol: number,
  most = rows,
): void {
  for (let i = 0; i < most; i++) {
    const equation = equations[firstRow + i];
    for (let k = rowPtr[i], end = rowPtr[i + 1]; k < end; k++) {
      entries.add(unknowns[firstCol + colIdx[k]], equation, values[k]);
    }
  }
}

function negate(F: WordPrime, matrix: ResidueMatrix): ResidueMatrix {
  return { ...matrix, values: matrix.values.map((value) => F.neg(value)) };
}
