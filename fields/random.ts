/**
 * Counter-based randomness: word i of a stream is a pure function of (seed, stream, i), so every thread, device and
 * executor reads the same numbers in any order. Only 32-bit operations: it ports to WebAssembly and WGSL line by line.
 *
 *   key     = (seed low, seed high)                       counter = (block low, block high, stream, draw)
 *   word i  = lane i mod 4 of the block floor(i / 4)       draw    = 0 first, 1, 2, ... after rejections
 *
 * Source: Philox4x32-10, Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
 */

/** Multipliers and key increments of Philox4x32 (Salmon et al. 2011, section 4.3). */
const M0 = 0xd2511f53;
const M1 = 0xcd9e8d57;
const W0 = 0x9e3779b9;
const W1 = 0xbb67ae85;
const ROUNDS = 10;

/** Philox4x32-10: four words of counter and two of key to four words, written into `out`. */
export function philox(
  out: Uint32Array,
  c0: number,
  c1: number,
  c2: number,
  c3: number,
  k0: number,
  k1: number,
): Uint32Array {
  for (let round = 0; round < ROUNDS; round++) {
    // (hi0, lo0) = M0·c0, (hi1, lo1) = M1·c2, then c = (hi1 ^ c1 ^ k0, lo1, hi0 ^ c3 ^ k1, lo0)
    const hi0 = mulHigh(M0, c0);
    const hi1 = mulHigh(M1, c2);
    const lo0 = Math.imul(M0, c0);
    const lo1 = Math.imul(M1, c2);
    c0 = hi1 ^ c1 ^ k0;
    c1 = lo1;
    c2 = hi0 ^ c3 ^ k1;
    c3 = lo0;
    k0 = (k0 + W0) | 0;
    k1 = (k1 + W1) | 0;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
  return out;
}

/**
 * floor(a·b / 2^32) as a signed word, by halves of both in integers, which take half of what doubles do: u and v are
 * (2^16 − 1)² + 2^16 − 1 < 2^32 at most.
 */
function mulHigh(a: number, b: number): number {
  const a0 = a & 0xffff;
  const a1 = a >>> 16;
  const b0 = b & 0xffff;
  const b1 = b >>> 16;
  const u = (Math.imul(a1, b0) + (Math.imul(a0, b0) >>> 16)) | 0;
  const v = (Math.imul(a0, b1) + (u & 0xffff)) | 0;
  return (Math.imul(a1, b1) + (u >>> 16) + (v >>> 16)) | 0;
}

// Loops by themselves: V8 compiles each once, instead of every caller with all that it calls.

function fillBlocks(out: Uint32Array, offset: number, stream: number, k0: number, k1: number): void {
  const block = new Uint32Array(4);
  for (let j = 0; j < out.length; ) {
    const at = Math.floor((offset + j) / 4);
    philox(block, at | 0, Math.floor(at / 2 ** 32), stream | 0, 0, k0, k1);
    for (let i = (offset + j) % 4; i < 4 && j < out.length; i++) out[j++] = block[i];
  }
}

/**
 * Words from number `from` on become residues; returns the number of the first one that is `limit` or more, which
 * stays. A quotient w/p is 1/p or more below the next integer, and rounded by 2^32/p·2^−53 at most: its floor is right.
 */
function reduceBelow(words: Uint32Array, from: number, p: number, limit: number): number {
  for (let j = from; j < words.length; j++) {
    const word = words[j];
    if (word >= limit) return j;
    words[j] = word - p * Math.floor(word / p);
  }
  return words.length;
}

/** One stream of random words; streams of one seed are independent of each other. */
export class CounterRandom {
  readonly seed: bigint; // 0 ≤ seed < 2^64
  readonly stream: number; // 0 ≤ stream < 2^32
  readonly #k0: number;
  readonly #k1: number;
  readonly #block = new Uint32Array(4);
  readonly #redraw = new Uint32Array(4);
  #at = -1; // the block that #block holds

  constructor(seed: bigint | number, stream: number) {
    this.seed = seed64(seed);
    if (!Number.isInteger(stream) || stream < 0 || stream >= 2 ** 32)
      throw new RangeError(`CounterRandom: expected a stream in 0 … 2^32 - 1, got ${stream}`);
    this.stream = stream;
    this.#k0 = Number(this.seed & 0xffffffffn) | 0;
    this.#k1 = Number(this.seed >> 32n) | 0;
  }

  /** Word i, uniform in [0, 2^32), for 0 ≤ i < 2^53. */
  u32At(i: number): number {
    const at = Math.floor(i / 4);
    if (at !== this.#at) {
      this.#compute(this.#block, at, 0);
      this.#at = at;
    }
    return this.#block[i % 4];
  }

  /** A residue in [0, p), p ≤ 2^32: exactly uniform, words at or above floor(2^32 / p)·p are drawn again. */
  residueAt(i: number, p: number): number {
    const limit = 2 ** 32 - (2 ** 32 % p);
    let word = this.u32At(i);
    // Each draw is refused with probability below 1/2, so the loop ends.
    for (let draw = 1; word >= limit; draw++) {
      word = this.#compute(this.#redraw, Math.floor(i / 4), draw)[i % 4];
    }
    return word % p;
  }

  /** A residue in [1, p), exactly uniform. */
  nonzeroAt(i: number, p: number): number {
    return 1 + this.residueAt(i, p - 1);
  }

  /** out[j] = u32At(offset + j). */
  fillWords(out: Uint32Array, offset = 0): Uint32Array {
    fillBlocks(out, offset, this.stream, this.#k0, this.#k1);
    return out;
  }

  /** out[j] = residueAt(offset + j, p). */
  fillResidues(out: Uint32Array, p: number, offset = 0): Uint32Array {
    const limit = 2 ** 32 - (2 ** 32 % p);
    this.fillWords(out, offset);
    for (let j = reduceBelow(out, 0, p, limit); j < out.length; j = reduceBelow(out, j + 1, p, limit)) {
      out[j] = this.residueAt(offset + j, p);
    }
    return out;
  }

  /**
   * A residue of any modulus, for fields beyond a word: 64 bits more than the modulus has, reduced, so that no residue
   * is more likely than another by more than a factor 1 + 2^-64. Draws 2^31, 2^31 + 1, ... are kept for it.
   */
  bigResidueAt(i: number, modulus: bigint): bigint {
    const blocks = Math.ceil((modulus.toString(2).length + 64) / 128);
    const block = new Uint32Array(4);
    let value = 0n;
    for (let b = 0; b < blocks; b++) {
      philox(block, i, Math.floor(i / 2 ** 32), this.stream, 2 ** 31 + b, this.#k0, this.#k1);
      for (const word of block) value = (value << 32n) | BigInt(word);
    }
    return value % modulus;
  }

  #compute(out: Uint32Array, at: number, draw: number): Uint32Array {
    return philox(out, at | 0, Math.floor(at / 2 ** 32), this.stream | 0, draw, this.#k0, this.#k1);
  }
}

/**
 * The seed of one part of a computation: Philox in Davies-Meyer chaining over the label's UTF-8 bytes, 8 at a time,
 * with the attempt in the first block. Distinct labels or attempts give unrelated seeds.
 */
export function deriveSeed(seed: bigint | number, label: string, attempt = 0): bigint {
  const bytes = new TextEncoder().encode(label);
  const start = seed64(seed);
  let k0 = Number(start & 0xffffffffn);
  let k1 = Number(start >> 32n);
  const out = new Uint32Array(4);
  philox(out, attempt, Math.floor(attempt / 2 ** 32), bytes.length, 0xffffffff, k0, k1);
  for (let at = 0; at < bytes.length; at += 8) {
    [k0, k1] = [out[0] ^ out[2], out[1] ^ out[3]];
    philox(out, littleEndian(bytes, at), littleEndian(bytes, at + 4), at, 0xfffffffe, k0, k1);
    out[0] ^= k0;
    out[1] ^= k1;
  }
  return (BigInt(out[1]) << 32n) | BigInt(out[0]);
}

/** Bytes at … at + 3 as one word; bytes past the end are 0 (the length is in the first block). */
function littleEndian(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let b = 3; b >= 0; b--) word = (word << 8) | (bytes[at + b] ?? 0);
  return word;
}

/** The seed as 64 bits; anything that does not fit is refused rather than folded. */
function seed64(seed: bigint | number): bigint {
  if (typeof seed === 'number' && !Number.isSafeInteger(seed))
    throw new RangeError(`seed: expected an integer (a bigint beyond 2^53), got ${seed}`);
  const value = BigInt(seed);
  if (value < 0n || value >= 1n << 64n) throw new RangeError(`seed: expected 0 … 2^64 - 1, got ${value}`);
  return value;
}
