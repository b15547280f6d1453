// One load of an invocation: four words, the 16 bytes of the widest load.
alias Words = vec4<u32>;
alias Signed = vec4<i32>;
alias Floats = vec4<f32>; // a number of each word
const WORD_COUNT = 4u;
fn word_of(w: Words, k: u32) -> u32 { return w[k]; }
