/**
 * The rank of many dense rows in bounded memory: PLUQ batch by batch on a basis of the rows so far.
 *
 *   [basis; batch] → its rank r, and U, r × n, of the same row space: the basis of the next batch
 *
 * A batch is at least as many rows as the basis has, so that all eliminations together cost at most twice that of one
 * matrix of all rows; and all rows at once where they fit in half of the memory. Mod 2 entries are bits.
 */
import type { WordPrime } from '../../fields/word-prime.js';
import { DenseMatrix } from '../../kernels/dense/dense-matrix.js';
import { type Pluq, pluq, pluqPivots } from '../../kernels/dense/pluq.js';
import { megabytes } from '../../kernels/errors/megabytes.js';
import { BitMatrix, bytesOfRow } from '../../kernels/gf2/bit-matrix.js';
import { bitPluq } from '../../kernels/gf2/bit-pluq.js';
import type { Team } from '../../kernels/threads/team.js';
import { MethodError } from '../method-error.js';

/** The most bytes of dense rows: kernels address 4 GiB, and the matrix and the threads need some of them. */
export const DENSE_BYTES = 3 * 2 ** 30;

/** Rows of a batch at least: below, the products are too thin to be fast. */
const BATCH = 1024;

/** Writes rows first … first + rows − 1 to rows at … of `to`, which hold zeros. */
export type FormRows = (first: number, rows: number, to: DenseMatrix | BitMatrix, at: number) => Promise<void> | void;

/** The rank of `count` rows. Throws MethodError when basis and batch take more than `maxBytes`. */
export async function rankOfDenseRows(
  team: Team,
  field: WordPrime,
  count: number,
  cols: number,
  form: FormRows,
  maxBytes: number,
): Promise<number> {
  const limit = Math.min(count, cols);
  const perRow = bytesOfRow(field, cols);
  let rank = 0;
  let basis: Uint32Array[] = [];
  for (let first = 0; first < count && rank < limit; ) {
    const fits = Math.floor(maxBytes / perRow) - rank;
    const wanted = Math.max(BATCH, rank, Math.floor(maxBytes / 2 / perRow));
    const rows = Math.min(count - first, wanted, fits);
    if (rows < Math.min(count - first, BATCH / 8)) throw new MethodError(tooMuch((rank + BATCH) * perRow, maxBytes));
    const a =
      field.p === 2
        ? new BitMatrix(team.memory, rank + rows, cols)
        : new DenseMatrix(team.memory, field, rank + rows, cols);
    try {
      basis.forEach((row, t) => {
        a.row(t).set(row);
      });
      await form(first, rows, a, rank);
      first += rows;
      const goesOn = first < count;
      const factors = a instanceof BitMatrix ? bitPluq(team, a) : (goesOn ? pluq : pluqPivots)(team, field, a);
      rank = factors.rank;
      if (goesOn) basis = echelon(a, factors);
    } finally {
      a.release();
    }
  }
  return rank;
}

/** Bytes of the rows of the shorter side; a GPU has all of them, and the host one at a time if it must. */
export function denseBytes(field: WordPrime, rows: number, cols: number, onGpu: boolean): number {
  return (onGpu ? 1 : Math.min(rows, cols)) * bytesOfRow(field, Math.max(rows, cols));
}

/** U: the first rows of the factors, without L's entries at the pivots' columns. */
export function echelon(a: DenseMatrix | BitMatrix, { pivotCols }: Pluq): Uint32Array[] {
  return Array.from(pivotCols, (column, t) => {
    const row = Uint32Array.from(a.row(t));
    if (a instanceof BitMatrix) for (let s = 0; s < t; s++) row[pivotCols[s] >>> 5] &= ~(1 << (pivotCols[s] & 31));
    else {
      for (let s = 0; s < t; s++) row[pivotCols[s]] = 0;
      row[column] = 1;
    }
    return row;
  });
}

function tooMuch(bytes: number, maxBytes: number): string {
  const [need, have] = [bytes, maxBytes].map(megabytes);
  return `method elimination: the remaining dense rows take ${need} MB or more, allowed are ${have}`;
}
