/**
 * Trefethen_n: n × n with the i-th prime at (i, i) and 1 where |i − j| is a power of two; `_nb` drops row and column 1.
 *
 * Source: L. N. Trefethen, "A hundred-dollar, hundred-digit challenge", SIAM News 2002, problem 7.
 */
import { type Triplets, TripletWriter } from '../triplets.js';

export function trefethen(n: number, withoutFirst = false): Triplets {
  const from = withoutFirst ? 1 : 0;
  const size = n - from;
  let entries = size;
  for (let step = 1; step < size; step *= 2) entries += 2 * (size - step);
  const out = new TripletWriter(`Trefethen_${n}`, size, size, entries);
  const diagonal = firstPrimes(n).subarray(from);
  // The largest power of two that is a distance here; the entries left of the diagonal ascend as the distance falls.
  const largest = 2 ** Math.floor(Math.log2(Math.max(size - 1, 1)));
  for (let i = 0; i < size; i++) {
    for (let step = largest; step >= 1; step /= 2) if (i - step >= 0) out.push(i, i - step, 1);
    out.push(i, i, diagonal[i]);
    for (let step = 1; i + step < size; step *= 2) out.push(i, i + step, 1);
  }
  return out.finish();
}

/** The first n primes, by the sieve of Eratosthenes up to n·(ln n + ln ln n), which exceeds the n-th for n ≥ 6. */
function firstPrimes(n: number): Int32Array {
  const limit = n < 6 ? 13 : Math.ceil(n * (Math.log(n) + Math.log(Math.log(n))));
  const composite = new Uint8Array(limit + 1);
  const primes = new Int32Array(n);
  for (let x = 2, found = 0; found < n; x++) {
    if (composite[x]) continue;
    primes[found++] = x;
    for (let multiple = x * x; multiple <= limit; multiple += x) composite[multiple] = 1;
  }
  return primes;
}
