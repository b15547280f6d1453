/** Square matrices whose leading minors are 1, so that elimination without exchanges of blocks has its pivots. */
import { CounterRandom } from '../../../fields/random.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

type Place = (i: number, j: number, n: number) => boolean;

/** L·U over the integers, both with ones on the diagonal and small entries where `has` says so. */
function unimodular(n: number, seed: number, has: Place): SparseMatrix {
  const random = new CounterRandom(seed, 0);
  const entry = (i: number, j: number): number => (i === j ? 1 : has(i, j, n) ? 1 + random.residueAt(i * n + j, 4) : 0);
  const cells: [number, number, number][] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      let sum = 0;
      for (let k = 0; k <= Math.min(i, j); k++) {
        const left = entry(i, k);
        if (left !== 0) sum += left * entry(k, j);
      }
      if (sum !== 0) cells.push([i, j, sum]);
    }
  return SparseMatrix.fromTriplets(n, n, cells);
}

export const band = (n: number, width: number, seed: number): SparseMatrix =>
  unimodular(n, seed, (i, j) => Math.abs(i - j) <= width);

/** A band, and the last rows and columns full. */
export const arrow = (n: number, seed: number): SparseMatrix =>
  unimodular(n, seed, (i, j) => Math.abs(i - j) <= 1 || i >= n - 2 || j >= n - 2);

type Triple = [i: number, j: number, value: number];

/** A band and some more entries. */
export function bandWith(n: number, seed: number, more: readonly Triple[]): SparseMatrix {
  const own = Array.from(band(n, 2, seed).entries(), ([i, j, value]): Triple => [i, j, Number(value)]);
  return SparseMatrix.fromTriplets(n, n, [...own, ...more]);
}

/** A band with entries in its far corners too, where elimination fills the last rows and columns. */
export const cycle = (n: number, seed: number): SparseMatrix =>
  bandWith(n, seed, [
    [0, n - 1, 2],
    [1, n - 1, 3],
    [n - 1, 0, 5],
  ]);
