// Y ← Y ± X·M_k on tall blocks of all problems: one invocation `Words` of Y, four residues of a row. The M_k stand in
// the arena, from `first` on.
struct Params { words: u32, lanes: u32, is_minus: u32, first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> problems: array<u32>; // k of each block row
@group(0) @binding(2) var<storage, read> m: array<Words>; // lanes of 4·lanes rows a problem
@group(0) @binding(3) var<storage, read> x: array<Words>;
@group(0) @binding(4) var<storage, read_write> y: array<Words>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.words) { return; }
  let lanes = params.lanes;
  let row = at / lanes;
  let a = params.first + problems[row / SIDE] * 4u * lanes * lanes + at % lanes;
  var sum = sums_zero();
  for (var d = 0u; d < lanes; d++) {
    let factors = x[row * lanes + d];
    for (var t = 0u; t < 4u; t++) { sum = sums_mul(sum, m[a + (4u * d + t) * lanes], residue_of(factors, t)); }
  }
  y[at] = signed_sum(y[at], sums_value(sum), params.is_minus != 0u);
}
