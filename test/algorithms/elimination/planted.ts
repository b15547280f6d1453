/**
 * Seeded sparse matrices of up to 300 rows and columns with planted dependencies, and primes to take them by; geometric
 * graphs.
 */
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

const PRIMES = [2, 2, 3, 3, 5, 7, 31, 101, 257, 8191, 16411, 65521, 65537, 16777259, 2147483629, 2147483647];

export interface Planted {
  readonly name: string;
  readonly field: WordPrime;
  readonly matrix: ResidueMatrix;
}

/** Number k of them: rows with few entries, some of which are ±1, then rows that are combinations of some of those. */
export function planted(k: number): Planted {
  const random = new CounterRandom(k, 77);
  let drawn = 0;
  const below = (n: number): number => random.residueAt(drawn++, n);
  const F = WordPrime.of(PRIMES[below(PRIMES.length)]);
  const [rows, cols] = [1 + below(300), 1 + below(300)];
  const perRow = 1 + below(1 + below(8));
  const dependent = below(3) === 0 ? 0 : below(rows);
  const entries: [number, number, number][] = [];
  const free: Map<number, number>[] = [];
  for (let i = 0; i < rows - dependent; i++) {
    const row = new Map<number, number>();
    for (let t = below(perRow + 1); t >= 0; t--) {
      row.set(below(cols), [1, F.p - 1, 1 + below(F.p - 1), 1 + below(F.p - 1)][below(4)]);
    }
    free.push(row);
  }
  const all = [...free];
  for (let i = 0; i < dependent; i++) {
    const row = new Map<number, number>();
    for (let t = below(3); t >= 0; t--) {
      const factor = 1 + below(F.p - 1);
      for (const [j, value] of free[below(free.length)]) row.set(j, F.mulAdd(factor, value, row.get(j) ?? 0));
    }
    all.splice(below(all.length + 1), 0, row);
  }
  all.forEach((row, i) => {
    for (const [j, value] of row) entries.push([i, j, value]);
  });
  const matrix = SparseMatrix.fromTriplets(rows, cols, entries).residues(F.p);
  return { name: `number ${k}: ${rows} x ${cols} mod ${F.p}`, field: F, matrix };
}

/** Points of a square, joined where they are near: a graph that sparse pivots take apart. */
export function geometric(count: number, degree: number, p: number): ResidueMatrix {
  const random = new CounterRandom(11n, 3);
  const at = Array.from({ length: 2 * count }, (_, i) => random.residueAt(i, 2 ** 30) / 2 ** 30);
  const near = degree / Math.PI / count;
  const entries: [number, number, number][] = [];
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) {
      const [x, y] = [at[2 * i] - at[2 * j], at[2 * i + 1] - at[2 * j + 1]];
      if (i !== j && x * x + y * y < near) entries.push([i, j, 1]);
    }
  }
  return SparseMatrix.fromTriplets(count, count, entries).residues(p);
}
