/**
 * Is the modulus prime, and if not, what divides it.
 *
 *   isPrime         strong probable prime tests; the first 12 primes as bases are a proof below 3.18·10^23.
 *                   Larger n take the first 40 primes and 32 bases that follow from n itself, as composites are known
 *                   that pass all primes below 307 (Arnault 1995). That is no proof: of uniform bases 32 let a
 *                   composite pass with probability at most 4^-32 (Rabin), and these are words of a generator
 *   smallestFactor  trial division, then Pollard's rho; complete below 2^64
 *
 * Source: Miller 1976, Rabin 1980; bases: Sorenson and Webster 2015; rho: Pollard 1975, Brent 1980.
 */

import { gcd } from './inverse.js';
import { CounterRandom, deriveSeed } from './random.js';

/** A modulus that cannot be one: composite, too small, too large for the representation. */
export class ModulusError extends Error {
  override readonly name: string = 'ModulusError';
}

/** The primes below n, by the sieve of Eratosthenes on odd numbers. */
export function primesBelow(n: number): number[] {
  const primes = n > 2 ? [2] : [];
  const half = Math.max(0, Math.floor(n / 2));
  const composite = new Uint8Array(half); // index i stands for 2i + 1
  for (let i = 1; i < half; i++) {
    if (composite[i]) continue;
    const q = 2 * i + 1;
    primes.push(q);
    for (let j = (q * q - 1) / 2; j < half; j += q) composite[j] = 1;
  }
  return primes;
}

const BASES = primesBelow(174).map(BigInt); // the first 40 primes
const PROVED_BASES = 12;
const OWN_BASES = 32;
const WORD = (1n << 64n) - 1n;
const PROVED_LIMIT = 318665857834031151167461n;

export function isPrime(n: bigint | number): boolean {
  const value = wholeNumber(n);
  if (value < 2n) return false;
  for (const base of BASES) {
    if (value === base) return true;
    if (value % base === 0n) return false;
  }
  if (value < 173n * 173n) return true;
  if (value < PROVED_LIMIT) return BASES.slice(0, PROVED_BASES).every((base) => isStrongProbablePrime(value, base));
  return [...BASES, ...ownBases(value)].every((base) => isStrongProbablePrime(value, base));
}

/** Bases modulo n that follow from all of n, so that nobody chooses n for them. */
function ownBases(n: bigint): bigint[] {
  let seed = 0n;
  for (let rest = n; rest > 0n; rest >>= 64n) seed = deriveSeed(seed ^ (rest & WORD), 'primality');
  const words = Math.ceil(n.toString(2).length / 32) + 2; // 64 bits more than n has, so nearly uniform
  const random = new CounterRandom(seed, 0).fillWords(new Uint32Array(words * OWN_BASES));
  return Array.from({ length: OWN_BASES }, (_, i) => {
    const digits = random.subarray(words * i, words * (i + 1));
    return 2n + (digits.reduce((value, word) => (value << 32n) | BigInt(word), 0n) % (n - 3n));
  });
}

/** Whether `isPrime` proves what it says about n. */
export function isPrimeProved(n: bigint): boolean {
  return n < PROVED_LIMIT;
}

/** n − 1 = 2^s·d, d odd: base^d = 1 or base^(2^i·d) = −1 for some i < s. */
function isStrongProbablePrime(n: bigint, base: bigint): boolean {
  let d = n - 1n;
  let s = 0;
  for (; (d & 1n) === 0n; d >>= 1n) s++;
  let x = powMod(base, d, n);
  if (x === 1n) return true;
  for (let i = 0; i < s; i++) {
    if (x === n - 1n) return true;
    x = (x * x) % n;
  }
  return false;
}

function powMod(base: bigint, exponent: bigint, n: bigint): bigint {
  let result = 1n;
  for (const bit of exponent.toString(2)) {
    result = (result * result) % n;
    if (bit === '1') result = (result * base) % n;
  }
  return result;
}

const TRIAL_LIMIT = 2 ** 16;
let trialPrimes: readonly number[] | null = null; // filled on first use: most runs never factor

/**
 * The smallest prime factor of n ≥ 2 (n itself when prime). Below 2^64 always found: what trial division to 2^16
 * leaves has factors above 2^16, and rho finds one of size f in about sqrt(f) ≤ 2^16 steps. Beyond 2^64 the search is
 * bounded, and null says that it ended without an answer.
 */
