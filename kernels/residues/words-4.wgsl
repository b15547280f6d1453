// One load of an invocation: four words, the 16 bytes of the widest load.
alias Words = vec4<u32>;
const WORD_COUNT = 4u;
fn word_of(w: Words, k: u32) -> u32 { return w[k]; }
