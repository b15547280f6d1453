// Behind a residue prelude and words-1: canonical residues, one a word, for the kernels on blocks of SIDE × SIDE.
//
// A sum holds the SIDE ≤ 32 products of a row and a column of blocks: TERMS is 255 at least (gpuTermsBeforeFolding of
// fields/reduction.ts).
override SIDE: u32;

const NONE = 0xffffffffu;

// P − 0 counts as P, which one subtraction takes off.
fn signed_sum(y: u32, sum: u32, is_minus: bool) -> u32 {
  let s = y + select(sum, P - sum, is_minus);
  return min(s, s - P);
}

fn times(a: u32, b: u32) -> u32 { return sums_value(sums_mul(sums_zero(), a, b)); }
