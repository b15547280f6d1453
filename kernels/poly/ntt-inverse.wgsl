// values[l, entry, ·] ← N times the coefficients of what has these values, loose: decimation in time, from bit-reversed
// order.
//
// In place, loose values taken; tiles as in ntt-forward.wgsl, longer transforms going on in ntt-level.wgsl.
struct Params { log_points: u32, entries: u32, tiles: u32, primes: u32, roots: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> roots: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> values: array<u32>;
override TILE: u32;

var<workgroup> tile: array<u32, TILE>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  if (group >= params.tiles * params.primes) { return; }
  let l = group / params.tiles;
  let q = modulus(l);
  let each = params.entries << params.log_points;
  let base = (group % params.tiles) * TILE;
  for (var i = local; i < TILE; i += WORKGROUP) {
    var value = 0u;
    if (base + i < each) { value = values[l * each + base + i]; }
    tile[i] = value;
  }
  // (u, v) ← (u + v·w^−j, u − v·w^−j)
  let table = (2u * l + 1u) * params.roots;
  for (var half = 1u; half < min(1u << params.log_points, TILE); half *= 2u) {
    workgroupBarrier();
    for (var b = local; b < TILE / 2u; b += WORKGROUP) {
      let j = b & (half - 1u);
      let at = 2u * b - j;
      let u = tile[at];
      let v = times(tile[at + half], roots[table + half + j], q);
      tile[at] = add_loose(u, v, q);
      tile[at + half] = add_loose(u, 2u * q - v, q);
    }
  }
  workgroupBarrier();
  for (var i = local; i < TILE; i += WORKGROUP) {
    if (base + i < each) { values[l * each + base + i] = tile[i]; }
  }
}
