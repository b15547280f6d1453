// Y ← alpha·(sums of segments) + beta·Y for the long rows of A; one invocation owns one `Words` of a row.
struct Params { rows: u32, alpha: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> rows: array<vec2<u32>>; // row of Y, first segment; one more at the end
@group(0) @binding(2) var<storage, read> parts: array<Words>;
@group(0) @binding(3) var<storage, read_write> y: array<Words>;
override LANES: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let r = at / LANES;
  let lane = at % LANES;
  if (r >= params.rows) { return; }
  var s = sums_zero();
  var terms = 0u;
  for (var segment = rows[r].y; segment < rows[r + 1u].y; segment++) {
    if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
    s = sums_unit(s, parts[segment * LANES + lane], false);
    terms++;
  }
  let to = rows[r].x * LANES + lane;
  y[to] = combine(sums_value(s), params.alpha, y[to], params.beta);
}
