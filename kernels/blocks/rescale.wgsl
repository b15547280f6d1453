// y ← beta·y; one invocation owns one `Words`.
struct Params { words: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> y: array<Words>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at < params.words) { y[at] = sums_value(sums_mul(sums_zero(), y[at], params.beta)); }
}
