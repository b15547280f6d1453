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
    for (var i = chunks[chunk].x + split; i < chunks[chunk].y; i += params.splits) {
      if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
      terms++;
      s = sums_mul(s, z[i * params.lanes + lane], residue_of_l(i * params.left + a));
    }
  }
  shares[local] = sums_value(s);
  workgroupBarrier();
  // Halving: share k takes in share k + half.
  for (var n = params.splits; n > 1u;) {
    let half = (n + 1u) / 2u;
    if (working && split + half < n) {
      let sum = sums_unit(sums_unit(sums_zero(), shares[local], false), shares[local + half * owned], false);
      shares[local] = sums_value(sum);
    }
    workgroupBarrier();
    n = half;
  }
  if (working && split == 0u) { parts[params.first + chunk * pairs + pair] = shares[local]; }
}
