// first[j] ← the least row from first_row on that is not 0 at column j of a panel, where there is one: SIDE columns.
//
// A workgroup owns `chunk` rows; an invocation one column of every fourth of them. `first` arrives as all ones.
struct Params { rows: u32, stride: u32, first_row: u32, column: u32, chunk: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrix: array<u32>;
@group(0) @binding(2) var<storage, read_write> first: array<atomic<u32>>;
override SIDE: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let j = params.column + local % SIDE;
  let begin = params.first_row + linear_group(id, groups) * params.chunk;
  let end = min(params.rows, begin + params.chunk);
  for (var i = begin + local / SIDE; i < end; i += WORKGROUP / SIDE) {
    if (residue(matrix[i * params.stride + j / RESIDUES], j) != 0u) {
      atomicMin(&first[local % SIDE], i);
      return;
    }
  }
}
