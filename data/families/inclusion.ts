/**
 * W_{t,k}(v): rows are the t-subsets of [v], columns the k-subsets, both lexicographic; 1 where the row lies in the
 * column. bibd_v_k is W_{2,k}(v), the pair-block incidence of the complete design.
 *
 * Source: R. M. Wilson, "A diagonal form for the incidence matrices of t-subsets vs. k-subsets", 1990.
 */
import { binomial, forEachSubset, subsetRanker } from '../subsets.js';
import { FamilyError, MAX_ENTRIES, rowMajor, type Triplets, TripletWriter } from '../triplets.js';

export function inclusion(t: number, k: number, v: number): Triplets {
  const name = `W_{${t},${k}}(${v})`;
  if (t * v > MAX_ENTRIES || k > MAX_ENTRIES)
    throw new FamilyError(`${name}: expected t·v and k of at most 2^28, got ${t * v} and ${k}`);
  const out = new TripletWriter(name, binomial(v, t), binomial(v, k), binomial(v, k) * binomial(k, t));
  const rank = subsetRanker(v, t);
  const row = new Int32Array(t);
  const places: Int32Array[] = [];
  forEachSubset(k, t, (subset) => places.push(subset.slice()));
  forEachSubset(v, k, (column, j) => {
    for (const chosen of places) {
      for (let i = 0; i < t; i++) row[i] = column[chosen[i]];
      out.push(rank(row), j, 1);
    }
  });
  return rowMajor(out.finish());
}
