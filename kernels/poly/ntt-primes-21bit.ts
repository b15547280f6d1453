/**
 * The primes of the transforms, their roots of unity, and the constants for going back to residues mod p.
 *
 *   q ≡ 1 mod 3·2^k: transforms of length 2^m and 3·2^m with m ≤ k
 *
 * Magnitudes for kernels/poly/ntt-u32.as.ts: q ≤ 1769473, the largest here. How many primes a product needs:
 * fields/transform-bounds.ts.
 *
 * Source: Pollard 1971 (transforms modulo several primes); Garner 1959.
 */
import { digitSlack, primesForBound } from '../../fields/transform-bounds.js';
import type { WordPrime } from '../../fields/word-prime.js';
import type { KernelMemory } from '../threads/memory.js';
import type { Transforms } from './mul-plan.js';
import * as L from './ntt-u32-layout.js';
import { groupsOf } from './poly-matrix.js';
import { balance, cubeRoot, inverse, rootTables } from './roots-of-unity.js';

interface TransformPrime {
  readonly q: number;
  readonly levels: number; // k
}

/** By preference: the last one serves shorter transforms only. */
export const PRIMES: readonly TransformPrime[] = [
  { q: 1769473, levels: 16 },
  { q: 1376257, levels: 16 },
  { q: 1179649, levels: 17 },
  { q: 786433, levels: 18 },
  { q: 1720321, levels: 14 },
];

/** The longest transform, or a third of it, that the first 0, 1, 2, … primes have. */
const LONGEST: readonly number[] = [Infinity, ...PRIMES].map((_, count) =>
  Math.min(...PRIMES.slice(0, count).map(({ levels }) => 2 ** levels)),
);

const MODULI = PRIMES.map(({ q }) => q);

/** Garner's digits are |v_l| ≤ 0.82·q_l (mul-ntt-u32.as.ts). */
const SLACK = digitSlack(0.82);

/** p/2 up to which residues need no reduction before a transform: half of the smallest prime. */
const SMALL_HALF = Math.floor(Math.min(...MODULI) / 2);

const MAGIC = 12582912; // 1.5·2^23
const MAGIC_BITS = 0x4b400000n;

/** The primes' constants in kernel memory: one block a prime, and tables of roots that grow when needed. */
export class Transforms21Bit implements Transforms {
  readonly lanes = 4;
  readonly kernels = ['nttForwardU32', 'nttPointwiseU32', 'nttInverseU32'] as const;
  readonly forwardWord: 0 | 1; // 1 where residues need a reduction
  readonly level = 6.8;
  readonly products = 5.5;
  readonly at: number; // PRIMES.length blocks
  readonly back: number; // constants for p
  private readonly memory: KernelMemory;
  private tables = 0;
  private size = 0; // roots in each table
  private readonly inverses = new Map<number, readonly number[]>();

  constructor(memory: KernelMemory, field: WordPrime) {
    this.memory = memory;
    this.forwardWord = field.p / 2 > SMALL_HALF ? 1 : 0;
    this.at = memory.allocZeroed(PRIMES.length * L.PRIME_BYTES);
    this.back = memory.allocZeroed(L.C_BYTES);
    PRIMES.forEach(({ q }, l) => {
      const at = this.at + l * L.PRIME_BYTES;
      const words = memory.i32(at, L.PRIME_BYTES / 4);
      const floats = memory.f32(at, L.PRIME_BYTES / 4);
      words[L.Q >> 2] = q;
      floats[L.Q_RECIPROCAL >> 2] = 1 / q;
      floats[L.MAGIC >> 2] = MAGIC;
      setPair(words, floats, L.CUBE_ROOT >> 2, cubeRoot(q), q);
      memory.f64(at + L.Q_F64, 1)[0] = q;
      memory.f64(at + L.Q_RECIPROCAL_F64, 1)[0] = 1 / q;
      for (let i = 0; i < l; i++) setPair(words, floats, (L.EARLIER >> 2) + 2 * i, inverse(PRIMES[i]!.q % q, q), q);
    });
    const words = memory.i32(this.back, L.C_BYTES / 4);
    const floats = memory.f32(this.back, L.C_BYTES / 4);
    const p = field.p;
    words[L.C_P >> 2] = p;
    floats[L.C_MAGIC >> 2] = MAGIC;
    words[L.C_BIAS >> 2] = Number(BigInt.asIntN(32, MAGIC_BITS * field.modulus));
    let weight = 1n % field.modulus;
    PRIMES.forEach(({ q }, l) => {
      setPair(words, floats, (L.C_WEIGHTS >> 2) + 2 * l, Number(weight), p);
      weight = (weight * BigInt(q)) % field.modulus;
    });
  }

