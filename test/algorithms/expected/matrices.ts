/** Matrices that tests share: those of pari.gp by the same formula, with what PARI/GP answered, and planted ranks. */
import { readFileSync } from 'node:fs';
import { CounterRandom } from '../../../fields/random.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';

export interface ExpectedAnswer {
  readonly shape: readonly [n: number, fill: number, salt: number];
  readonly p: string;
  readonly rank: number;
  readonly det: string;
  readonly minpoly: readonly string[]; // constant term first
}

export const EXPECTED = JSON.parse(
  readFileSync(new URL('./pari.json', import.meta.url), 'utf8'),
) as readonly ExpectedAnswer[];

/** Entry (i, j), 1-based: h = (1103·i + 2711·j + 977·salt)³ mod 10007 decides whether it is 0, and its value. */
export function noise([n, fill, salt]: ExpectedAnswer['shape']): SparseMatrix {
  const entries: [number, number, number][] = [];
  for (let i = 1; i <= n; i++) {
    for (let j = 1; j <= n; j++) {
      const x = (1103 * i + 2711 * j + 977 * salt) % 10007;
      const h = (((x * x) % 10007) * x) % 10007;
      if (h % 101 < fill) entries.push([i - 1, j - 1, (Math.floor(h / 101) % 11) - 5]);
    }
  }
  return SparseMatrix.fromTriplets(n, n, entries);
}

export type Entry = readonly [number, number, number];

/** `rank` rows of `perRow` random entries, the others combinations of two of them. */
export function planted(rows: number, cols: number, rank: number, perRow: number, seed: number): Entry[] {
  const random = new CounterRandom(seed, 7);
  let at = 0;
  const pick = (n: number): number => random.residueAt(at++, n);
  const base = Array.from({ length: rank }, () =>
    Array.from({ length: perRow }, () => [pick(cols), pick(5) - 2] as const),
  );
  const entries: Entry[] = [];
  for (let i = 0; i < rows; i++) {
    if (i < rank) for (const [j, v] of base[i]) entries.push([i, j, v]);
    else if (rank > 0) {
      for (const [r, f] of [
        [pick(rank), 1],
        [pick(rank), -3],
      ]) {
        for (const [j, v] of base[r]) entries.push([i, j, v * f]);
      }
    }
  }
  return entries;
}
