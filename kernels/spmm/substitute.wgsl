// Forward substitution by rows of levels: v[given + i] ← ahead[i] + Σ_j T[i, j]·v[j], where no row of a level needs
// another of it.
//
// One workgroup takes several levels one after another, or many workgroups take one level. A row's entries are shared
// by invocations, `shares` a lane, as far as there are more of them than rows, so that the loads of a long row do not
// wait for each other; workgroup memory adds up.
struct Params { first: u32, end: u32, given: u32 } // levels first … end − 1
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> levels: array<u32>; // the first row of each, and the number of rows
@group(0) @binding(2) var<storage, read> row_ptr: array<u32>;
@group(0) @binding(3) var<storage, read> columns: array<u32>;
@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read> ahead: array<Words>; // the given columns' part
@group(0) @binding(6) var<storage, read_write> v: array<Words>;
override LANES: u32;

var<workgroup> sums: array<Words, WORKGROUP>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  let group_count = groups.x * groups.y;
  for (var level = params.first; level < params.end; level++) {
    let begin = levels[level];
    let rows = levels[level + 1u] - begin;
    let entries = row_ptr[begin + rows] - row_ptr[begin];
    var shares = 1u;
    while (2u * shares * LANES <= WORKGROUP && 2u * shares * rows <= entries &&
           2u * shares * rows * LANES <= group_count * WORKGROUP) { shares *= 2u; }
    let row_items = shares * LANES;
    // A row's shares stand in one workgroup.
    let used = select(WORKGROUP, WORKGROUP / row_items * row_items, shares > 1u);
    for (var base = group * used; base < rows * row_items; base += group_count * used) {
      let item = base + local;
      let is_item = local < used && item < rows * row_items;
      let lane = item % LANES;
      let share = item / LANES % shares;
      let row = begin + item / row_items;
      var sum = Words(0u);
      if (is_item) { sum = part_of_row(row, lane, share, shares); }
      if (is_item && share == 0u) { sum = add(sum, ahead[row * LANES + lane]); }
      if (shares > 1u) {
        workgroupBarrier(); // the sums before have been read
        sums[local] = sum;
        for (var half = shares / 2u; half > 0u; half /= 2u) {
          workgroupBarrier();
          if (is_item && share < half) { sums[local] = add(sums[local], sums[local + half * LANES]); }
        }
        sum = sums[local];
      }
      if (is_item && share == 0u) { v[(params.given + row) * LANES + lane] = sum; }
    }
    storageBarrier();
  }
}

// The sum of every shares-th entry, four of them at a time, so that four rows of v are on their way at once.
fn part_of_row(row: u32, lane: u32, share: u32, shares: u32) -> Words {
  var s = sums_zero();
  var terms = 0u;
  let end = row_ptr[row + 1u];
  for (var k = row_ptr[row] + share; k < end; k += 4u * shares) {
    if (terms + 4u > TERMS) { s = sums_fold(s); terms = 0u; }
    terms += 4u;
    let wanted = vec4(k, k + shares, k + 2u * shares, k + 3u * shares);
    let e = min(wanted, vec4(end - 1u));
    let j = vec4(columns[e.x], columns[e.y], columns[e.z], columns[e.w]) * LANES + lane;
    let a = vec4(values[e.x], values[e.y], values[e.z], values[e.w]);
    let f = select(vec4(0u), a, wanted < vec4(end));
    let x0 = v[j.x];
    let x1 = v[j.y];
    let x2 = v[j.z];
    let x3 = v[j.w];
    s = sums_mul(s, x0, f.x);
    s = sums_mul(s, x1, f.y);
    s = sums_mul(s, x2, f.z);
    s = sums_mul(s, x3, f.w);
  }
  return sums_value(s);
}
