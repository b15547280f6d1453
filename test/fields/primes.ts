/** The primes that every field law is tested on. */
export const FIELD_PRIMES: readonly bigint[] = [
  2n,
  3n,
  5n,
  7n,
  101n,
  2039n /* S1's m = 2010: 4 products in a float */,
  32749n /* last below 2^15 */,
  65521n /* last below 2^16 */,
  65537n /* first above 2^16 */,
  2147483647n /* 2^31 − 1: 4 products in 64 bits */,
  2147483629n /* the prime before it */,
  2305843009213693951n /* 2^61 − 1 */,
  170141183460469231731687303715884105727n /* 2^127 − 1 */,
];
