/**
 * The primes of the short transforms in 16-bit lanes, for p < 2^16, their roots of unity, and the constants for going
 * back to residues mod p.
 *
 *   q ≡ 1 mod 3·2^9, q ≤ 15361: transforms of length 2^m and 3·2^m with m ≤ 9
 *
 * Magnitudes for kernels/poly/ntt-u16.as.ts: q·2^-16 < 0.2344. How many primes a product needs:
 * fields/transform-bounds.ts.
 */
import { digitSlack, eightsBeforeReduction, primesForBound } from '../../fields/transform-bounds.js';
import type { WordPrime } from '../../fields/word-prime.js';
import { setArguments } from '../threads/argument-list.js';
import type { KernelMemory } from '../threads/memory.js';
import type { Transforms } from './mul-plan.js';
import * as L from './ntt-u16-layout.js';
import { balance, cubeRoot, inverse, rootTables } from './roots-of-unity.js';

export const PRIMES: readonly number[] = [15361, 12289, 10753, 7681];
const LONGEST = 512; // times 1 or 3

/** Garner's digits are |v_l| ≤ 0.943·q_l (mul-ntt-u16.as.ts). */
const SLACK = digitSlack(0.943);

/** Moduli whose balanced residues have 16 bits. */
const MODULI = 2 ** 16;

const MAGIC_BITS = 0x4b400000n;

export class Transforms14Bit implements Transforms {
  readonly lanes = 8;
  readonly kernels = ['nttForwardU16', 'nttPointwiseU16', 'nttInverseU16'] as const;
  readonly forwardWord = 0; // none
  readonly level = 4.2;
  readonly products = 2;
  readonly at: number;
  readonly back: number;
  private readonly memory: KernelMemory;
  private tables = 0;
  private readonly inverses = new Map<number, readonly number[]>(); // of the lengths met

  /** Whether residues mod p are small enough. */
  static fits(field: WordPrime): boolean {
    return field.p < MODULI;
  }

  constructor(memory: KernelMemory, field: WordPrime) {
    this.memory = memory;
    this.at = memory.allocZeroed(PRIMES.length * L.PRIME_BYTES);
    this.back = memory.allocZeroed(L.C_BYTES);
    PRIMES.forEach((q, l) => {
      const at = this.at + l * L.PRIME_BYTES;
      const words = memory.i32(at, L.PRIME_BYTES / 4);
      setArguments(
        words,
        [L.Q, q],
        [L.BIAS, biasOf(q)],
        [L.COARSE, pack(Math.round(2 ** 15 / q), Math.round(2 ** 27 / q))], // and FINE
        [L.CUBE_ROOT, pairOf(cubeRoot(q), q)],
        [L.RUN, eightsBeforeReduction(q)],
      );
      memory.f32(at + L.Q_RECIPROCAL, 1)[0] = 1 / q;
      for (let i = 0; i < l; i++) words[(L.EARLIER >> 2) + i] = pairOf(inverse(PRIMES[i]! % q, q), q);
    });
    const words = memory.i32(this.back, L.C_BYTES / 4);
    const p = field.p;
    setArguments(words, [L.C_P, p], [L.C_BIAS, biasOf(p)]);
    memory.f32(this.back + L.C_RECIPROCAL, 1)[0] = 1 / p;
    let weight = 1n % field.modulus;
    const weights = PRIMES.map((q) => {
      const now = balance(Number(weight), p);
      weight = (weight * BigInt(q)) % field.modulus;
      return now;
    });
    setArguments(
      words,
      [L.C_WEIGHTS, pack(weights[0]!, weights[1]!)],
      [L.C_WEIGHTS + 4, pack(weights[2]!, weights[3]!)],
    );
  }

  primesFor(bound: number): number {
    return primesForBound(bound, PRIMES, SLACK);
  }

  transformLength(length: number): number {
    let n = 4;
    while (n < length) n *= 2;
    if (n >= 16 && (n / 4) * 3 >= length) n = (n / 4) * 3;
    return n <= LONGEST || (n % 3 === 0 && n <= 3 * LONGEST) ? n : Infinity;
  }

  prepare(): void {
    if (this.tables !== 0) return;
    const size = LONGEST / 2;
    this.tables = this.memory.alloc(PRIMES.length * 6 * size * 4);
    PRIMES.forEach((q, l) => {
      rootTables(size, q).forEach((table, t) => {
        const at = this.tables + (l * 6 + t) * size * 4;
        this.memory.u32(this.at + l * L.PRIME_BYTES, L.PRIME_BYTES / 4)[(L.ROOTS >> 2) + t] = at;
        this.memory.i32(at, size).set(Int32Array.from(table, (w) => pairOf(w, q)));
      });
    });
  }

  inverseLengths(n: number, primes: number): readonly number[] {
    const found = this.inverses.get(n) ?? PRIMES.map((q) => pairOf(inverse(n, q), q));
    this.inverses.set(n, found);
    return found.slice(0, primes);
  }

  scratchBytes(_rows: number, inner: number, cols: number): number {
    return 512 * Math.ceil(inner / 8) * Math.ceil(cols / 8);
  }

  dispose(): void {
    this.memory.release(this.at);
    this.memory.release(this.back);
    if (this.tables !== 0) this.memory.release(this.tables);
  }
}

/** The share of 1.5·2^23, in the bits of a quotient, in its product with m. */
function biasOf(m: number): number {
  return Number(BigInt.asIntN(32, MAGIC_BITS * BigInt(m)));
}

/** The constant w as kernels want it: balanced, and round(2^15·w/q). */
function pairOf(w: number, q: number): number {
  const b = balance(w, q);
  return pack(b, Math.round((b * 2 ** 15) / q));
}

/** Two integers of 16 bits in a word, the first one low. */
function pack(low: number, high: number): number {
  return (low & 0xffff) | (high << 16);
}
