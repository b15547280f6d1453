/**
 * The constants of F_p as the polynomial kernels read them, one block of words a field (kernels/wasm/poly-residues.ts
 * says what they are for).
 *
 *   run : products below p² between two corrections; K = run·p² must keep 2K ≤ 2^64 and K ≤ 2^32·p
 */
import type { WordPrime } from '../fields/word-prime.js';
import type { KernelMemory } from './memory.js';

const BYTES = 64;

/** Longer runs than any sum of products has; keeps K of the tiny primes below 2^32, which p = 2 needs. */
const LONGEST_RUN = 2n ** 28n;

/** Writes the block; the caller releases it. */
export function polyField(memory: KernelMemory, field: WordPrime): number {
  const p = field.modulus;
  const even = p === 2n;
  const radix = 2n ** 32n;
  // REDC needs t < 2^32·p; with p = 2, where 2^31 takes the place of the inverse, t < 2^32.
  const limit = even ? radix : radix * p;
  let run = limit / (p * p);
  if (run > 2n ** 63n / (p * p)) run = 2n ** 63n / (p * p);
  if (run > LONGEST_RUN) run = LONGEST_RUN;
  const k = run * p * p;
  const one = even ? 1n : radix % p;
  const words = [
    p,
    even ? 2n ** 31n : inverseModRadix(p),
    one,
    (one * one) % p,
    k % radix,
    k / radix,
    run,
    p / 2n, // largest magnitude of a balanced residue
  ];
  const at = memory.alloc(BYTES);
  memory.u32(at, words.length).set(words.map(Number));
  return at;
}

/** a^-1 mod 2^32, a odd: Newton's x ← x·(2 − a·x) doubles the correct bits, three at first. */
function inverseModRadix(a: bigint): bigint {
  let x = a;
  for (let bits = 3; bits < 32; bits *= 2) x = BigInt.asUintN(32, x * (2n - a * x));
  return x;
}
