/** The matrices of pari.gp by the same formula, and what PARI/GP answered about them. */
import { readFileSync } from 'node:fs';
import { SparseMatrix } from '../../../kernels/sparse-matrix.js';

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
