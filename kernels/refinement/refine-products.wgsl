// Part of one step of refinement: r_i ← 2^s·r_i − Σ_(j in S) a_ij·d_j, row by row, in the order W, S of the lines.
//
// The entries of row i with columns of W stand from bounds[i].x to bounds[i].y, those of S from there to
// bounds[i + 1].x. Sums that wrap are right where the result is below 2^31, which the host tests.
struct Params { rows: u32, scale: i32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bounds: array<vec2<u32>>; // rows + 1
@group(0) @binding(2) var<storage, read> columns: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<i32>;
@group(0) @binding(4) var<storage, read> d: array<i32>;
@group(0) @binding(5) var<storage, read_write> r: array<i32>;
override SHARES: u32; // invocations of a row, a power of two up to WORKGROUP

var<workgroup> sums: array<i32, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let share = local % SHARES;
  let i = linear_group(id, groups) * (WORKGROUP / SHARES) + local / SHARES;
  var sum = 0;
  if (i < params.rows) {
    let end = bounds[i + 1u].x;
    for (var k = bounds[i].y + share; k < end; k += SHARES) { sum += values[k] * d[columns[k]]; }
  }
  sums[local] = sum;
  for (var half = SHARES / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (share < half) { sums[local] += sums[local + half]; }
  }
  if (share == 0u && i < params.rows) { r[i] = params.scale * r[i] - sums[local]; }
}
