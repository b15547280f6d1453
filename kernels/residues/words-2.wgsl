// One load of an invocation: two words.
alias Words = vec2<u32>;
alias Signed = vec2<i32>;
alias Floats = vec2<f32>; // a number of each word
const WORD_COUNT = 2u;
fn word_of(w: Words, k: u32) -> u32 { return w[k]; }
