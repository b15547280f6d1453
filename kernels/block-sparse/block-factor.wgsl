// A = L·U on the pattern of each problem, a workgroup a problem: block row by block row, as
// kernels/block-sparse/reference.ts has it, its invocations sharing the residues of a step.
//
// A pivot block is inverted by Gauss and Jordan on (A | I) with exchanges of rows. The pattern is read only, so all
// invocations take the same turns.
struct Params { count: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> ptr: array<u32>;
@group(0) @binding(3) var<storage, read> columns: array<u32>;
@group(0) @binding(4) var<storage, read> diagonal: array<u32>;
@group(0) @binding(5) var<storage, read_write> values: array<Words>;
@group(0) @binding(6) var<storage, read_write> inverses: array<Words>;
@group(0) @binding(7) var<storage, read_write> singular: array<u32>;

var<workgroup> factor: array<u32, SIDE * SIDE>; // words of L_ik, then the multiples of a pivot's row
var<workgroup> rows: array<u32, 2u * SIDE * SIDE>; // (A | I), a residue a word
var<workgroup> pivot: u32;
var<workgroup> head: u32;

fn value_at(i: u32) -> u32 { return residue_of(values[i / RESIDUES_A_WORD], i % RESIDUES_A_WORD); }

// Of residues. Those mod p < 2^16 have a product of one word.
fn times(a: u32, b: u32) -> u32 {
  if (RESIDUES_A_WORD == 2u) { return a * b % P; }
  return sums_value(sums_mul(sums_zero(), a, b));
}

// The place of the block at `column` among first … end − 1, or NONE.
fn find(first: u32, end: u32, column: u32) -> u32 {
  var low = first;
  var high = end;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (columns[middle] < column) { low = middle + 1u; } else { high = middle; }
  }
  if (low < end && columns[low] == column) { return low; }
  return NONE;
}

// Places of the row below the diagonal become L_ik, and what they multiply is taken from the row.
fn eliminate(i: u32, local: u32) {
  let lanes = SIDE / RESIDUES_A_WORD;
  let size = SIDE * lanes; // words of a block
  let first = ptr[i];
  let end = ptr[i + 1u];
  for (var s = first; s < diagonal[i]; s++) {
    let k = columns[s];
    for (var e = local; e < size; e += WORKGROUP) {
      let a = (s * SIDE + e / lanes) * SIDE;
      let b = k * size + e % lanes;
      var sum = sums_zero();
      for (var d = 0u; d < SIDE; d++) { sum = sums_mul(sum, inverses[b + d * lanes], value_at(a + d)); }
      factor[e] = sums_value(sum);
    }
    workgroupBarrier();
    for (var e = local; e < size; e += WORKGROUP) { values[s * size + e] = factor[e]; }
    let after = diagonal[k] + 1u;
    for (var e = local; e < (ptr[k + 1u] - after) * size; e += WORKGROUP) {
      let t = after + e / size;
      let at = find(first, end, columns[t]);
      if (at == NONE) { continue; }
      let r = (e % size) / lanes;
      let lane = e % lanes;
      var sum = sums_zero();
      for (var d = 0u; d < SIDE; d++) {
        let word = factor[r * lanes + d / RESIDUES_A_WORD];
        sum = sums_mul(sum, values[t * size + d * lanes + lane], word_residue(word, d % RESIDUES_A_WORD));
      }
      let to = at * size + e % size;
      values[to] = signed_sum(values[to], sums_value(sum), true);
    }
    storageBarrier();
    workgroupBarrier();
  }
}

// Whether block row i has an invertible pivot block; its inverse is stored.
fn invert(i: u32, local: u32) -> bool {
  let size = SIDE * SIDE;
  let across = 2u * SIDE;
  for (var e = local; e < 2u * size; e += WORKGROUP) {
    let r = e / across;
    let c = e % across;
    var value = u32(c == r + SIDE);
    if (c < SIDE) { value = value_at(diagonal[i] * size + r * SIDE + c); }
    rows[e] = value;
  }
  for (var c = 0u; c < SIDE; c++) {
    workgroupBarrier();
    if (local == 0u) {
      var r = c;
      while (r < SIDE && rows[r * across + c] == 0u) { r++; }
      pivot = r;
      if (r < SIDE) { head = inverse(rows[r * across + c]); }
    }
    let found = workgroupUniformLoad(&pivot);
    if (found == SIDE) { return false; }
    // The rows are exchanged, and column c of all others kept.
    for (var e = local; e < across; e += WORKGROUP) {
      let value = rows[found * across + e];
      let other = rows[c * across + e];
      rows[found * across + e] = other;
      rows[c * across + e] = times(value, head);
      if (e == c) { factor[found] = other; }
    }
    for (var r = local; r < SIDE; r += WORKGROUP) {
      if (r != c && r != found) { factor[r] = rows[r * across + c]; }
    }
    workgroupBarrier();
    for (var e = local; e < 2u * size; e += WORKGROUP) {
      let r = e / across;
      if (r != c) { rows[e] = signed_residues(rows[e], times(factor[r], rows[c * across + e % across]), true); }
    }
  }
  workgroupBarrier();
  let lanes = SIDE / RESIDUES_A_WORD;
  for (var e = local; e < SIDE * lanes; e += WORKGROUP) {
    let place = (e / lanes) * across + SIDE + (e % lanes) * RESIDUES_A_WORD;
    var word = rows[place];
    if (RESIDUES_A_WORD == 2u) { word |= rows[place + 1u] << 16u; }
    inverses[i * SIDE * lanes + e] = word;
  }
  storageBarrier();
  workgroupBarrier();
  return true;
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let k = linear_group(id, groups);
  if (k >= params.count) { return; }
  var where_singular = NONE;
  for (var i = starts[k]; i < starts[k + 1u]; i++) {
    eliminate(i, local);
    if (!invert(i, local)) {
      where_singular = i - starts[k];
      break;
    }
  }
  if (local == 0u) { singular[k] = where_singular; }
}
