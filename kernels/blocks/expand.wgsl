// y[i, ·] ← y[i, ·] + Σ_a U[r·layers + a, i]·c[r·layers + a, ·], i of block row r; one invocation owns one `Words` of
// y.
//
// c comes from the host in the arena, from `Words` c_first on, in y's own form.
struct Params { words: u32, lanes: u32, rows: u32, layers: u32, c_first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> c: array<Words>;
@group(0) @binding(2) var<storage, read> bounds: array<u32>; // rows + 1
@group(0) @binding(3) var<storage, read> coefficients: array<u32>;
@group(0) @binding(4) var<storage, read_write> y: array<Words>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.words) { return; }
  let i = at / params.lanes;
  let lane = at % params.lanes;
  // The block row of i: bounds[low] ≤ i < bounds[high], empty ones passed over.
  var low = 0u;
  var high = params.rows;
  while (high - low > 1u) {
    let middle = (low + high) / 2u;
    if (bounds[middle] <= i) { low = middle; } else { high = middle; }
  }
  var s = sums_unit(sums_zero(), y[at], false);
  for (var a = 0u; a < params.layers; a++) {
    let place = params.c_first + (low * params.layers + a) * params.lanes + lane;
    s = sums_mul(s, c[place], coefficients[i * params.layers + a]);
  }
  y[at] = sums_value(s);
}
