import { CounterRandom } from '../../../fields/random.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

/** A square matrix of a known rank: `rank` rows are triangular, the others sums of two of them. */
export function deficientMatrix(size: number, rank: number, p: number): ResidueMatrix {
  const random = new CounterRandom(3n, 0);
  let at = 0;
  const below = (n: number): number => random.residueAt(at++, n);
  const base = Array.from({ length: rank }, (_, i) => {
    const others = [1, 2, 3].map(() => [i + 1 + below(size - i), 1] as const);
    return [[i, 1] as const, ...others.filter(([j]) => j < size)];
  });
  const rows = [...base, ...Array.from({ length: size - rank }, () => [...base[below(rank)]!, ...base[below(rank)]!])];
  const triplets = rows.flatMap((row, i) => row.map(([j, value]) => [i, j, value] as const));
  return SparseMatrix.fromTriplets(size, size, triplets).residues(p);
}
