// Residue prelude of float words: residues mod p, two a word, the even place in the low half. Otherwise as f32.wgsl: a
// sum for each half of the words.
override P: u32;
override TERMS: u32;
override BALANCED: bool;
override INVERSE: f32;

struct Sums { even: Floats, odd: Floats }

fn sums_zero() -> Sums { return Sums(Floats(0.0), Floats(0.0)); }

// One residue a word.
fn float_of(w: Words) -> Floats {
  let f = Floats(w);
  if (BALANCED) { return select(f, f - Floats(f32(P)), w > Words(P / 2u)); }
  return f;
}

fn even_of(w: Words) -> Floats { return float_of(w & Words(0xffffu)); }

fn odd_of(w: Words) -> Floats { return float_of(w >> Words(16u)); }

// s ± w
fn sums_unit(s: Sums, w: Words, negative: bool) -> Sums {
  let even = even_of(w);
  let odd = odd_of(w);
  return Sums(s.even + select(even, -even, negative), s.odd + select(odd, -odd, negative));
}

// s + v·w, v one float
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  let value = bitcast<f32>(v);
  return Sums(s.even + even_of(w) * value, s.odd + odd_of(w) * value);
}

fn reduce(s: Floats) -> Floats { return s - round(s * INVERSE) * f32(P); }

fn sums_fold(s: Sums) -> Sums { return Sums(reduce(s.even), reduce(s.odd)); }

fn half_value(s: Floats) -> Words {
  let r = reduce(s);
  return Words(select(r, r + Floats(f32(P)), r < Floats(0.0)));
}

fn sums_value(s: Sums) -> Words { return half_value(s.even) | (half_value(s.odd) << Words(16u)); }

fn combine(value: Words, alpha: u32, old: Words, beta: u32) -> Words {
  let even = ((value & Words(0xffffu)) * alpha + (old & Words(0xffffu)) * beta) % Words(P);
  let odd = ((value >> Words(16u)) * alpha + (old >> Words(16u)) * beta) % Words(P);
  return even | (odd << Words(16u));
}
