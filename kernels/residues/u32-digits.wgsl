// Sums of products mod 2^16 < p < 2^31, behind u32.wgsl, for kernels that compute more than they read.
//
// With w = x0 + 2^16·x1 and v = v0 + 2^11·v1 + 2^21·v2 a term is six multiply-adds, of x_i·v_j to sum s_ij: x0 < 2^16,
// x1 < 2^15, v0 < 2^11 and v1, v2 < 2^10. With TERMS of them beside a folded value s00 leaves room for the 16 bits
// that s01 brings at the end (gpuDigitTermsBeforeFolding of fields/reduction.ts). No carry is passed on, so that a term
// takes half the instructions of u32-sums.wgsl, but there are six sums in place of four.
override TERMS: u32;

struct Sums { s00: Words, s01: Words, s02: Words, s10: Words, s11: Words, s12: Words }

fn sums_zero() -> Sums { return Sums(Words(), Words(), Words(), Words(), Words(), Words()); }

// s + v·w, v one residue
fn sums_mul(s: Sums, w: Words, v: u32) -> Sums {
  let x0 = w & Words(0xffffu);
  let x1 = w >> Words(16u);
  let v0 = v & 0x7ffu;
  let v1 = (v >> 11u) & 0x3ffu;
  let v2 = v >> 21u;
  return Sums(s.s00 + x0 * v0, s.s01 + x0 * v1, s.s02 + x0 * v2, s.s10 + x1 * v0, s.s11 + x1 * v1, s.s12 + x1 * v2);
}

// Σ s_ij·2^(16i + {0, 11, 21}_j), cut where multiples of 2^16 begin. All but the lowest stay below 2^28.
fn sums_value(s: Sums) -> Words {
  let low = Words(0xffffu);
  let half = Words(16u);
  let five = Words(5u);
  let eleven = Words(11u);
  return value_of(
    s.s00 + ((s.s01 & Words(0x1fu)) << eleven),
    (s.s01 >> five) + ((s.s02 & Words(0x7ffu)) << five) + (s.s10 & low) + ((s.s11 & Words(0x1fu)) << eleven),
    (s.s02 >> eleven) + (s.s10 >> half) + (s.s11 >> five) + ((s.s12 & Words(0x7ffu)) << five),
    s.s12 >> eleven,
  );
}

fn sums_fold(s: Sums) -> Sums {
  let value = sums_value(s);
  return Sums(value & Words(0xffffu), Words(), Words(), value >> Words(16u), Words(), Words());
}
