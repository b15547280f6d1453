// Y ← Y ± A·X, or Y ± A^T·X, for all problems of a batch at once, which share no row: one invocation a residue of Y.
//
// Block row i of what is multiplied has the blocks places[s] at block columns others[s], ptr[i] ≤ s < ptr[i + 1].
struct Params { cells: u32, width: u32, is_minus: u32, is_transposed: u32, lacks_diagonal: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ptr: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> others: array<u32>;
@group(0) @binding(4) var<storage, read> values: array<u32>;
@group(0) @binding(5) var<storage, read> x: array<u32>;
@group(0) @binding(6) var<storage, read_write> y: array<u32>;

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
  let i = row / SIDE;
  let transposed = params.is_transposed != 0u;
  let first = select((row % SIDE) * SIDE, row % SIDE, transposed);
  let step = select(1u, SIDE, transposed);
  var sum = sums_zero();
  var room = TERMS;
  for (var s = ptr[i]; s < ptr[i + 1u]; s++) {
    let other = others[s];
    if (other == i && params.lacks_diagonal != 0u) { continue; }
    if (room < SIDE) {
      sum = sums_fold(sum);
      room = TERMS;
    }
    room -= SIDE;
    let a = places[s] * SIDE * SIDE + first;
    let from_row = other * SIDE * params.width + column;
    for (var d = 0u; d < SIDE; d++) {
      sum = sums_mul(sum, x[from_row + d * params.width], values[a + d * step]);
    }
  }
  y[cell] = signed_sum(y[cell], sums_value(sum), params.is_minus != 0u);
}
