// Y ← Y ± X·M_k on tall blocks of all problems: one invocation a residue of Y, which finds its problem by bisection.
struct Params { cells: u32, width: u32, is_minus: u32, count: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>; // block rows
@group(0) @binding(2) var<storage, read> m: array<u32>; // width² residues a problem
@group(0) @binding(3) var<storage, read> x: array<u32>;
@group(0) @binding(4) var<storage, read_write> y: array<u32>;

// The last k with starts[k] ≤ row: empty problems begin where the next one does.
fn problem_of(row: u32) -> u32 {
  var low = 0u;
  var high = params.count - 1u;
  while (low < high) {
    let middle = (low + high + 1u) / 2u;
    if (starts[middle] <= row) { low = middle; } else { high = middle - 1u; }
  }
  return low;
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let cell = linear_group(id, groups) * WORKGROUP + local;
  if (cell >= params.cells) { return; }
  let row = cell / params.width;
  let column = cell % params.width;
  let a = problem_of(row / SIDE) * params.width * params.width + column;
  var sum = sums_zero();
  for (var d = 0u; d < params.width; d++) {
    sum = sums_mul(sum, x[row * params.width + d], m[a + d * params.width]);
  }
  y[cell] = signed_sum(y[cell], sums_value(sum), params.is_minus != 0u);
}