  /** How many primes suffice for coefficients of magnitude ≤ bound; Infinity when all of them do not. */
  primesFor(bound: number): number {
    return primesForBound(bound, MODULI, SLACK);
  }

  /** The shortest transform of at least `length` points that the first `primes` primes have; Infinity if none has. */
  transformLength(length: number, primes: number): number {
    const longest = LONGEST[primes]!;
    let n = 4;
    while (n < length) n *= 2;
    if (n >= 16 && (n / 4) * 3 >= length) n = (n / 4) * 3;
    if (n % 3 !== 0 && n > longest) n = (n / 2) * 3;
    return n <= 3 * longest ? n : Infinity;
  }

  /** Makes the tables long enough for transforms of n points. */
  prepare(n: number): void {
    const wanted = Math.max(2, (n % 3 === 0 ? n / 3 : n) / 2);
    if (wanted <= this.size) return;
    if (this.size > 0) this.memory.release(this.tables);
    this.size = 0; // should memory end here
    const longest = Math.max(wanted, 1024);
    const pairs = longest * 2;
    this.tables = this.memory.alloc(PRIMES.length * 6 * pairs * 4);
    this.size = longest;
    PRIMES.forEach(({ q, levels }, l) => {
      // A prime with fewer levels has a prefix of the table: its longest transforms need no more.
      const size = Math.min(this.size, 2 ** (levels - 1));
      rootTables(size, q).forEach((table, t) => {
        const at = this.tables + (l * 6 + t) * pairs * 4;
        this.memory.u32(this.at + l * L.PRIME_BYTES, L.PRIME_BYTES / 4)[(L.ROOTS >> 2) + t] = at;
        const words = this.memory.i32(at, pairs);
        const floats = this.memory.f32(at, pairs);
        table.forEach((w, i) => {
          setPair(words, floats, 2 * i, w, q);
        });
      });
    });
  }

  /** Pairs N^-1 mod q_l as words for a kernel's arguments. */
  inverseLengths(n: number, primes: number): readonly number[] {
    const key = n * 8 + primes;
    const known = this.inverses.get(key);
    if (known) return known;
    const words = new Int32Array(2 * primes);
    const floats = new Float32Array(words.buffer);
    for (let l = 0; l < primes; l++) setPair(words, floats, 2 * l, inverse(n, PRIMES[l]!.q), PRIMES[l]!.q);
    const found = [...words];
    this.inverses.set(key, found);
    return found;
  }

  scratchBytes(rows: number, inner: number, cols: number): number {
    return 128 * (Math.ceil(rows / 4) * 4 * groupsOf(inner) + inner * groupsOf(cols));
  }

  dispose(): void {
    this.memory.release(this.at);
    this.memory.release(this.back);
    if (this.size > 0) this.memory.release(this.tables);
  }
}

/** The constant w as kernels want it: balanced, and over its modulus in single precision. */
function setPair(words: Int32Array, floats: Float32Array, index: number, w: number, modulus: number): void {
  const b = balance(w, modulus);
  words[index] = b;
  floats[index + 1] = b / modulus;
}
