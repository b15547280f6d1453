// Y ← Y ± A·X, or Y ± A^T·X, for all problems of a batch at once, which share no row: one invocation `Words` of Y, four
// residues of a row.
//
// List q of blocks is that of block row i = rows[q] of what is multiplied, or of i = q where lists are not GROUPED by
// length: the blocks places[s] at block columns others[s], ptr[q] ≤ s < ptr[q + 1].
struct Params { words: u32, lanes: u32, is_minus: u32, lacks_diagonal: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ptr: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> others: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read> values: array<Words>;
@group(0) @binding(6) var<storage, read> x: array<Words>;
@group(0) @binding(7) var<storage, read_write> y: array<Words>;
override TRANSPOSED: bool;
override GROUPED: bool;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let unit = linear_group(id, groups) * WORKGROUP + local;
  if (unit >= params.words) { return; }
  let lanes = params.lanes;
  let r = unit / lanes % SIDE;
  let lane = unit % lanes;
  let q = unit / lanes / SIDE;
  var i = q;
  if (GROUPED) { i = rows[q]; }
  var sum = sums_zero();
  var room = TERMS;
  for (var s = ptr[q]; s < ptr[q + 1u]; s++) {
    let other = others[s];
    if (other == i && params.lacks_diagonal != 0u) { continue; }
    if (room < SIDE) {
      sum = sums_fold(sum);
      room = TERMS;
    }
    room -= SIDE;
    let block = places[s] * SIDE;
    let from_row = other * SIDE;
    for (var d = 0u; d < SIDE; d += 4u) {
      var row = Words();
      if (!TRANSPOSED) { row = values[((block + r) * SIDE + d) / 4u]; }
      for (var t = 0u; t < 4u; t++) {
        var value = residue_of(row, t);
        if (TRANSPOSED) { value = residue_of(values[((block + d + t) * SIDE + r) / 4u], r % 4u); }
        sum = sums_mul(sum, x[(from_row + d + t) * lanes + lane], value);
      }
    }
  }
  let at = (i * SIDE + r) * lanes + lane;
  y[at] = signed_sum(y[at], sums_value(sum), params.is_minus != 0u);
}
