// values[l, entry, k] ← coefficient k, 0 ≤ k < N: what precedes the levels of a transform longer than a tile.
@group(0) @binding(2) var<storage, read_write> values: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let each = params.entries << params.log_points;
  if (at >= each * params.primes) { return; }
  let l = at / each;
  let place = at - l * each;
  let k = place & ((1u << params.log_points) - 1u);
  values[at] = coefficient(place >> params.log_points, k, modulus(l));
}
