/**
 * Greatest common divisors and inverses of integers: modulo any m by Euclid's algorithm, modulo 2^32 by Newton's
 * iteration.
 *
 * Source: Knuth, The Art of Computer Programming 2, section 4.5.2 (Euclid); von zur Gathen, Gerhard 2013, section 9.1
 * (Newton).
 */

/** The greatest common divisor of two nonnegative integers. */
export function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}

/** a^-1 mod m in [0, m), or null when gcd(a, m) ≠ 1. */
export function invMod(a: bigint, m: bigint): bigint | null {
  let [r0, r1] = [m, ((a % m) + m) % m];
  let [t0, t1] = [0n, 1n];
  // r_i ≡ t_i·a (mod m)
  while (r1 !== 0n) {
    const q = r0 / r1;
    [r0, r1] = [r1, r0 - q * r1];
    [t0, t1] = [t1, t0 - q * t1];
  }
  return r0 === 1n ? ((t0 % m) + m) % m : null;
}

/**
 * a^-1 mod 2^32 in [0, 2^32), a odd. a·a ≡ 1 (mod 8), so x = a has three correct bits; a·x = 1 + e gives
 * a·x·(2 − a·x) = 1 − e², so each step doubles them.
 */
export function inverseModWord(a: number): number {
  let x = a;
  for (let bits = 3; bits < 32; bits *= 2) x = Math.imul(x, 2 - Math.imul(a, x));
  return x >>> 0;
}

/** −1/p mod 2^32 in [0, 2^32), p odd: what REDC multiplies the lower word by. */
export function negativeInverseModWord(p: number): number {
  return -inverseModWord(p) >>> 0;
}
