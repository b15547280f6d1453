// Products of the entries of A with the entries of X, panel by panel of SIDE columns, to where the bins of their rows
// are added up (kernels/spmm/gpu-binned-storage.ts). Behind binned-u16.wgsl or binned-u32.wgsl.
//
// A workgroup owns a task: groups of eight entries of one panel, whose part of X it holds in its memory. An invocation
// makes four products, half of a group, and has the words of two halves on their way at once.
struct Params { tasks: u32, columns: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> tasks: array<vec4<u32>>; // first column, groups from y to z
@group(0) @binding(2) var<storage, read> targets: array<u32>; // by group: the group of its products
@group(0) @binding(3) var<storage, read> values: array<Four>;
@group(0) @binding(4) var<storage, read> columns: array<vec2<u32>>; // two a word, within the panel
@group(0) @binding(5) var<storage, read> x: array<u32>;
@group(0) @binding(6) var<storage, read_write> products: array<Four>;
var<workgroup> panel: array<u32, SIDE>;

fn of_panel(c: vec2<u32>) -> vec4<u32> {
  return vec4(panel[c.x & 0xffffu], panel[c.x >> 16u], panel[c.y & 0xffffu], panel[c.y >> 16u]);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups);
  if (at >= params.tasks) { return; }
  let task = tasks[at];
  for (var j = local; j < SIDE; j += WORKGROUP) {
    if (task.x + j < params.columns) { panel[j] = x[task.x + j]; }
  }
  workgroupBarrier();
  let end = 2u * task.z;
  for (var k = 2u * task.y + local; k < end; k += 2u * WORKGROUP) {
    let next = k + WORKGROUP;
    let first = values[k];
    let second = values[next];
    let of_first = columns[k];
    let of_second = columns[next];
    let to_first = targets[k / 2u];
    let to_second = targets[next / 2u];
    products[2u * to_first + k % 2u] = products_of(first, of_panel(of_first));
    if (next < end) { products[2u * to_second + next % 2u] = products_of(second, of_panel(of_second)); }
  }
}
