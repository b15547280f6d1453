// y[i] ← Σ x[j] over the columns j of row i; one invocation owns a row, 64 bits.
struct Params { rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> row_ptr: array<u32>;
@group(0) @binding(2) var<storage, read> columns: array<u32>;
@group(0) @binding(3) var<storage, read> x: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read_write> y: array<vec2<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = linear_group(id, groups) * WORKGROUP + local;
  if (i >= params.rows) { return; }
  var sum = vec2(0u);
  let end = row_ptr[i + 1u];
  for (var k = row_ptr[i]; k < end; k++) { sum ^= x[columns[k]]; }
  y[i] = sum;
}
