/**
 * Subsets of [v] = {0, …, v − 1} in lexicographic order: counting them, walking through them, ranking them.
 *
 *   rank of c_0 < … < c_{k−1}  =  C(v, k) − 1 − Σ_i C(v − 1 − c_i, k − i)        (the combinatorial number system)
 */

/** C(n, k), 0 outside 0 ≤ k ≤ n; exact below 2^53, Infinity from 2^1000 on. */
export function binomial(n: number, k: number): number {
  if (k < 0 || k > n) return 0;
  let value = 1;
  const least = Math.min(k, n - k);
  // After step i the value is C(n − least + i, i), an integer, and no less than before.
  for (let i = 1; i <= least && value < Infinity; i++) {
    value = (value * (n - least + i)) / i;
    if (value > 2 ** 1000) value = Infinity;
  }
  return value;
}

/** Calls `visit` with every k-subset of [v] in lexicographic order; the array is reused. */
export function forEachSubset(v: number, k: number, visit: (subset: Int32Array, index: number) => void): void {
  if (k > v) return;
  const subset = Int32Array.from({ length: k }, (_, i) => i);
  for (let index = 0; ; index++) {
    visit(subset, index);
    let i = k - 1;
    while (i >= 0 && subset[i] === v - k + i) i--;
    if (i < 0) return;
    subset[i]++;
    for (let j = i + 1; j < k; j++) subset[j] = subset[j - 1] + 1;
  }
}

/** The lexicographic rank of k-subsets of [v], from a table of binomials. */
export function subsetRanker(v: number, k: number): (subset: ArrayLike<number>) => number {
  // behind[i][c] = C(v − 1 − c, k − i)
  const behind = Array.from({ length: k }, (_, i) =>
    Float64Array.from({ length: v }, (_, c) => binomial(v - 1 - c, k - i)),
  );
  const last = binomial(v, k) - 1;
  return (subset) => {
    let rank = last;
    for (let i = 0; i < k; i++) rank -= behind[i][subset[i]];
    return rank;
  };
}
