// M_k ← X^T·Z on tall blocks, by parts of the rows: a workgroup a part, `parts` of them a problem, those beyond its
// last row being 0; where there are several, block-dot-sum.wgsl adds them up. Sums have a residue a word, as the host
// has them.
//
// A unit is four residues of a row of M_k: 4·lanes² of them, WORKGROUP at most. The rows of a part are shared out:
// invocation `local` sums every shares-th row for unit local % units, and the shares are added in pairs.
struct Params { count: u32, lanes: u32, parts: u32, part_rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>; // block rows
@group(0) @binding(2) var<storage, read> x: array<u32>;
@group(0) @binding(3) var<storage, read> z: array<Words>;
@group(0) @binding(4) var<storage, read_write> m: array<vec4<u32>>; // of each part

var<workgroup> shared_sums: array<Words, WORKGROUP>;

// Column a of X by lane `lane` of Z.
fn sum_of(first: u32, end: u32, step: u32, a: u32, lane: u32) -> Words {
  let lanes = params.lanes;
  var sum = sums_zero();
  var room = TERMS;
  for (var row = first; row < end; row += step) {
    if (room == 0u) {
      sum = sums_fold(sum);
      room = TERMS;
    }
    room -= 1u;
    let word = x[(row * 4u * lanes + a) / RESIDUES_A_WORD];
    sum = sums_mul(sum, z[row * lanes + lane], word_residue(word, a % RESIDUES_A_WORD));
  }
  return sums_value(sum);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  let k = group / params.parts;
  if (k >= params.count) { return; }
  let lanes = params.lanes;
  let units = 4u * lanes * lanes;
  let first = starts[k] * SIDE + (group % params.parts) * params.part_rows;
  let end = min(starts[k + 1u] * SIDE, first + params.part_rows);
  let shares = WORKGROUP / units;
  let unit = local % units;
  let share = local / units;
  if (share < shares) { shared_sums[local] = sum_of(first + share, end, shares, unit / lanes, unit % lanes); }
  var left = shares; // shares that still stand
  while (left > 1u) {
    let half = (left + 1u) / 2u;
    workgroupBarrier();
    if (share + half < left) { shared_sums[local] = add(shared_sums[local], shared_sums[local + half * units]); }
    left = half;
  }
  if (share == 0u) {
    let sum = shared_sums[local];
    m[group * units + unit] = vec4(residue_of(sum, 0u), residue_of(sum, 1u), residue_of(sum, 2u), residue_of(sum, 3u));
  }
}
