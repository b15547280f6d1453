// Work of no use: turns that each wait for the one before, so that they last as long on a device of many cores as on one of few.
struct Params { turns: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  var x = at;
  for (var turn = 0u; turn < params.turns; turn++) { x = x * 1664525u + 1013904223u; }
  if (at < arrayLength(&result)) { result[at] = x; }
}
