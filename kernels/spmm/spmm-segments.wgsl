// Partial sums of long rows: parts[first + segment] ← Σ over the segment of a·X, LANES `Words` each.
//
// A team owns (segment, ABREAST lanes): TEAM invocations a lane, neighbours in a team on neighbouring lanes, whose
// words of X stand side by side. An invocation adds up at most 9 entries, fewer than TERMS, so nothing is folded on the
// way. Behind kernels/residues/workgroup-sum.wgsl.
struct Params { begin: u32, end: u32, first: u32 } // segments of the piece, and what stands before it
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> segments: array<vec4<u32>>; // ±1 entries from x to y, general ones from z to w
@group(0) @binding(2) var<storage, read> units: array<u32>;
@group(0) @binding(3) var<storage, read> generals: array<vec2<u32>>;
@group(0) @binding(4) var<storage, read> x: array<Words>;
@group(0) @binding(5) var<storage, read_write> parts: array<Words>;
override LANES: u32;
override TEAM: u32;
override ABREAST: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let across = (LANES + ABREAST - 1u) / ABREAST;
  let team = linear_group(id, groups) * (WORKGROUP / (TEAM * ABREAST)) + local / (TEAM * ABREAST);
  let member = local / ABREAST % TEAM;
  let lane = team % across * ABREAST + local % ABREAST;
  let at = params.begin + team / across;
  let has_work = at < params.end && lane < LANES;
  var s = sums_zero();
  if (has_work) {
    let segment = segments[at];
    for (var k = segment.x + member; k < segment.y; k += TEAM) {
      let e = units[k];
      s = sums_unit(s, x[(e >> 1u) * LANES + lane], (e & 1u) == 1u);
    }
    for (var k = segment.z + member; k < segment.w; k += TEAM) {
      let e = generals[k];
      s = sums_mul(s, x[e.x * LANES + lane], e.y);
    }
  }
  let sum = sum_over_team(local, member, TEAM, ABREAST, sums_value(s));
  if (has_work && member == 0u) { parts[(params.first + at) * LANES + lane] = sum; }
}
