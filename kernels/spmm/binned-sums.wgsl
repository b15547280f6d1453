// Y ← alpha·A·X + beta·Y from the products of binned-products.wgsl: a workgroup owns a bin of SIDE rows, and adds up
// the products of each in its memory. Behind binned-u16.wgsl or binned-u32.wgsl.
struct Params { bins: u32, rows: u32, alpha: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bins: array<u32>; // first group of each, and behind the last
@group(0) @binding(2) var<storage, read> rows: array<vec2<u32>>; // two a word, within the bin
@group(0) @binding(3) var<storage, read> products: array<Four>;
@group(0) @binding(4) var<storage, read_write> y: array<u32>;
// Whether Y ← A·X, with no other alpha and beta.
override PLAIN: bool;

fn add_four(rows_of: vec2<u32>, products_of_rows: Four) {
  let r = residues_of(products_of_rows);
  add_to(rows_of.x & 0xffffu, r.x);
  add_to(rows_of.x >> 16u, r.y);
  add_to(rows_of.y & 0xffffu, r.z);
  add_to(rows_of.y >> 16u, r.w);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let bin = linear_group(id, groups);
  if (bin >= params.bins) { return; }
  for (var r = local; r < SIDE; r += WORKGROUP) { clear(r); }
  workgroupBarrier();
  let end = 2u * bins[bin + 1u];
  for (var k = 2u * bins[bin] + local; k < end; k += 2u * WORKGROUP) {
    let next = k + WORKGROUP;
    let first = products[k];
    let second = products[next];
    let of_first = rows[k];
    let of_second = rows[next];
    add_four(of_first, first);
    if (next < end) { add_four(of_second, second); }
  }
  workgroupBarrier();
  for (var r = local; r < SIDE; r += WORKGROUP) {
    let to = bin * SIDE + r;
    if (to >= params.rows) { break; }
    var value = value_of_row(r);
    if (!PLAIN) { value = combine(value, params.alpha, y[to], params.beta); }
    y[to] = value;
  }
}
