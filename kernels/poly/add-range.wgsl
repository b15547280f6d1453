// to[v, k] ← from[v, k], or, ADD, to[v, k] + from[v, k] mod p: `count` coefficients of each of `vectors` vectors of
// four columns.
struct Params { vectors: u32, count: u32, p: u32, to_first: u32, to_stride: u32, from_first: u32, from_stride: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> y: array<vec4<u32>>;
override ADD: bool;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let vector = at / params.count;
  if (vector >= params.vectors) { return; }
  let k = at % params.count;
  let place = params.to_first + vector * params.to_stride + k;
  let value = x[params.from_first + vector * params.from_stride + k];
  if (ADD) {
    let sum = y[place] + value;
    y[place] = min(sum, sum - vec4<u32>(params.p));
  } else {
    y[place] = value;
  }
}
