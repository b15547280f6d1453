/**
 * The primes of the transforms on a GPU, their roots of unity, and the constants for going back to residues mod p.
 *
 *   q ≡ 1 mod 2^22, 2^31/3 < q < 2^30: transforms of length 2^k, k ≤ 22
 *
 * Below 2^30 four times q fits a word, which the lazy butterflies and the sums of products use; above 2^31/3 one
 * subtraction makes a residue mod p < 2^31 a loose one. Coefficients are integers 0 ≤ c ≤ inner·min(lengths)·(p − 1)²,
 * so that p = 2 takes one prime, p < 2^16 takes two and all others three.
 *
 * Sources: Pollard 1971 (transforms modulo several primes); Garner 1959.
 */
import { negativeInverseModWord } from '../../fields/inverse.js';
import { primesForBound } from '../../fields/transform-bounds.js';
import { WordPrime } from '../../fields/word-prime.js';
import type { Constants, GpuBuffer, GpuDevice } from '../gpu/device.js';

export const TRANSFORM_PRIMES = [998244353, 985661441, 943718401] as const;
export const LONGEST_LOG = 22;
const SHORTEST_TABLE = 4096;

const FIELDS = TRANSFORM_PRIMES.map((q) => WordPrime.of(q));

/** The primes' constants for ntt-prime.wgsl and pointwise.wgsl. */
export const PRIME_CONSTANTS: Constants = Object.fromEntries(
  TRANSFORM_PRIMES.flatMap((q, l) => [
    [`Q${l}`, q],
    [`NEGATIVE_INVERSE${l}`, negativeInverseModWord(q)],
  ]),
);

/** How many primes suffice for coefficients 0 ≤ c ≤ bound, whose digits are exact; Infinity when all of them do not. */
export function transformPrimesFor(bound: number): number {
  return primesForBound(bound, TRANSFORM_PRIMES, 1);
}

/** Roots of unity on the device: for each prime, forward and inverse, w^j at half + j for w of order 2·half. */
export class RootTable {
  private readonly gpu: GpuDevice;
  private made: { buffer: GpuBuffer; size: number } | null = null;

  constructor(gpu: GpuDevice) {
    this.gpu = gpu;
  }

  /** The table for transforms of n points and below. */
  for(n: number): { buffer: GpuBuffer; size: number } {
    if (this.made && this.made.size >= n) return this.made;
    this.dispose();
    const size = Math.max(SHORTEST_TABLE, n);
    const words = new Uint32Array(TRANSFORM_PRIMES.length * 2 * size * 2);
    FIELDS.forEach((F, l) => {
      const root = rootOfOrder(F, size);
      [root, F.inv(root)].forEach((w, direction) => {
        fillRoots(F, w, words.subarray((2 * l + direction) * 2 * size, (2 * l + direction + 1) * 2 * size));
      });
    });
    this.made = { buffer: this.gpu.upload(words), size };
    return this.made;
  }

  dispose(): void {
    if (this.made) this.gpu.free(this.made.buffer);
    this.made = null;
  }
}

/** The leading words of crt-lift.wgsl's parameters, for transforms of n points. */
export function liftConstants(field: WordPrime, n: number): number[] {
  const [q0, q1] = TRANSFORM_PRIMES;
  const scales = FIELDS.flatMap((F) => pair(F.mul(F.pow(2, 32), F.inv(n)), F.p));
  const inverse = (q: number, l: number): number[] => pair(FIELDS[l]!.inv(q % FIELDS[l]!.p), FIELDS[l]!.p);
  const weights = [1n, BigInt(q0), BigInt(q0) * BigInt(q1)].flatMap((w) => pair(Number(w % field.modulus), field.p));
  return [...scales, ...inverse(q0, 1), ...inverse(q0, 2), ...inverse(q1, 2), ...weights];
}

/** w and its quotient floor(w·2^32 / m). */
function pair(w: number, m: number): [number, number] {
  return [w, Number((BigInt(w) << 32n) / BigInt(m))];
}

/** An element of order 2^k: a power of a non-residue. */
function rootOfOrder(F: WordPrime, order: number): number {
  let x = 2;
  while (F.pow(x, (F.p - 1) / 2) === 1) x++;
  return F.pow(x, (F.p - 1) / order);
}

/** Pairs half + j ← w_half^j for half = 1, 2, …, size / 2; w has order `size`. */
function fillRoots(F: WordPrime, w: number, words: Uint32Array): void {
  const size = words.length / 2;
  const scale = 2 ** 32 / F.p;
  let power = 1;
  for (let j = 0; j < size / 2; j++, power = F.mul(power, w)) {
    // The estimate is off by one at most; what it leaves of w·2^32 says which way: q < 2^30.
    let quotient = Math.floor(power * scale);
    const rest = -Math.imul(quotient, F.p) >>> 0;
    if (rest >= 2 ** 31) quotient--;
    else if (rest >= F.p) quotient++;
    words[size + 2 * j] = power;
    words[size + 2 * j + 1] = quotient;
  }
  // w_half^j = w_(2·half)^(2j)
  for (let half = size / 4; half >= 1; half /= 2) {
    for (let j = 0; j < half; j++) {
      words[2 * (half + j)] = words[2 * (2 * half + 2 * j)]!;
      words[2 * (half + j) + 1] = words[2 * (2 * half + 2 * j) + 1]!;
    }
  }
}
