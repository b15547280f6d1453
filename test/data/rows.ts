import type { Triplets } from '../../data/triplets.js';

/** The matrix as rows of [column, value], which also checks range, order and that no position comes twice. */
export function rowsOf(a: Triplets): [number, number][][] {
  const out: [number, number][][] = Array.from({ length: a.rows }, () => []);
  let before = -1;
  a.values.forEach((value, k) => {
    const at = a.rowIdx[k] * a.cols + a.colIdx[k];
    if (!(at > before && a.rowIdx[k] < a.rows && a.colIdx[k] < a.cols)) throw new Error(`entry ${k} is out of order`);
    before = at;
    out[a.rowIdx[k]].push([a.colIdx[k], value]);
  });
  return out;
}
