/** The columns of a dense block as sparse vectors, in one pass over its rows for the counts and one for the entries. */
import type { SparseVectors } from './types.js';

/** The columns of V, `width` a row, as sparse vectors. */
export function compressColumns(v: Uint32Array, width: number): SparseVectors {
  const ptr = new Uint32Array(width + 1);
  for (let k = 0; k < v.length; ) {
    for (let j = 1; j <= width; j++) if (v[k++] !== 0) ptr[j]++;
  }
  for (let j = 0; j < width; j++) ptr[j + 1] += ptr[j];
  const next = ptr.slice(0, width);
  const [index, values] = [new Uint32Array(ptr[width]), new Uint32Array(ptr[width])];
  for (let k = 0, row = 0; k < v.length; row++) {
    for (let j = 0; j < width; j++) {
      const value = v[k++];
      if (value === 0) continue;
      index[next[j]] = row;
      values[next[j]++] = value;
    }
  }
  return { count: width, ptr, index, values };
}
