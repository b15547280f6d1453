/**
 * The constants of the transforms in 32-bit lanes, byte offsets: read as TypeScript by ntt-primes-21bit.ts, which
 * writes them, and as AssemblyScript by ntt-u32.as.ts, mul-ntt-u32.as.ts and pointwise-u32.as.ts, so it holds numbers
 * alone.
 */

// Of one prime.
export const Q = 0;
export const Q_RECIPROCAL = 4; // f32
export const MAGIC = 8; // 1.5·2^23 as f32
export const CUBE_ROOT = 12; // pair: root, root/q
export const ROOTS = 20; // addresses of the tables c, ω·c, ω²·c, c^-1, ω^-1·c^-1, ω^-2·c^-1
export const Q_F64 = 48;
export const Q_RECIPROCAL_F64 = 56;
export const EARLIER = 64; // pairs: inverses of the primes before this one
export const PRIME_BYTES = 128;

// For going back to residues mod p.
export const C_P = 0;
export const C_MAGIC = 4; // 1.5·2^23 as f32
export const C_BIAS = 8; // 0x4B400000·p mod 2^32
export const C_WEIGHTS = 16; // pairs: q_0·…·q_(l−1) mod p, balanced, and that over p
export const C_BYTES = 64;