export function smallestFactor(n: bigint | number): bigint | null {
  const value = wholeNumber(n);
  if (value < 2n) throw new RangeError(`smallestFactor: expected an integer ≥ 2, got ${n}`);
  if (isPrime(value)) return value;
  trialPrimes ??= primesBelow(TRIAL_LIMIT);
  if (value <= BigInt(Number.MAX_SAFE_INTEGER)) {
    const small = Number(value);
    for (const q of trialPrimes) if (small % q === 0) return BigInt(q);
  } else {
    for (const q of trialPrimes) if (value % BigInt(q) === 0n) return BigInt(q);
  }
  return smallestByRho(value);
}

/** The smallest prime factor of n, whose prime factors are all above 2^16; null when rho gives up. */
function smallestByRho(n: bigint): bigint | null {
  if (isPrime(n)) return n;
  const factor = rho(n);
  if (factor === null) return null;
  const left = smallestByRho(factor);
  const right = smallestByRho(n / factor);
  if (left === null || right === null) return null;
  if (left > right) return right;
  return left;
}

const RHO_STEPS = 2 ** 20;
const RHO_BATCH = 128;

/**
 * A proper factor of the composite n: the cycle of x² + c found by Brent's method, differences multiplied in batches.
 */
function rho(n: bigint): bigint | null {
  const attempts = n < 1n << 64n ? Number.POSITIVE_INFINITY : 1;
  for (let c = 1n; c <= attempts; c++) {
    let y = 2n;
    let x = y;
    let batchStart = y;
    let divisor = 1n;
    for (let stride = 1; divisor === 1n && stride <= RHO_STEPS; stride *= 2) {
      x = y;
      for (let i = 0; i < stride; i++) y = (y * y + c) % n;
      for (let done = 0; done < stride && divisor === 1n; done += RHO_BATCH) {
        batchStart = y;
        let product = 1n;
        for (let i = Math.min(RHO_BATCH, stride - done); i > 0; i--) {
          y = (y * y + c) % n;
          product = (product * (x > y ? x - y : y - x)) % n;
        }
        divisor = gcd(product, n);
      }
    }
    // A batch can swallow every factor at once: go through its steps again one by one.
    if (divisor === n) {
      do {
        batchStart = (batchStart * batchStart + c) % n;
        divisor = gcd(x > batchStart ? x - batchStart : batchStart - x, n);
      } while (divisor === 1n);
    }
    if (divisor !== 1n && divisor !== n) return divisor;
  }
  return null;
}

/** The distinct prime factors of n ≥ 1 in increasing order, n < 2^64. */
export function primeFactors(n: bigint | number): bigint[] {
  const factors: bigint[] = [];
  for (let rest = wholeNumber(n); rest > 1n; ) {
    const factor = smallestFactor(rest);
    if (factor === null) throw new RangeError(`primeFactors: expected n below 2^64, got ${n}`);
    factors.push(factor);
    while (rest % factor === 0n) rest /= factor;
  }
  return factors;
}

/** The largest prime below n, or null. */
export function previousPrime(n: bigint | number): bigint | null {
  for (let q = wholeNumber(n) - 1n; q >= 2n; q--) if (isPrime(q)) return q;
  return null;
}

/** The smallest prime above n. */
export function nextPrime(n: bigint | number): bigint {
  const start = wholeNumber(n) + 1n;
  for (let q = start < 2n ? 2n : start; ; q++) if (isPrime(q)) return q;
}

/** Refuses a modulus that is not prime, with its smallest factor and the primes beside it. */
/** Beyond it the search for a factor and for the nearest primes, which a message could name, takes seconds and more. */
const SEARCHABLE = 1n << 256n;

export function checkModulus(p: bigint | number): void {
  if (typeof p === 'number' && !Number.isSafeInteger(p))
    throw new ModulusError(`modulus ${p}: expected a prime (a bigint beyond 2^53)`);
  const value = BigInt(p);
  if (value < 2n) throw new ModulusError(`modulus ${p} is not prime; the smallest prime is 2`);
  if (isPrime(value)) return;
  if (value > SEARCHABLE) throw new ModulusError(`modulus of ${value.toString(2).length} bits is not prime`);
  const factor = smallestFactor(value);
  const why = factor === null ? 'factors beyond this search' : `smallest factor ${factor}`;
  throw new ModulusError(
    `modulus ${p} is not prime (${why}); nearest primes: ${previousPrime(value)} below, ${nextPrime(value)} above`,
  );
}

function wholeNumber(n: bigint | number): bigint {
  if (typeof n === 'number' && !Number.isSafeInteger(n))
    throw new RangeError(`expected an integer (a bigint beyond 2^53), got ${n}`);
  return BigInt(n);
}
