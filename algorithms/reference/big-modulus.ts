/**
 * Rank, determinant, minimal polynomial, systems and kernel of an integer matrix modulo a prime of any size: exact, on
 * arbitrary-precision integers. Sparse elimination is quick while the fill stays small; the minimal polynomial takes N³
 * operations.
 */
import { BigPrime } from '../../fields/big-prime.js';
import type { Field } from '../../fields/field.js';
import type { Integer } from '../../fields/integer.js';
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { krylovMinpoly } from './dense-elimination.js';
import {
  nullspaceResidues,
  type ResidueKernel,
  type ResidueSystem,
  type SolvedResidues,
  solveResidues,
} from './residue-systems.js';
import { applyRows, sparseRows } from './rows.js';
import { eliminateSparse, sparseRankReference } from './sparse-elimination.js';

/** rank of A mod p; `check` is called often and may throw to stop the work. */
export function rankBig(matrix: SparseMatrix, p: bigint, check?: () => void): number {
  const F = new BigPrime(p);
  return sparseRankReference(F, sparseRows(F, matrix.residuesBig(p)), check);
}

/** det A mod p in [0, p), A square. */
export function detBig(matrix: SparseMatrix, p: bigint, check?: () => void): bigint {
  checkSquare('det', matrix);
  const F = new BigPrime(p);
  return F.to(eliminateSparse(F, sparseRows(F, matrix.residuesBig(p)), matrix.cols, check).determinant);
}

/** The monic minimal polynomial of A mod p, constant term first, A square. */
export function minpolyBig(matrix: SparseMatrix, p: bigint, check?: () => void): bigint[] {
  checkSquare('minpoly', matrix);
  const F = new BigPrime(p);
  const rows = sparseRows(F, matrix.residuesBig(p));
  return krylovMinpoly(F, matrix.rows, (x) => {
    check?.();
    return applyRows(F, rows, x);
  }).map((c) => F.to(c));
}

/**
 * X with A·X = B mod p, B rows × s and row-major, or a proof that a column has none; uniform if `seed` is one.
 */
export function solveBig(
  matrix: SparseMatrix,
  B: readonly bigint[],
  s: number,
  p: bigint,
  seed: bigint | null,
): SolvedResidues<bigint[]> {
  const system = bigSystem(matrix, p);
  return solveResidues(system, B, s, seed === null ? undefined : randomIntegers(system.F, seed));
}

/** The kernel of A mod p, or of Aᵀ: a basis, or `vectors` uniform ones over `seed`. */
export function nullspaceBig(
  matrix: SparseMatrix,
  p: bigint,
  { left, vectors, seed }: { readonly left: boolean; readonly vectors: number | null; readonly seed: bigint },
): ResidueKernel<bigint[]> {
  const system = bigSystem(matrix, p);
  const drawn = vectors === null ? undefined : { count: vectors, random: randomIntegers(system.F, seed) };
  return nullspaceResidues(system, left, drawn);
}

function bigSystem(matrix: SparseMatrix, p: bigint): ResidueSystem<Integer, bigint[]> {
  const F = new BigPrime(p);
  return { F, a: matrix.residuesBig(p), pack: (elements) => elements.map((x) => F.to(x)) };
}

function randomIntegers(F: Field<Integer>, seed: bigint): () => Integer {
  const random = new CounterRandom(deriveSeed(seed, 'solution'), 0);
  let drawn = 0;
  return () => F.from(random.bigResidueAt(drawn++, F.modulus));
}

function checkSquare(who: string, matrix: SparseMatrix): void {
  if (matrix.rows !== matrix.cols)
    throw new StructureError(`${who}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
}
