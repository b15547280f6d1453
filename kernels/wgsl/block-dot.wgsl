// parts[chunk] ← Σ_i l[i, ·]ᵀ·z[i, ·] over the rows i of a chunk: left × lanes `Words`, from `first` on.
//
// l is a block vector (blockDot) or the coefficients of a structured projection, `left` residues a row. A workgroup owns
// one tile of pairs (row of lᵀ, lane) of one chunk; what is left of its invocations shares the chunk's rows.
struct Params { chunks: u32, left: u32, lanes: u32, tiles: u32, splits: u32, first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chunks: array<vec2<u32>>; // first row, end
@group(0) @binding(2) var<storage, read> l: array<u32>;
@group(0) @binding(3) var<storage, read> z: array<Words>;
@group(0) @binding(4) var<storage, read_write> parts: array<Words>;
override L_PAIRS: bool;

var<workgroup> shares: array<Words, WORKGROUP>;

fn residue_of_l(i: u32) -> u32 {
  if (L_PAIRS) { return (l[i >> 1u] >> ((i & 1u) * 16u)) & 0xffffu; }
  return l[i];
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  if (group >= params.chunks * params.tiles) { return; }
  let chunk = group / params.tiles;
  let pairs = params.left * params.lanes;
  let owned = WORKGROUP / params.splits; // pairs of a tile
  let pair = (group % params.tiles) * owned + local % owned;
  let split = local / owned;
  let working = pair < pairs && split < params.splits;
  var s = sums_zero();
  if (working) {
    let a = pair / params.lanes;
    let lane = pair % params.lanes;
    var terms = 0u;
    let end = chunks[chunk].y;
    let step = params.splits;
    var i = chunks[chunk].x + split;
    // Four rows at a time, so that they are on their way at once.
    for (; i + 3u * step < end; i += 4u * step) {
      if (terms + 4u > TERMS) { s = sums_fold(s); terms = 0u; }
      terms += 4u;
      let z0 = z[i * params.lanes + lane];
      let z1 = z[(i + step) * params.lanes + lane];
      let z2 = z[(i + 2u * step) * params.lanes + lane];
      let z3 = z[(i + 3u * step) * params.lanes + lane];
      let l0 = residue_of_l(i * params.left + a);
      let l1 = residue_of_l((i + step) * params.left + a);
      let l2 = residue_of_l((i + 2u * step) * params.left + a);
      let l3 = residue_of_l((i + 3u * step) * params.left + a);
      s = sums_mul(s, z0, l0);
      s = sums_mul(s, z1, l1);
      s = sums_mul(s, z2, l2);
      s = sums_mul(s, z3, l3);
    }
    for (; i < end; i += step) {
      if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
      terms++;
      s = sums_mul(s, z[i * params.lanes + lane], residue_of_l(i * params.left + a));
    }
  }
  shares[local] = sums_value(s);
  workgroupBarrier();
  if (!working || split > 0u) { return; }
  // At most WORKGROUP terms, far below TERMS.
  s = sums_zero();
  for (var k = 0u; k < params.splits; k++) { s = sums_unit(s, shares[local + k * owned], false); }
  parts[params.first + chunk * pairs + pair] = sums_value(s);
}
