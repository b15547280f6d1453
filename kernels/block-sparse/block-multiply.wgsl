// Y ← Y ± A·X, or Y ± A^T·X, for all problems of a batch at once, which share no row: one invocation four residues of
// each of ROWS rows of Y, which are of one block: one or two, of A^T one or four. What they read of X serves them all,
// and so does a word of A^T.
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
override ROWS: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let unit = linear_group(id, groups) * WORKGROUP + local;
  if (unit >= params.words) { return; }
  let lanes = params.lanes;
  let each = SIDE / ROWS;
  let r = unit / lanes % each * ROWS;
  let lane = unit % lanes;
  let q = unit / lanes / each;
  var i = q;
  if (GROUPED) { i = rows[q]; }
  var sum0 = sums_zero();
  var sum1 = sums_zero();
  var sum2 = sums_zero();
  var sum3 = sums_zero();
  var room = TERMS;
  for (var s = ptr[q]; s < ptr[q + 1u]; s++) {
    let other = others[s];
    if (other == i && params.lacks_diagonal != 0u) { continue; }
    if (room < SIDE) {
      sum0 = sums_fold(sum0);
      sum1 = sums_fold(sum1);
      sum2 = sums_fold(sum2);
      sum3 = sums_fold(sum3);
      room = TERMS;
    }
    room -= SIDE;
    let block = places[s] * SIDE;
    let from_row = other * SIDE;
    for (var d = 0u; d < SIDE; d += 4u) {
      var row0 = Words();
      var row1 = Words();
      if (!TRANSPOSED) {
        let at = ((block + r) * SIDE + d) / 4u;
        row0 = values[at];
        if (ROWS > 1u) { row1 = values[at + SIDE / 4u]; }
      }
      for (var t = 0u; t < 4u; t++) {
        let w = x[(from_row + d + t) * lanes + lane];
        if (TRANSPOSED) {
          let column = values[((block + d + t) * SIDE + r) / 4u];
          sum0 = sums_mul(sum0, w, residue_of(column, r % 4u));
          if (ROWS > 1u) {
            sum1 = sums_mul(sum1, w, residue_of(column, 1u));
            sum2 = sums_mul(sum2, w, residue_of(column, 2u));
            sum3 = sums_mul(sum3, w, residue_of(column, 3u));
          }
        } else {
          sum0 = sums_mul(sum0, w, residue_of(row0, t));
          if (ROWS > 1u) { sum1 = sums_mul(sum1, w, residue_of(row1, t)); }
        }
      }
    }
  }
  let at = (i * SIDE + r) * lanes + lane;
  add_sum(at, sum0);
  if (ROWS > 1u) { add_sum(at + lanes, sum1); }
  if (TRANSPOSED && ROWS > 1u) {
    add_sum(at + 2u * lanes, sum2);
    add_sum(at + 3u * lanes, sum3);
  }
}

fn add_sum(at: u32, sum: Sums) { y[at] = signed_sum(y[at], sums_value(sum), params.is_minus != 0u); }
