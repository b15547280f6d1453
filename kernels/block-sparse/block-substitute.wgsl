// X ← U^-1·L^-1·X by the factors of each problem, a workgroup a problem, block row by block row; a problem with a
// singular pivot block is left as it is.
struct Params { count: u32, lanes: u32 } // words a row of X
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> ptr: array<u32>;
@group(0) @binding(3) var<storage, read> columns: array<u32>;
@group(0) @binding(4) var<storage, read> diagonal: array<u32>;
@group(0) @binding(5) var<storage, read> values: array<Words>;
@group(0) @binding(6) var<storage, read> inverses: array<Words>;
@group(0) @binding(7) var<storage, read> singular: array<u32>;
@group(0) @binding(8) var<storage, read_write> x: array<Words>;

const MOST_COLUMNS = 32u;
var<workgroup> right: array<Words, SIDE * MOST_COLUMNS>;

// Word `cell` of block row i less what blocks first … end − 1 make of X.
fn less_products(i: u32, cell: u32, first: u32, end: u32) -> Words {
  let lanes = params.lanes;
  var sum = sums_zero();
  var room = TERMS;
  for (var s = first; s < end; s++) {
    if (room < SIDE) {
      sum = sums_fold(sum);
      room = TERMS;
    }
    room -= SIDE;
    let a = (s * SIDE + cell / lanes) * SIDE;
    let b = columns[s] * SIDE * lanes + cell % lanes;
    for (var d = 0u; d < SIDE; d += RESIDUES_A_WORD) {
      let word = values[(a + d) / RESIDUES_A_WORD];
      for (var t = 0u; t < RESIDUES_A_WORD; t++) {
        sum = sums_mul(sum, x[b + (d + t) * lanes], residue_of(word, t));
      }
    }
  }
  return signed_sum(x[i * SIDE * lanes + cell], sums_value(sum), true);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let k = linear_group(id, groups);
  if (k >= params.count) { return; }
  if (singular[k] != NONE) { return; }
  let lanes = params.lanes;
  let cells = SIDE * lanes;
  for (var i = starts[k]; i < starts[k + 1u]; i++) {
    for (var e = local; e < cells; e += WORKGROUP) { x[i * cells + e] = less_products(i, e, ptr[i], diagonal[i]); }
    storageBarrier();
  }
  for (var left = starts[k + 1u]; left > starts[k]; left--) {
    let i = left - 1u;
    for (var e = local; e < cells; e += WORKGROUP) { right[e] = less_products(i, e, diagonal[i] + 1u, ptr[left]); }
    workgroupBarrier();
    for (var e = local; e < cells; e += WORKGROUP) {
      let a = (i * SIDE + e / lanes) * SIDE;
      var sum = sums_zero();
      for (var d = 0u; d < SIDE; d++) {
        let value = residue_of(inverses[(a + d) / RESIDUES_A_WORD], d % RESIDUES_A_WORD);
        sum = sums_mul(sum, right[d * lanes + e % lanes], value);
      }
      x[i * cells + e] = sums_value(sum);
    }
    storageBarrier();
    workgroupBarrier();
  }
}
