// v[i, ·] ← d[i]·v[i, ·]; one invocation owns one `Words` of v. d has one residue a word.
struct Params { words: u32, lanes: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> d: array<u32>;
@group(0) @binding(2) var<storage, read_write> v: array<Words>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.words) { return; }
  v[at] = sums_value(sums_mul(sums_zero(), v[at], d[at / params.lanes]));
}
