/**
 * Rank, determinant, minimal polynomial, systems and kernel of an integer matrix modulo a prime of any size: exact, on
 * arbitrary-precision integers. Sparse elimination is quick while the fill stays small; the minimal polynomial takes N³
 * operations.
 */
import { BigPrime } from '../../fields/big-prime.js';
import type { Integer } from '../../fields/integer.js';
import { CounterRandom, deriveSeed } from '../../fields/random.js';
import { StructureError } from '../../kernels/errors/structure-error.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { krylovMinpoly } from './dense-elimination.js';
import type { HeapGuard } from './heap-guard.js';
import { ResidueFactors } from './residue-systems.js';
import { applyRows, sparseRows } from './rows.js';
import { eliminateSparse, sparseRankReference } from './sparse-elimination.js';

/** rank of A mod p; `check` is called often, with the elements that are held, and may throw to stop the work. */
export function rankBig(matrix: SparseMatrix, p: bigint, check?: HeapGuard): number {
  const F = new BigPrime(p);
  return sparseRankReference(F, sparseRows(F, matrix.residuesBig(p)), check);
}

/** det A mod p in [0, p), A square. */
export function detBig(matrix: SparseMatrix, p: bigint, check?: HeapGuard): bigint {
  checkSquare('det', matrix);
  const F = new BigPrime(p);
  return F.to(eliminateSparse(F, sparseRows(F, matrix.residuesBig(p)), matrix.cols, check).determinant);
}

/** The monic minimal polynomial of A mod p, constant term first, A square. */
export function minpolyBig(matrix: SparseMatrix, p: bigint, check?: HeapGuard): bigint[] {
  checkSquare('minpoly', matrix);
  const F = new BigPrime(p);
  const rows = sparseRows(F, matrix.residuesBig(p));
  const apply = (x: readonly Integer[]): Integer[] => {
    check?.();
    return applyRows(F, rows, x);
  };
  return krylovMinpoly(F, matrix.rows, apply, check).map((c) => F.to(c));
}

/** A with its factors mod p, for systems and kernels. */
export function factorBig(matrix: SparseMatrix, p: bigint, check?: HeapGuard): ResidueFactors<Integer, bigint[]> {
  const F = new BigPrime(p);
  return new ResidueFactors(F, matrix.residuesBig(p), (elements) => elements.map((x) => F.to(x)), check);
}

/** Uniform elements mod p, by the seed. */
export function randomIntegers(p: bigint, seed: bigint): () => Integer {
  const F = new BigPrime(p);
  const random = new CounterRandom(deriveSeed(seed, 'solution'), 0);
  let drawn = 0;
  return () => F.from(random.bigResidueAt(drawn++, p));
}

function checkSquare(who: string, matrix: SparseMatrix): void {
  if (matrix.rows !== matrix.cols)
    throw new StructureError(`${who}: expected a square matrix, got ${matrix.rows} x ${matrix.cols}`);
}
