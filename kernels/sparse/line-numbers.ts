/** Line numbers that are far apart, made small: by sorting those that occur, without an array of a size's length. */

/** The indices that occur, ascending, each once. */
export function distinct(indices: Uint32Array): Uint32Array {
  const sorted = new Uint32Array(indices).sort(); // a copy, in ordinary memory
  let count = 0;
  for (let k = 0; k < sorted.length; k++) {
    if (count === 0 || sorted[k] !== sorted[count - 1]) sorted[count++] = sorted[k];
  }
  return sorted.slice(0, count);
}

/** Every index replaced by its place among `used`, which is ascending and has them all. */
export function renumber(indices: Uint32Array, used: Uint32Array): Uint32Array {
  return new Uint32Array(indices).map((index) => {
    let [low, high] = [0, used.length - 1];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (used[middle] < index) low = middle + 1;
      else high = middle;
    }
    return low;
  });
}
