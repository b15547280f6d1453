// A polynomial matrix ← its coefficients one after another, rows × cols residues each, or, TO_BLOCKS, back.
// One invocation owns a vector of four columns; neighbours of it are those of a block. Lanes beyond the last column are
// zeros.
struct Params { vectors: u32, rows: u32, cols: u32, first: u32, stride: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<u32>;
override TO_BLOCKS: bool;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.vectors) { return; }
  let row_groups = (params.cols + 3u) / 4u;
  let row = at / row_groups; // of all blocks, one below the other
  let group = at % row_groups;
  let place = 4u * (params.first + ((row % params.rows) * row_groups + group) * params.stride + row / params.rows);
  let entry = row * params.cols + 4u * group;
  let lanes = min(4u, params.cols - 4u * group);
  if (TO_BLOCKS) {
    for (var lane = 0u; lane < lanes; lane++) { y[entry + lane] = x[place + lane]; }
  } else {
    for (var lane = 0u; lane < lanes; lane++) { y[place + lane] = x[entry + lane]; }
    for (var lane = lanes; lane < 4u; lane++) { y[place + lane] = 0u; }
  }
}
