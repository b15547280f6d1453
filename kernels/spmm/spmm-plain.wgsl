// Y ← alpha·A·X + beta·Y for one class of entries in one of the plain formats; one invocation owns one `Words` of a row.
//
//   FORMAT 0  CSR    row i owns places starts[i] … starts[i+1] − 1
//   FORMAT 1  ELL    row i owns `width` places i, i + rows, i + 2·rows, …: column by column, as neighbours read it
//   FORMAT 2  ELL_R  the same, the first starts[i] of them
//   CLASS 0 +1, 1 −1 (no values), 2 general
struct Params { rows: u32, width: u32, alpha: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> columns: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<u32>;
@group(0) @binding(4) var<storage, read> x: array<Words>;
@group(0) @binding(5) var<storage, read_write> y: array<Words>;
override LANES: u32;
override FORMAT: u32;
override CLASS: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let i = at / LANES;
  let lane = at % LANES;
  if (i >= params.rows) { return; }
  var first = i;
  var count = params.width;
  var step = params.rows;
  if (FORMAT == 0u) {
    first = starts[i];
    count = starts[i + 1u] - first;
    step = 1u;
  } else if (FORMAT == 2u) {
    count = starts[i];
  }
  var s = sums_zero();
  var terms = 0u;
  for (var t = 0u; t < count; t++) {
    if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
    terms++;
    let k = first + t * step;
    let words = x[columns[k] * LANES + lane];
    if (CLASS == 2u) { s = sums_mul(s, words, values[k]); } else { s = sums_unit(s, words, CLASS == 1u); }
  }
  let to = i * LANES + lane;
  y[to] = combined(sums_value(s), params.alpha, y[to], params.beta);
}
