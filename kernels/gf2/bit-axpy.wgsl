// y[i] ← y[i] + Σ_t (bit t of x[i])·a[t]; one invocation owns a row, 64 bits. a stands in the arena, from row a_first
// on.
struct Params { rows: u32, a_first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> x: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = linear_group(id, groups) * WORKGROUP + local;
  if (i >= params.rows) { return; }
  let w = x[i];
  var sum = y[i];
  for (var t = 0u; t < 32u; t++) {
    // 0 − 1 has all bits.
    sum ^= a[params.a_first + t] & vec2(0u - ((w.x >> t) & 1u));
    sum ^= a[params.a_first + 32u + t] & vec2(0u - ((w.y >> t) & 1u));
  }
  y[i] = sum;
}
