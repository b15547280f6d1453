// A = L·U on the pattern of each problem, a workgroup a problem: block row by block row, as
// kernels/block-sparse/reference.ts has it, its invocations sharing the residues of a step.
//
// A pivot block is inverted in place by Gauss and Jordan with exchanges of rows, without divisions: row r of (A | I)
// may have any factor until the end, when it is divided by what it has on the diagonal of A. So the inverses mod P,
// each a chain of divisions, are found side by side. The pattern is read only, so all invocations take the same turns.
struct Params { count: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> ptr: array<u32>;
@group(0) @binding(3) var<storage, read> columns: array<u32>;
@group(0) @binding(4) var<storage, read> diagonal: array<u32>;
@group(0) @binding(5) var<storage, read_write> values: array<Words>;
@group(0) @binding(6) var<storage, read_write> inverses: array<Words>;
@group(0) @binding(7) var<storage, read_write> singular: array<u32>;

var<workgroup> factor: array<u32, SIDE * SIDE>; // words of L_ik
// Before and after a step, a residue a word: the columns of A, and in place of those that are done the columns of I
// that have become another's.
var<workgroup> rows: array<u32, 2u * SIDE * SIDE>;
var<workgroup> order: array<u32, SIDE>; // row r was row order[r]
var<workgroup> places: array<u32, SIDE>; // the other way round
var<workgroup> heads: array<u32, SIDE>; // what row r is multiplied by at the end
var<workgroup> is_singular: u32;

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
  for (var e = local; e < size; e += WORKGROUP) { rows[e] = value_at(diagonal[i] * size + e); }
  if (local < SIDE) { order[local] = local; }
  var unit = 1u; // what a row that was no pivot's has in its own column of I
  var head = 1u; // the diagonal of row `local`, once it was a pivot's
  for (var c = 0u; c < SIDE; c++) {
    workgroupBarrier();
    let before = (c & 1u) * size;
    let after = size - before;
    var found = c;
    while (found < SIDE && rows[before + found * SIDE + c] == 0u) { found++; }
    if (found == SIDE) { found = c; } // the pivot is 0, and so is `head` of row 0 from here on
    let pivot = rows[before + found * SIDE + c];
    for (var e = local; e < size; e += WORKGROUP) {
      let r = e / SIDE;
      let t = e % SIDE;
      let source = select(select(r, c, r == found), found, r == c);
      var value = select(rows[before + found * SIDE + t], unit, t == c);
      if (r != c) {
        let own = select(rows[before + source * SIDE + t], 0u, t == c);
        let multiple = scaled_product(rows[before + source * SIDE + c], value);
        value = signed_residues(scaled_product(pivot, own), multiple, true);
      }
      rows[after + e] = value;
    }
    unit = scaled_product(unit, pivot);
    head = select(scaled_product(head, pivot), pivot, local == c);
    if (local == 0u) {
      let row = order[found];
      order[found] = order[c];
      order[c] = row;
    }
  }
  workgroupBarrier();
  if (local < SIDE) {
    heads[local] = inverse(head);
    places[order[local]] = local;
  }
  if (local == 0u) { is_singular = u32(head == 0u); }
  if (workgroupUniformLoad(&is_singular) != 0u) { return false; }
  let lanes = SIDE / RESIDUES_A_WORD;
  for (var e = local; e < SIDE * lanes; e += WORKGROUP) {
    let r = e / lanes;
    let t = (e % lanes) * RESIDUES_A_WORD;
    var word = times(rows[r * SIDE + places[t]], heads[r]);
    if (RESIDUES_A_WORD == 2u) { word |= times(rows[r * SIDE + places[t + 1u]], heads[r]) << 16u; }
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
