// Behind a residue prelude, for the kernels on blocks of SIDE × SIDE: canonical residues, RESIDUES_A_WORD a word.
//
// A sum holds the SIDE ≤ 32 products of a row and a column of blocks, and those of the columns of a tall block, of
// which there are 32 at most: TERMS is 255 at least mod p < 2^16, else 32 (gpuTermsBeforeFolding and
// gpuDigitTermsBeforeFolding of fields/reduction.ts).
override SIDE: u32;

const NONE = 0xffffffffu;

fn residue_of(words: Words, c: u32) -> u32 {
  return word_residue(word_of(words, c / RESIDUES_A_WORD), c % RESIDUES_A_WORD);
}

// y ± sum, one residue a word. P − 0 counts as P, which one subtraction takes off.
fn signed_residues(y: Words, sum: Words, is_minus: bool) -> Words {
  let s = y + select(sum, Words(P) - sum, is_minus);
  return min(s, s - Words(P));
}

fn signed_sum(y: Words, sum: Words, is_minus: bool) -> Words {
  if (RESIDUES_A_WORD == 1u) { return signed_residues(y, sum, is_minus); }
  let low = Words(0xffffu);
  let half = Words(16u);
  return signed_residues(y & low, sum & low, is_minus)
    | (signed_residues(y >> half, sum >> half, is_minus) << half);
}
