/**
 * A solution of S·Y = T, w × w row-major residues, S of any rank; null where a column of T has none. By Gauss and
 * Jordan.
 */
import type { WordPrime } from '../../fields/word-prime.js';

export function solveSmall(F: WordPrime, S: Uint32Array, T: Uint32Array, w: number): Uint32Array | null {
  const rows = Array.from({ length: w }, (_, i) => {
    const row = new Uint32Array(2 * w); // (S | T)
    row.set(S.subarray(i * w, (i + 1) * w));
    row.set(T.subarray(i * w, (i + 1) * w), w);
    return row;
  });
  const pivots: number[] = []; // columns, of rows 0, 1, …
  for (let c = 0; c < w; c++) {
    const rank = pivots.length;
    const found = rows.findIndex((row, r) => r >= rank && row[c] !== 0);
    if (found < 0) continue;
    [rows[rank], rows[found]] = [rows[found]!, rows[rank]!];
    const pivot = rows[rank]!;
    const scale = F.inv(pivot[c]!);
    for (let j = c; j < 2 * w; j++) pivot[j] = F.mul(scale, pivot[j]!);
    for (const [r, row] of rows.entries()) {
      const times = F.neg(row[c]!);
      if (r !== rank && times !== 0) for (let j = c; j < 2 * w; j++) row[j] = F.mulAdd(times, pivot[j]!, row[j]!);
    }
    pivots.push(c);
  }
  if (rows.slice(pivots.length).some((row) => row.some((value, j) => j >= w && value !== 0))) return null;
  const out = new Uint32Array(w * w);
  for (const [r, c] of pivots.entries()) out.set(rows[r]!.subarray(w), c * w);
  return out;
}
