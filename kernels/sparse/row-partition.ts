/** Rows of a sparse matrix dealt out to threads in order, in runs of about equal cost. */

/** Row offsets of at most `count` chunks of about equal cost, rows in order. */
export function balanceChunks(rowPtr: Uint32Array, count: number): Uint32Array {
  const bounds = balanceShares(rowPtr, 0, rowPtr.length - 1, count);
  return bounds.filter((bound, c) => c === 0 || bound > bounds[c - 1]);
}

/** The cost of a row beside its entries, in entries. */
const ROW_COST = 4;

/** The cost of rows first … last − 1, in entries. */
export function rowsCost(rowPtr: Uint32Array, first: number, last: number): number {
  return rowPtr[last] - rowPtr[first] + ROW_COST * (last - first);
}

/** Row offsets of `count` shares of first … last − 1 of about equal cost, rows in order; some may be empty. */
export function balanceShares(rowPtr: Uint32Array, first: number, last: number, count: number): Uint32Array {
  const bounds = new Uint32Array(count + 1).fill(first);
  const cost = rowsCost(rowPtr, first, last);
  for (let c = 1; c <= count; c++) {
    const target = (cost * c) / count;
    let [low, high] = [bounds[c - 1], last]; // the first row offset whose cost reaches the target
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (rowsCost(rowPtr, first, middle) < target) low = middle + 1;
      else high = middle;
    }
    bounds[c] = low;
  }
  return bounds;
}
