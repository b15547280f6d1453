// Rows of dense matrices copied: row `moves[t].x` of y ← row `moves[t].y` of x, an invocation a vector.
struct Params { moves: u32, stride: u32, first_move: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> moves: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> x: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> y: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let t = at / params.stride;
  if (t >= params.moves) { return; }
  let pair = moves[params.first_move + t];
  y[pair.x * params.stride + at % params.stride] = x[pair.y * params.stride + at % params.stride];
}
