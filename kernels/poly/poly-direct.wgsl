// out ← coefficients of a·b by the definition, for gpu-mul.ts: of short factors, or few coefficients of long ones.
//
// A task is four columns of one coefficient: of an invocation, or, SHARED, of a workgroup whose invocations share the
// terms, four columns of a at a time.
// Matrices are laid out in vectors of four columns (kernels/poly/poly-matrix.ts).
struct Params {
  tasks: u32, inner: u32, wanted: u32, count: u32,
  a_groups: u32, a_first: u32, a_stride: u32, a_length: u32,
  b_groups: u32, b_first: u32, b_stride: u32, b_length: u32,
  out_first: u32, out_stride: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> b: array<Words>;
@group(0) @binding(3) var<storage, read_write> out: array<Words>;

override SHARED: bool;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let owner = linear_group(id, groups);
  let task = select(owner * WORKGROUP + local, owner, SHARED);
  let share = select(0u, local, SHARED);
  let step = select(1u, WORKGROUP, SHARED);
  var sum = Words(0u);
  if (task < params.tasks) { sum = part_of(task, share, step); }
  if (SHARED) { sum = sum_over_workgroup(local, sum); }
  if (task < params.tasks && share == 0u) {
    out[params.out_first + task / params.count * params.out_stride + task % params.count] = sum;
  }
}

// Every step-th term of a task, from `share` on.
fn part_of(task: u32, share: u32, step: u32) -> Words {
  let k = params.wanted + task % params.count;
  let vector = task / params.count;
  let row = vector / params.b_groups;
  let group = vector % params.b_groups;
  let first = k + 1u - min(params.b_length, k + 1u);
  let terms = min(k + 1u, params.a_length) - first; // of one entry
  var s = sums_zero();
  var added = 0u;
  for (var t = share; t < terms * params.a_groups; t += step) {
    let j = first + t % terms;
    let g = t / terms;
    let x = a[params.a_first + (row * params.a_groups + g) * params.a_stride + j];
    if (added + 4u > TERMS) { s = sums_fold(s); added = 0u; }
    added += 4u;
    for (var c = 0u; c < min(4u, params.inner - 4u * g); c++) {
      let at = params.b_first + ((4u * g + c) * params.b_groups + group) * params.b_stride + k - j;
      s = sums_mul(s, b[at], x[c]);
    }
  }
  return sums_value(s);
}
