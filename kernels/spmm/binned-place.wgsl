// Entries of some rows of A to their places in panels of SIDE columns and bins of SIDE rows: the order within a cell is
// that in which they come, since sums mod p know none. An invocation owns a row. All arrays that are written were 0.
struct Params { first: u32, count: u32, begin: u32, capacity: u32, bins: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> runs: array<vec2<u32>>; // of each row: entries from x to y
@group(0) @binding(2) var<storage, read> entries: array<u32>; // columns, and from `capacity` on values
// Of each cell: entries that have come, its first group, and that of its products.
@group(0) @binding(3) var<storage, read_write> cells: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> targets: array<u32>;
@group(0) @binding(5) var<storage, read_write> columns: array<atomic<u32>>;
@group(0) @binding(6) var<storage, read_write> rows: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> values: array<atomic<u32>>;
override SIDE: u32;
override A_WORD: u32; // values
const GROUP = 8u;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.count) { return; }
  let row = params.first + at;
  let run = runs[at];
  for (var k = run.x - params.begin; k < run.y - params.begin; k++) {
    let column = entries[k];
    let cell = 3u * (column / SIDE * params.bins + row / SIDE);
    let place = atomicAdd(&cells[cell], 1u);
    let first = atomicLoad(&cells[cell + 1u]);
    let summed = atomicLoad(&cells[cell + 2u]);
    let at_entry = GROUP * first + place;
    let at_product = GROUP * summed + place;
    if (place % GROUP == 0u) { targets[at_entry / GROUP] = at_product / GROUP; }
    atomicOr(&columns[at_entry / 2u], (column % SIDE) << (16u * (at_entry % 2u)));
    atomicOr(&rows[at_product / 2u], (row % SIDE) << (16u * (at_product % 2u)));
    atomicOr(&values[at_entry / A_WORD], entries[params.capacity + k] << (16u * (at_entry % A_WORD)));
  }
}
