// Residue prelude of float words (kernels/residues/words.ts): residues mod p, one a word; products are made in f32.
// Values of A come from the host as the bits of floats.
//
// TERMS entries fit beside what a reduction leaves (floatEntriesBeforeReduction of fields/reduction.ts, which has the
// proof of `reduce`). Every number on the way but s·INVERSE is an integer that f32 holds, whatever the order of the
// additions, and whether products are fused with them.
override P: u32;
override TERMS: u32;
override BALANCED: bool; // residues above (p − 1)/2 count as negative ones
override INVERSE: f32; // 1/p

struct Sums { s: Floats }

fn sums_zero() -> Sums { return Sums(Floats(0.0)); }

fn float_of(w: Words) -> Floats {
  let f = Floats(w);
  if (BALANCED) { return select(f, f - Floats(f32(P)), w > Words(P / 2u)); }
  return f;
}

// s ± w
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  let f = float_of(w);
  return Sums(s.s + select(f, -f, negative));
}

// s + v·w, v one float
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums { return Sums(s.s + float_of(w) * bitcast<f32>(v)); }

fn reduce(s: Floats) -> Floats { return s - round(s * INVERSE) * f32(P); }

fn sums_fold(s: Sums) -> Sums { return Sums(reduce(s.s)); }

// What a reduction leaves is from −(p − 1) to p − 1.
fn sums_value(s: Sums) -> Words {
  let r = reduce(s.s);
  return Words(select(r, r + Floats(f32(P)), r < Floats(0.0)));
}

// 2·(p − 1)² < 2^32 for all p of these words.
fn combine(value: Words, alpha: u32, old: Words, beta: u32) -> Words { return (value * alpha + old * beta) % Words(P); }
