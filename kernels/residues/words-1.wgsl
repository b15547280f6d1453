// One load of an invocation: one word.
alias Words = u32;
const WORD_COUNT = 1u;
fn word_of(w: Words, _k: u32) -> u32 { return w; }
