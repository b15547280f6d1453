/**
 * The constants of the transforms in 16-bit lanes, byte offsets: read as TypeScript by ntt-primes-14bit.ts, which
 * writes them, and as AssemblyScript by ntt-u16.as.ts and mul-ntt-u16.as.ts, so it holds numbers alone.
 */

// Of one prime.
export const Q = 0;
export const Q_RECIPROCAL = 4; // f32
export const BIAS = 8; // MAGIC_BITS·q mod 2^32
export const COARSE = 12; // round(2^15/q), 16 bits
export const FINE = 14; // round(2^27/q), 16 bits
export const CUBE_ROOT = 16; // pair of 16 bits each: root, round(2^15·root/q)
export const RUN = 20; // eights of products that one 32-bit sum holds
export const ROOTS = 32; // addresses of the tables of pairs c, ω·c, ω²·c, c^-1, ω^-1·c^-1, ω^-2·c^-1
export const EARLIER = 64; // pairs: inverses of the primes before this one
export const PRIME_BYTES = 128;

// For going back to residues mod p.
export const C_P = 0;
export const C_RECIPROCAL = 4; // f32
export const C_BIAS = 8; // MAGIC_BITS·p mod 2^32
export const C_WEIGHTS = 16; // q_0·…·q_(l−1) mod p, balanced, 16 bits each
export const C_BYTES = 64;
