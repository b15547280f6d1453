// y[i, ·] ← y[i, ·] + Σ_t x[i, t]·a[t, ·]; one invocation owns one `Words` of y.
//
// a comes from the host in the arena, from `Words` a_first on, in y's own form; x may have another form (X_PAIRS).
struct Params { words: u32, lanes: u32, terms: u32, a_first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<Words>;
@group(0) @binding(2) var<storage, read> x: array<u32>;
@group(0) @binding(3) var<storage, read_write> y: array<Words>;
override X_PAIRS: bool;

fn residue_of_x(i: u32) -> u32 {
  if (X_PAIRS) { return (x[i >> 1u] >> ((i & 1u) * 16u)) & 0xffffu; }
  return x[i];
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.words) { return; }
  let i = at / params.lanes;
  let lane = at % params.lanes;
  var s = sums_unit(sums_zero(), y[at], false);
  var terms = 1u;
  for (var t = 0u; t < params.terms; t++) {
    if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
    terms++;
    s = sums_mul(s, a[params.a_first + t * params.lanes + lane], residue_of_x(i * params.terms + t));
  }
  y[at] = sums_value(s);
}
