// M_k ← X^T·Z on tall blocks, by parts of the rows: a workgroup a part, `parts` of them a problem, those beyond its
// last row being 0; block-dot-sum.wgsl adds them up.
//
// With fewer than WORKGROUP residues in M_k the rows are shared out once more: invocation `local` sums every shares-th
// row for residue local % cells, and the first of them adds up.
struct Params { count: u32, width: u32, parts: u32, part_rows: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>; // block rows
@group(0) @binding(2) var<storage, read> x: array<u32>;
@group(0) @binding(3) var<storage, read> z: array<u32>;
@group(0) @binding(4) var<storage, read_write> m: array<u32>; // width² residues a part

var<workgroup> shared_sums: array<u32, WORKGROUP>;

fn sum_of(first: u32, end: u32, step: u32, cell: u32) -> u32 {
  let w = params.width;
  var sum = sums_zero();
  var room = TERMS;
  for (var row = first; row < end; row += step) {
    if (room == 0u) {
      sum = sums_fold(sum);
      room = TERMS;
    }
    room -= 1u;
    sum = sums_mul(sum, x[row * w + cell / w], z[row * w + cell % w]);
  }
  return sums_value(sum);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  let k = group / params.parts;
  if (k >= params.count) { return; }
  let cells = params.width * params.width;
  let first = starts[k] * SIDE + (group % params.parts) * params.part_rows;
  let end = min(starts[k + 1u] * SIDE, first + params.part_rows);
  let shares = max(1u, WORKGROUP / cells);
  for (var base = 0u; base < cells; base += WORKGROUP) {
    let cell = base + local % cells;
    let share = local / cells;
    let is_used = cell < cells && share < shares;
    if (is_used) { shared_sums[local] = sum_of(first + share, end, shares, cell); }
    workgroupBarrier();
    if (is_used && share == 0u) {
      var total = shared_sums[local];
      for (var t = 1u; t < shares; t++) { total = signed_sum(total, shared_sums[t * cells + local], false); }
      m[group * cells + cell] = total;
    }
    workgroupBarrier();
  }
}
