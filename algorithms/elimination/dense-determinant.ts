/**
 * The determinant of a square Schur complement S that is full or small, by dense elimination of all of it.
 *
 *   P·S = L·U, L's diagonal in the pivots' columns, which are all columns in their order, U's diagonal 1
 *   det S = sign P · Π L_tt, and 0 where the rank is less than its size
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { pluq } from '../../kernels/dense/pluq.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { BitMatrix } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import { MethodError } from '../method-error.js';
import type { Pivots } from '../presolve/pattern.js';
import { DENSE_BYTES } from './dense-rows.js';
import { bitLines, SchurLines } from './dense-schur.js';
import { isOdd } from './pivot-signs.js';

/** `at` is the transpose of `a`; throws MethodError where S takes more than `maxBytes`. */
export function denseSchurDeterminant(
  team: Team,
  field: WordPrime,
  { a, at, pivots }: { readonly a: ResidueMatrix; readonly at: ResidueMatrix; readonly pivots: Pivots },
  maxBytes: number,
  check: () => void,
): number {
  const left = a.rows - pivots.rows.length;
  const most = Math.min(maxBytes, DENSE_BYTES);
  const bytes = field.p === 2 ? BitMatrix.bytesOf(left, left) : DenseMatrix.bytesOf(field, left, left);
  if (bytes > most) {
    const [takes, allowed] = [bytes, most].map(megabytes);
    throw new MethodError(`method elimination: ${left} dense rows take ${takes} MB, allowed are ${allowed}`);
  }
  if (field.p === 2) {
    const { bits } = bitLines(team, a, at, pivots);
    try {
      return bitPluq(team, bits).rank === left ? 1 : 0;
    } finally {
      bits.release();
    }
  }
  const lines = new SchurLines(team, field, a, at, pivots, check);
  let d: DenseMatrix | undefined;
  try {
    d = new DenseMatrix(team.memory, field, left, left);
    lines.form(0, left, d, 0);
    const { rank, pivotRows } = pluq(team, field, d);
    if (rank < left) return 0;
    let product = isOdd(pivotRows) ? field.neg(1) : 1;
    for (let t = 0; t < rank; t++) product = field.mul(product, d.row(t)[t]);
    return product;
  } finally {
    d?.release();
    lines.free();
  }
}
