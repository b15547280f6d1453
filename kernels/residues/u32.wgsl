// Residue prelude: residues mod p, 2^16 < p < 2^31, one a word; sums of products are those of u32-sums.wgsl or
// u32-digits.wgsl behind it.
//
// Reduction is Montgomery's, by 2^16 at a time, of s0 + 2^16·s1 + 2^32·s2 + 2^48·s3. With p = p0 + 2^16·p1 and
// m = s/p mod 2^16 the lower halves of s and m·p0 are equal, so (s + 2^16·t − m·p) / 2^16 =
// t + (s >> 16) − (m·p0 >> 16) − m·p1. From s > −p and t ≥ 0 that is above −(p + (2^16 − 1)·p) / 2^16 = −p again, and
// it is at most t + (s >> 16): i32 holds it where s1, s2, s3 ≤ 2^31 − 2^16, whatever word s0 is.
override P: u32;
override P_INVERSE: u32; // 1/p mod 2^32
override POWER_64: u32; // 2^64 mod p
override POWER_80: u32; // 2^80 mod p

// w·v = a mod 2^16 + 2^16·(b mod 2^16) + 2^32·c of residues or less: with w = x0 + 2^16·x1, v likewise, x1, v1 < 2^15,
// b ≤ 2(2^16 − 1)(2^15 − 1) + 2^16 − 1 < 2^32.
struct Product { a: Words, b: Words, c: Words }

fn product(w: Words, v: u32) -> Product {
  let v0 = v & 0xffffu;
  let v1 = v >> 16u;
  let x0 = w & Words(0xffffu);
  let x1 = w >> Words(16u);
  let a = x0 * v0;
  let b = x0 * v1 + x1 * v0 + (a >> Words(16u));
  return Product(a, b, x1 * v1 + (b >> Words(16u)));
}

// (s + 2^16·t) / 2^16 mod p by s mod 2^16 and s >> 16, as above.
fn divide(s: Words, upper: Signed, t: Signed) -> Signed {
  let m = (s * P_INVERSE) & Words(0xffffu);
  return t + upper - Signed((m * (P & 0xffffu)) >> Words(16u)) - Signed(m * (P >> 16u));
}

// Below 2^31 and not negative: x + p where x < 0.
fn positive(x: Signed) -> Words { return min(Words(x), Words(x) + Words(P)); }

// a·b / 2^32 mod p for a < 2^31 and b < p: c ≤ a·b / 2^32 < p is what the last step has at most.
fn montgomery(a: Words, b: u32) -> Words {
  let t = product(a, b);
  let s = divide(t.a, Signed(), Signed(t.b & Words(0xffffu)));
  return positive(divide(Words(s), s >> Words(16u), Signed(t.c)));
}

fn add(a: Words, b: Words) -> Words {
  let s = a + b;
  return min(s, s - Words(P));
}

// (s0 + 2^16·s1 + 2^32·s2 + 2^48·s3) mod p: three steps leave a 2^48th.
fn value_of(s0: Words, s1: Words, s2: Words, s3: Words) -> Words {
  let half = Words(16u);
  let t1 = divide(s0, Signed(s0 >> half), Signed(s1));
  let t2 = divide(Words(t1), t1 >> half, Signed(s2));
  let t3 = divide(Words(t2), t2 >> half, Signed(s3));
  return montgomery(positive(t3), POWER_80);
}

// a·b times a factor that all such products have, here 2^-32; of residues.
fn scaled_product(a: Words, b: u32) -> Words { return montgomery(a, b); }

const RESIDUES_A_WORD = 1u;

fn word_residue(word: u32, _k: u32) -> u32 { return word; }

// Two residues from the host, in PAIR_VALUES words.
const PAIR_VALUES = 2u;
fn pair_value(words: vec2<u32>, k: u32) -> u32 { return words[k]; }
