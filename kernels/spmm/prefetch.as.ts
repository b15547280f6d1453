/**
 * Loads one byte of every row of X that some rows of A gather, in a loop so short that many cache misses overlap. The
 * loops of the product are longer and would wait for one miss after another.
 */
import * as A from './spmm-arguments.as';

/** More entries than this would drive each other out of the second cache again. */
const MOST: usize = 4096;

/**
 * General entries of rows first … last − 1, whose places are side by side by the walk W; the others' loops are short.
 * The sum keeps compilers from dropping the loads.
 */
export function prefetchRows<W>(args: usize, first: u32, last: u32): u32 {
  const part = args + A.GENERAL;
  if (!A.isPresent(part)) return 0;
  const walk = changetype<W>(0);
  const begin = walk.seek(part, first);
  const end = walk.seek(part, last);
  if (end - begin > MOST << 2) return 0;
  const x = load<usize>(args, A.X);
  const stride = load<usize>(args, A.ROW_BYTES);
  let sum: u32 = 0;
  for (let k = begin; k < end; k += 4) sum += load<u8>(x + usize(load<u32>(k)) * stride);
  return sum;
}
