// values[l, entry, ·] ← the transform of an entry's coefficients modulo prime l, bit-reversed and canonical: decimation
// in frequency.
//
// A workgroup owns TILE consecutive values: TILE / N transforms; or, LOADED, a part of one whose upper levels are done.
// Coefficients are read 2^log_spread lanes at a time, as they stand in memory.
// roots: for each prime and direction params.roots pairs, the one at half + j being w^j for w of order 2·half.
@group(0) @binding(2) var<storage, read> roots: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> values: array<u32>;
override TILE: u32;
override LOADED: bool;

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
  let points = 1u << params.log_points;
  let each = params.entries << params.log_points;
  let base = (group % params.tiles) * TILE;
  for (var i = local; i < TILE; i += WORKGROUP) {
    if (LOADED) {
      tile[i] = values[l * each + base + i];
      continue;
    }
    let spread = params.log_spread;
    let k = (i >> spread) & (points - 1u);
    let own = ((i >> (spread + params.log_points)) << spread) + (i & ((1u << spread) - 1u));
    let entry = (base >> params.log_points) + own;
    var value = 0u;
    if (entry < params.entries) { value = coefficient(entry, k, q); }
    tile[(own << params.log_points) + k] = value;
  }
  // (u, v) ← (u + v, (u − v)·w^j)
  let table = 2u * l * params.roots;
  for (var half = min(points, TILE) / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    for (var b = local; b < TILE / 2u; b += WORKGROUP) {
      let j = b & (half - 1u);
      let at = 2u * b - j;
      let u = tile[at];
      let v = tile[at + half];
      tile[at] = add_loose(u, v, q);
      tile[at + half] = times(u + 2u * q - v, roots[table + half + j], q);
    }
  }
  workgroupBarrier();
  for (var i = local; i < TILE; i += WORKGROUP) {
    if (base + i < each) { values[l * each + base + i] = canonical(tile[i], q); }
  }
}
