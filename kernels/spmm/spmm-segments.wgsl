// Partial sums of long rows: parts[first + segment] ← Σ over the segment of a·X, LANES `Words` each.
//
// A workgroup owns one (segment, lane); an invocation adds up at most 9 entries, fewer than TERMS, so nothing is
// folded on the way. Behind kernels/residues/workgroup-sum.wgsl.
struct Params { segments: u32, first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> segments: array<vec4<u32>>; // ±1 entries from x to y, general ones from z to w
@group(0) @binding(2) var<storage, read> units: array<u32>;
@group(0) @binding(3) var<storage, read> generals: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> x: array<Words>;
@group(0) @binding(5) var<storage, read_write> parts: array<Words>;
override LANES: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  if (group >= params.segments * LANES) { return; }
  let lane = group % LANES;
  let segment = segments[group / LANES];
  var s = sums_zero();
  for (var k = segment.x + local; k < segment.y; k += WORKGROUP) {
    let e = units[k];
    s = sums_unit(s, x[(e >> 1u) * LANES + lane], (e & 1u) == 1u);
  }
  for (var k = segment.z + local; k < segment.w; k += WORKGROUP) {
    let e = generals[k];
    s = sums_mul(s, x[e.x * LANES + lane], e.y);
  }
  let sum = sum_over_workgroup(local, sums_value(s));
  if (local == 0u) { parts[params.first * LANES + group] = sum; }
}
