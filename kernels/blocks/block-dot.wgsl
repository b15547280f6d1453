// parts[chunk] ← Σ_i l[i, ·]ᵀ·z[i, ·] over the rows i of a chunk: left × lanes `Words`, from `first` on.
//
// l is a block vector (blockDot) or the coefficients of a structured projection, `left` residues a row. A unit is a
// lane with ROWS rows of lᵀ; a workgroup owns a tile of units of one chunk, and `splits` invocations share the chunk's
// rows for each.
struct Params { chunks: u32, left: u32, lanes: u32, tiles: u32, splits: u32, first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chunks: array<vec2<u32>>; // first row, end
@group(0) @binding(2) var<storage, read> l: array<u32>;
@group(0) @binding(3) var<storage, read> z: array<Words>;
@group(0) @binding(4) var<storage, read_write> parts: array<Words>;
override L_PAIRS: bool;
override ROWS: u32; // 1 or 4

var<workgroup> shares: array<Words, WORKGROUP * ROWS>;
// Shares that an invocation adds up, all read at once, in each of two rounds: FAN² ≥ splits. One invocation reads them
// one after another (test/bench/RESULTS.md#gpu-krylov).
const FAN = 8u;

fn residue_of_l(i: u32) -> u32 {
  if (L_PAIRS) { return (l[i >> 1u] >> ((i & 1u) * 16u)) & 0xffffu; }
  return l[i];
}

// Residues i … i + ROWS − 1 of l, i even where there are pairs and more than one; those beyond a row's end are not
// looked at.
fn residues_of_l(i: u32) -> vec4<u32> {
  if (ROWS == 1u) { return vec4(residue_of_l(i), 0u, 0u, 0u); }
  if (L_PAIRS) {
    let pairs = vec2(l[i >> 1u], l[(i >> 1u) + 1u]);
    return vec4(pairs.x & 0xffffu, pairs.x >> 16u, pairs.y & 0xffffu, pairs.y >> 16u);
  }
  return vec4(l[i], l[i + 1u], l[i + 2u], l[i + 3u]);
}

// The sum of shares k, k + step, …, `count` of them, FAN at most, far below TERMS.
fn sum_of_shares(k: u32, step: u32, count: u32) -> Words {
  var s = sums_zero();
  for (var t = 0u; t < FAN; t++) {
    if (t < count) { s = sums_unit(s, shares[k + t * step], false); }
  }
  return sums_value(s);
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
  let splits = params.splits;
  let owned = WORKGROUP / splits; // units of a tile
  let unit = (group % params.tiles) * owned + local % owned;
  let split = local / owned;
  let a = unit / params.lanes * ROWS;
  let lane = unit % params.lanes;
  let working = a < params.left && split < splits;
  var s0 = sums_zero();
  var s1 = s0;
  var s2 = s0;
  var s3 = s0;
  if (working) {
    let end = chunks[chunk].y;
    var terms = 0u;
    // Four rows at a time, so that they are on their way at once; what is beyond the end counts as zero.
    for (var i = chunks[chunk].x + split; i < end; i += 4u * splits) {
      if (terms + 4u > TERMS) {
        s0 = sums_fold(s0);
        if (ROWS > 1u) {
          s1 = sums_fold(s1);
          s2 = sums_fold(s2);
          s3 = sums_fold(s3);
        }
        terms = 0u;
      }
      terms += 4u;
      let wanted = vec4(i, i + splits, i + 2u * splits, i + 3u * splits);
      let row = min(wanted, vec4(end - 1u));
      let place = row * params.lanes + lane;
      let w = array(z[place.x], z[place.y], z[place.z], z[place.w]);
      let at = row * params.left + a;
      let f = array(residues_of_l(at.x), residues_of_l(at.y), residues_of_l(at.z), residues_of_l(at.w));
      for (var t = 0u; t < 4u; t++) {
        let v = select(vec4(0u), f[t], wanted[t] < end);
        s0 = sums_mul(s0, w[t], v.x);
        if (ROWS > 1u) {
          s1 = sums_mul(s1, w[t], v.y);
          s2 = sums_mul(s2, w[t], v.z);
          s3 = sums_mul(s3, w[t], v.w);
        }
      }
    }
  }
  shares[local] = sums_value(s0);
  if (ROWS > 1u) {
    shares[WORKGROUP + local] = sums_value(s1);
    shares[2u * WORKGROUP + local] = sums_value(s2);
    shares[3u * WORKGROUP + local] = sums_value(s3);
  }
  workgroupBarrier();
  // The shares of FAN neighbouring splits go to the first of them; each of these adds up other rows of lᵀ.
  let within = split % FAN;
  let members = min(FAN, splits - (split - within));
  if (working) {
    for (var r = within; r < ROWS; r += members) {
      let k = r * WORKGROUP + local - within * owned;
      shares[k] = sum_of_shares(k, owned, members);
    }
  }
  workgroupBarrier();
  if (!working) { return; }
  for (var r = split; r < min(ROWS, params.left - a); r += splits) {
    let k = r * WORKGROUP + local % owned;
    parts[params.first + (chunk * params.left + a + r) * params.lanes + lane] =
      sum_of_shares(k, FAN * owned, (splits + FAN - 1u) / FAN);
  }
}
