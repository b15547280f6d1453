// Sums of products mod 2^16 < p < 2^31, behind u32.wgsl: s0 + 2^16·s1 + 2^32·s2 + 2^48·s3.
//
// A term adds at most 65535 to each s_i: with TERMS of them beside a folded value s_i ≤ 2^31 − 2^16
// (gpuTermsBeforeFolding of fields/reduction.ts). The sums of u32-digits.wgsl take fewer instructions but more
// registers: sparse products are slower with them (test/bench/RESULTS.md#gpu-spmm).
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
  let t = product(w, v);
  return Sums(
    s.s0 + (t.a & Words(0xffffu)), s.s1 + (t.b & Words(0xffffu)),
    s.s2 + (t.c & Words(0xffffu)), s.s3 + (t.c >> Words(16u)),
  );
}

fn sums_value(s: Sums) -> Words { return value_of(s.s0, s.s1, s.s2, s.s3); }

fn sums_fold(s: Sums) -> Sums {
  let value = sums_value(s);
  return Sums(value & Words(0xffffu), value >> Words(16u), Words(0u), Words(0u));
}
