// Field prelude: residues mod p < 2^16, one a word. `Words` (u32, vec2 or vec4 of it) is what an invocation loads at once.
//
// A sum is lo + 2^16·hi, both components u32. A product is below 2^32, and its two halves are at most 65535, as a single
// residue is: TERMS of them (fields/reduction.ts) fit beside a folded value, then the sum is folded.
override P: u32;
override R16: u32; // 2^16 mod p
override TERMS: u32;

struct Sums { lo: Words, hi: Words }

fn sums_zero() -> Sums { return Sums(Words(0u), Words(0u)); }

// s ± w. p − w is at most p for a canonical w.
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  return Sums(s.lo + select(w, Words(P) - w, negative), s.hi);
}

// s + v·w, v one residue
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  let t = w * v;
  return Sums(s.lo + (t & Words(0xffffu)), s.hi + (t >> Words(16u)));
}

// ((p − 1) + (p − 1)²) < 2^32
fn sums_value(s: Sums) -> Words { return ((s.hi % Words(P)) * R16 + s.lo % Words(P)) % Words(P); }

fn sums_fold(s: Sums) -> Sums { return Sums(sums_value(s), Words(0u)); }

const RESIDUES_A_WORD = 1u;

fn word_residue(word: u32, _k: u32) -> u32 { return word; }
