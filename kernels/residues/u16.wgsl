// Residue prelude: residues mod p < 2^16, one a word. `Words` (u32, vec2 or vec4 of it) is what an invocation loads at
// once.
//
// A sum is lo + 2^8·hi, both components u32. With v = v0 + 2^8·v1 a product adds x·v0 and x·v1, each at most
// 255·(p − 1): TERMS of them (fields/reduction.ts) fit beside a folded value, then the sum is folded. So a product and
// its share of the sum are two multiply-adds, where halves of a 32-bit product would have to be parted.
override P: u32;
override TERMS: u32;

struct Sums { lo: Words, hi: Words }

// Of canonical residues.
fn add(a: Words, b: Words) -> Words {
  let s = a + b;
  return min(s, s - Words(P));
}

fn sums_zero() -> Sums { return Sums(Words(0u), Words(0u)); }

// s ± w. p − w is at most p for a canonical w.
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  return Sums(s.lo + select(w, Words(P) - w, negative), s.hi);
}

// s + v·w, v one residue
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  return Sums(s.lo + w * (v & 0xffu), s.hi + w * (v >> 8u));
}

// 256·(hi mod p) < 2^24, for which lo leaves room (fields/reduction.ts through TERMS).
fn sums_value(s: Sums) -> Words { return ((s.hi % Words(P)) * 256u + s.lo) % Words(P); }

fn sums_fold(s: Sums) -> Sums { return Sums(sums_value(s), Words(0u)); }

const RESIDUES_A_WORD = 1u;

fn word_residue(word: u32, _k: u32) -> u32 { return word; }

// Two residues from the host, in PAIR_VALUES words; what is beyond them is not looked at.
const PAIR_VALUES = 1u;
fn pair_value(words: vec2<u32>, k: u32) -> u32 { return select(words.x & 0xffffu, words.x >> 16u, k == 1u); }
