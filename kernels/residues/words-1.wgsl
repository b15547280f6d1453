// One load of an invocation: one word.
alias Words = u32;
alias Signed = i32;
alias Floats = f32; // a number of each word
const WORD_COUNT = 1u;
fn word_of(w: Words, _k: u32) -> u32 { return w; }
