// The left factor of pluq-update.wgsl: rows without pivot at the columns of the block's pivots, times M⁻¹.
//
//   left[step][i] ← word `step` of row i of A[·, J]·M⁻¹, i from first_row on      M = A[I, J], |I| = |J| = count
//
// `lists` has J, columns after `column`, and then I, rows in the block whose swept form is `block` (pluq-block.wgsl):
// M⁻¹[s, t] = block[I[s]][J[t]]. A workgroup owns 32 rows; words beyond `count` are 0.
struct Params {
  rows: u32, stride: u32, first_row: u32, column: u32, count: u32, steps: u32, left_rows: u32, first_list: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> matrix: array<u32>;
@group(0) @binding(2) var<storage, read> block: array<u32>;
@group(0) @binding(3) var<storage, read> lists: array<u32>;
@group(0) @binding(4) var<storage, read_write> left: array<u32>;
override SIDE: u32;

const ROWS = 32u;
var<workgroup> panel: array<u32, ROWS * (SIDE + 1u)>; // so that rows begin in different banks

fn list_at(k: u32) -> u32 { return lists[params.first_list + k]; }

// Residues t … t + 3 of row list_at(count + k) of the block, at columns of J; those beyond `count` are 0.
fn inverse_part(k: u32, t: u32) -> vec4<u32> {
  let place = SIDE + list_at(params.count + k) * SIDE;
  var four = vec4<u32>(0u);
  for (var i = 0u; i < 4u; i++) {
    if (t + i < params.count) { four[i] = block[place + list_at(t + i)]; }
  }
  return four;
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  if (group * ROWS >= params.left_rows) { return; }
  for (var i = local; i < ROWS * SIDE; i += WORKGROUP) {
    let row = min(params.first_row + group * ROWS + i / SIDE, params.rows - 1u);
    let column = params.column + i % SIDE;
    panel[(i / SIDE) * (SIDE + 1u) + i % SIDE] = residue(matrix[row * params.stride + column / RESIDUES], column);
  }
  workgroupBarrier();
  let row = local % ROWS;
  for (var t = 4u * (local / ROWS); t < RESIDUES * params.steps; t += 4u * (WORKGROUP / ROWS)) {
    // SIDE terms are below TERMS for every p.
    var s = sums_zero();
    for (var k = 0u; k < params.count; k++) {
      s = sums_mul(s, inverse_part(k, t), panel[row * (SIDE + 1u) + list_at(k)]);
    }
    let four = sums_value(s);
    for (var k = 0u; k < 4u / RESIDUES; k++) {
      left[(t / RESIDUES + k) * params.left_rows + group * ROWS + row] = pack(four, k);
    }
  }
}
