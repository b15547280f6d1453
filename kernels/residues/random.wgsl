// v[i, j] ← residue i·whole + first + j of a counter-based stream, the same as fields/random.ts gives; v has `width`
// columns. One invocation owns a word of v, whose residues stand row by row, two a word where PAIRS.
//
// Philox4x32-10. Draws above `last`, which is floor(2^32 / P)·P − 1, are drawn again.
struct Params {
  words: u32, width: u32, whole: u32, first: u32,
  key_low: u32, key_high: u32, stream: u32, last: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> v: array<u32>;
override P: u32;
override PAIRS: bool;

// floor(a·b / 2^32). With a = a0 + 2^16·a1, b likewise, u and v are at most (2^16 − 1)² + 2^16 − 1 < 2^32.
fn mul_high(a: u32, b: u32) -> u32 {
  let a0 = a & 0xffffu;
  let a1 = a >> 16u;
  let b0 = b & 0xffffu;
  let b1 = b >> 16u;
  let u = a1 * b0 + ((a0 * b0) >> 16u);
  let v = a0 * b1 + (u & 0xffffu);
  return a1 * b1 + (u >> 16u) + (v >> 16u);
}

fn philox(counter: vec4<u32>) -> vec4<u32> {
  var c = counter;
  var key = vec2<u32>(params.key_low, params.key_high);
  for (var i = 0u; i < 10u; i++) {
    let high0 = mul_high(0xd2511f53u, c.x);
    let high1 = mul_high(0xcd9e8d57u, c.z);
    c = vec4<u32>(high1 ^ c.y ^ key.x, 0xcd9e8d57u * c.z, high0 ^ c.w ^ key.y, 0xd2511f53u * c.x);
    key += vec2<u32>(0x9e3779b9u, 0xbb67ae85u);
  }
  return c;
}

// Residue `at` of v, its residues numbered row by row. `first` + j is below `whole`, so it carries once at most.
fn residue(at: u32) -> u32 {
  let row = at / params.width;
  let start = row * params.whole;
  let low = start + (params.first + at % params.width);
  let high = mul_high(row, params.whole) + select(0u, 1u, low < start);
  let block = vec2<u32>((low >> 2u) | (high << 30u), high >> 2u);
  for (var draw = 0u; ; draw++) {
    let word = philox(vec4<u32>(block, params.stream, draw))[low & 3u];
    if (word <= params.last) { return word % P; }
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.words) { return; }
  if (PAIRS) {
    v[at] = residue(2u * at) | (residue(2u * at + 1u) << 16u);
  } else {
    v[at] = residue(at);
  }
}
