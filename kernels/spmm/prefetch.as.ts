/**
 * Loads one byte of every row of X that some rows of A gather, in a loop so short that dozens of cache misses are under way
 * at once; the arithmetic that follows is too long for that and would wait for them one after another.
 */
import * as A from './spmm-arguments.as';

/** More entries than this would drive each other out of the second cache again. */
const MOST: usize = 4096;

/** General entries of rows first … last − 1; the others' loops are short. The sum keeps compilers from dropping the loads. */
export function prefetchRows(args: usize, first: u32, last: u32): u32 {
  const part = args + A.GENERAL;
  const rest = load<usize>(part, A.REST_POINTERS);
  let sum = touch(args, A.mainFirst(part, first), A.mainFirst(part, last));
  if (rest) sum += touch(args, A.restFirst(part, rest, first), A.restFirst(part, rest, last));
  return sum;
}

function touch(args: usize, first: usize, end: usize): u32 {
  if (end - first > MOST << 2) return 0;
  const x = load<usize>(args, A.X);
  const stride = load<usize>(args, A.ROW_BYTES);
  let sum: u32 = 0;
  for (let k = first; k < end; k += 4) sum += load<u8>(x + usize(load<u32>(k)) * stride);
  return sum;
}
