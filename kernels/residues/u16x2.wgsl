// Residue prelude: residues mod p < 2^16, two a word, the even place in the low half. Otherwise as u16.wgsl:
// a sum is lo + 2^8·hi for each half of the words.
override P: u32;
override TERMS: u32;

struct Sums { lo0: Words, hi0: Words, lo1: Words, hi1: Words }

fn add_halves(a: Words, b: Words) -> Words {
  let s = a + b;
  return min(s, s - Words(P));
}

// Of canonical residues.
fn add(a: Words, b: Words) -> Words {
  let low = Words(0xffffu);
  let half = Words(16u);
  return add_halves(a & low, b & low) | (add_halves(a >> half, b >> half) << half);
}

fn sums_zero() -> Sums { return Sums(Words(0u), Words(0u), Words(0u), Words(0u)); }

// s ± w. (p, p) − w never borrows between the halves: each is at most p − 1.
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  let u = select(w, Words(P * 0x10001u) - w, negative);
  return Sums(s.lo0 + (u & Words(0xffffu)), s.hi0, s.lo1 + (u >> Words(16u)), s.hi1);
}

// s + v·w, v one residue
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  let even = w & Words(0xffffu);
  let odd = w >> Words(16u);
  let v0 = v & 0xffu;
  let v1 = v >> 8u;
  return Sums(s.lo0 + even * v0, s.hi0 + even * v1, s.lo1 + odd * v0, s.hi1 + odd * v1);
}

// 256·(hi mod p) < 2^24, for which lo leaves room (fields/reduction.ts through TERMS).
fn half_value(lo: Words, hi: Words) -> Words { return ((hi % Words(P)) * 256u + lo) % Words(P); }

fn sums_value(s: Sums) -> Words { return half_value(s.lo0, s.hi0) | (half_value(s.lo1, s.hi1) << Words(16u)); }

fn sums_fold(s: Sums) -> Sums {
  return Sums(half_value(s.lo0, s.hi0), Words(0u), half_value(s.lo1, s.hi1), Words(0u));
}

// a·b times a factor that all such products have, here 1; of residues.
fn scaled_product(a: u32, b: u32) -> u32 { return a * b % P; }

const RESIDUES_A_WORD = 2u;

fn word_residue(word: u32, k: u32) -> u32 { return select(word & 0xffffu, word >> 16u, k == 1u); }

// Two residues from the host, in PAIR_VALUES words; what is beyond them is not looked at.
const PAIR_VALUES = 1u;
fn pair_value(words: vec2<u32>, k: u32) -> u32 { return select(words.x & 0xffffu, words.x >> 16u, k == 1u); }
