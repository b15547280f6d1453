// Residue prelude: residues mod p, 2^16 < p < 2^31, one a word.
//
// A sum is s0 + 2^16·s1 + 2^32·s2 + 2^48·s3, all u32. With x = x0 + 2^16·x1, v likewise, x1, v1 < 2^15:
//   x·v = a + 2^16·b + 2^32·c,   a = x0·v0,   b = x0·v1 + x1·v0,   c = x1·v1
// b + (a >> 16) ≤ 2(2^16 − 1)(2^15 − 1) + 2^16 − 1 < 2^32, so carries are passed on within u32, and a term adds at most
// 65535 to each s_i: TERMS of them fit beside a folded value. Reduction is Montgomery's, by 2^32. Other digits of v
// take fewer instructions but more registers: sparse products are slower with them (test/bench/RESULTS.md#gpu-spmm).
override P: u32;
override NEGATIVE_INVERSE: u32; // −1/p mod 2^32
override M0: u32; // 2^32 mod p
override M1: u32; // 2^48 mod p
override M2: u32; // 2^64 mod p
override M3: u32; // 2^80 mod p
override TERMS: u32;

struct Sums { s0: Words, s1: Words, s2: Words, s3: Words }

fn sums_zero() -> Sums { return Sums(Words(0u), Words(0u), Words(0u), Words(0u)); }

// s ± w
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  let u = select(w, Words(P) - w, negative);
  return Sums(s.s0 + (u & Words(0xffffu)), s.s1 + (u >> Words(16u)), s.s2, s.s3);
}

// s + v·w, v one residue
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  let v0 = v & 0xffffu;
  let v1 = v >> 16u;
  let x0 = w & Words(0xffffu);
  let x1 = w >> Words(16u);
  let a = x0 * v0;
  let b = x0 * v1 + x1 * v0 + (a >> Words(16u));
  let c = x1 * v1 + (b >> Words(16u));
  return Sums(
    s.s0 + (a & Words(0xffffu)), s.s1 + (b & Words(0xffffu)),
    s.s2 + (c & Words(0xffffu)), s.s3 + (c >> Words(16u)),
  );
}

// The upper 32 bits of a·b; every partial sum is below 2^32.
fn high_product(a: Words, b: Words) -> Words {
  let a0 = a & Words(0xffffu);
  let a1 = a >> Words(16u);
  let b0 = b & Words(0xffffu);
  let b1 = b >> Words(16u);
  let t = a1 * b0 + ((a0 * b0) >> Words(16u));
  let u = a0 * b1 + (t & Words(0xffffu));
  return a1 * b1 + (t >> Words(16u)) + (u >> Words(16u));
}

// a·b / 2^32 mod p for any a and b < p: high(a·b) < p, high(m·p) < p, and the low halves cancel with a carry unless
// both are 0.
fn montgomery(a: Words, b: u32) -> Words {
  let low = a * b;
  let r = high_product(a, Words(b)) + high_product(low * NEGATIVE_INVERSE, Words(P))
    + select(Words(0u), Words(1u), low != Words(0u));
  return select(r, r - Words(P), r >= Words(P));
}

fn add(a: Words, b: Words) -> Words {
  let s = a + b;
  return select(s, s - Words(P), s >= Words(P));
}

fn sums_value(s: Sums) -> Words {
  return add(
    add(montgomery(s.s0, M0), montgomery(s.s1, M1)),
    add(montgomery(s.s2, M2), montgomery(s.s3, M3)),
  );
}

fn sums_fold(s: Sums) -> Sums {
  let value = sums_value(s);
  return Sums(value & Words(0xffffu), value >> Words(16u), Words(0u), Words(0u));
}

// a·b times a factor that all such products have, here 2^-32; of residues.
fn scaled_product(a: Words, b: u32) -> Words { return montgomery(a, b); }

const RESIDUES_A_WORD = 1u;

fn word_residue(word: u32, _k: u32) -> u32 { return word; }

// Two residues from the host, in PAIR_VALUES words.
const PAIR_VALUES = 2u;
fn pair_value(words: vec2<u32>, k: u32) -> u32 { return words[k]; }
