// The right factor of pluq-update.wgsl: the pivots' rows, from vector first_vector on, in digits.
//
// right[step][tile][q][t] ← part q of vector 16·tile + t in rows RESIDUES·step (and the next) after first_row. An
// invocation owns one vector of a step. Rows beyond the last repeat it: their factors are 0.
struct Params { rows: u32, stride: u32, first_row: u32, first_vector: u32, steps: u32, across: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrix: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> right: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let step = at / (params.across * 16u);
  let vector = at % (params.across * 16u);
  let column = params.first_vector + vector;
  if (step >= params.steps || column >= params.stride) { return; }
  let row = params.first_row + RESIDUES * step;
  let v = matrix[min(row, params.rows - 1u) * params.stride + column];
  let w = matrix[min(row + 1u, params.rows - 1u) * params.stride + column];
  let to = (step * params.across + vector / 16u) * 64u + vector % 16u;
  for (var q = 0u; q < 4u; q++) { right[to + 16u * q] = right_part(q, v, w); }
}
