// One level of transforms longer than a tile, in place: butterflies of values `half` apart; one invocation a butterfly.
struct Params { log_points: u32, entries: u32, primes: u32, half: u32, roots: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> roots: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> values: array<u32>;
override INVERSE: bool;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let b = linear_group(id, groups) * WORKGROUP + local;
  let each = params.entries << (params.log_points - 1u);
  if (b >= each * params.primes) { return; }
  let l = b / each;
  let q = modulus(l);
  let half = params.half;
  let j = b & (half - 1u);
  let at = 2u * b - j;
  let root = roots[(2u * l + select(0u, 1u, INVERSE)) * params.roots + half + j];
  let u = values[at];
  let v = values[at + half];
  if (INVERSE) {
    let w = times(v, root, q);
    values[at] = add_loose(u, w, q);
    values[at + half] = add_loose(u, 2u * q - w, q);
  } else {
    values[at] = add_loose(u, v, q);
    values[at + half] = times(u + 2u * q - v, root, q);
  }
}
