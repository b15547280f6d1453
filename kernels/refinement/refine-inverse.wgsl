// Part of one step of refinement: d_W ← round(C·r_W), a workgroup a row of C. What rounds how does not matter: the
// residual takes d as it is.
struct Params { weak: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> inverse: array<f32>; // C, weak × weak
@group(0) @binding(2) var<storage, read> r: array<i32>;
@group(0) @binding(3) var<storage, read_write> d: array<i32>;

var<workgroup> sums: array<f32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = linear_group(id, groups);
  var sum = 0.0;
  if (i < params.weak) {
    for (var j = local; j < params.weak; j += WORKGROUP) { sum += inverse[i * params.weak + j] * f32(r[j]); }
  }
  sums[local] = sum;
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (local < half) { sums[local] += sums[local + half]; }
  }
  if (local == 0u && i < params.weak) { d[i] = i32(round(sums[0])); }
}
