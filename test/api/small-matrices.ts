/** Random small matrices, and their ranks by elimination that is written here and nowhere else. */
import type { SparseMatrix } from 'wiedemann';

/** About `perRow` entries a row from a linear congruential generator; some rows are sums of the two before. */
export function randomEntries(rows: number, cols: number, perRow: number, seed: number) {
  let state = seed;
  const draw = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const entries: [number, number, number][] = [];
  let before: [number, number][][] = [];
  for (let i = 0; i < rows; i++) {
    const sum = before.length === 2 && i % 4 === 3 ? before.flat() : null;
    const line: [number, number][] =
      sum ?? Array.from({ length: cols === 0 ? 0 : perRow }, () => [draw(cols), draw(2001) - 1000]);
    before = [...before.slice(-1), line];
    for (const [j, value] of line) entries.push([i, j, value]);
  }
  return {
    rowIdx: Uint32Array.from(entries, ([i]) => i),
    colIdx: Uint32Array.from(entries, ([, j]) => j),
    values: Int32Array.from(entries, ([, , value]) => value),
  };
}

/** Gaussian elimination on rows of bigints. */
export function denseRank(matrix: SparseMatrix, p: bigint): number {
  const a = Array.from({ length: matrix.rows }, () => new Array<bigint>(matrix.cols).fill(0n));
  for (const [i, j, value] of matrix.entries()) a[i]![j] = (((a[i]![j]! + BigInt(value)) % p) + p) % p;
  let rank = 0;
  for (let j = 0; j < matrix.cols && rank < matrix.rows; j++) {
    const pivot = a.findIndex((row, i) => i >= rank && row[j] !== 0n);
    if (pivot < 0) continue;
    [a[rank], a[pivot]] = [a[pivot]!, a[rank]!];
    const inverse = power(a[rank]![j]!, p - 2n, p);
    for (let i = rank + 1; i < matrix.rows; i++) {
      const f = (a[i]![j]! * inverse) % p;
      if (f === 0n) continue;
      for (let k = j; k < matrix.cols; k++) a[i]![k] = (a[i]![k]! + (p - f) * a[rank]![k]!) % p;
    }
    rank++;
  }
  return rank;
}

function power(base: bigint, exponent: bigint, p: bigint): bigint {
  let [result, square] = [1n, base];
  for (let e = exponent; e > 0n; e >>= 1n) {
    if (e & 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
}
