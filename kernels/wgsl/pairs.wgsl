// Field prelude: residues mod p < 2^16, two a word, the even place in the low half. Otherwise as narrow.wgsl:
// a sum is lo + 2^16·hi for each half of the words.
override P: u32;
override R16: u32; // 2^16 mod p
override TERMS: u32;

struct Sums { lo0: Words, hi0: Words, lo1: Words, hi1: Words }

fn sums_zero() -> Sums { return Sums(Words(0u), Words(0u), Words(0u), Words(0u)); }

// s ± w. (p, p) − w never borrows between the halves: each is at most p − 1.
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  let u = select(w, Words(P * 0x10001u) - w, negative);
  return Sums(s.lo0 + (u & Words(0xffffu)), s.hi0, s.lo1 + (u >> Words(16u)), s.hi1);
}

// s + v·w, v one residue
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  let t0 = (w & Words(0xffffu)) * v;
  let t1 = (w >> Words(16u)) * v;
  return Sums(
    s.lo0 + (t0 & Words(0xffffu)), s.hi0 + (t0 >> Words(16u)),
    s.lo1 + (t1 & Words(0xffffu)), s.hi1 + (t1 >> Words(16u)),
  );
}

fn half_value(lo: Words, hi: Words) -> Words { return ((hi % Words(P)) * R16 + lo % Words(P)) % Words(P); }

fn sums_value(s: Sums) -> Words { return half_value(s.lo0, s.hi0) | (half_value(s.lo1, s.hi1) << Words(16u)); }

fn sums_fold(s: Sums) -> Sums {
  return Sums(half_value(s.lo0, s.hi0), Words(0u), half_value(s.lo1, s.hi1), Words(0u));
}

const RESIDUES_A_WORD = 2u;

fn word_residue(word: u32, k: u32) -> u32 { return select(word & 0xffffu, word >> 16u, k == 1u); }
