// out ← coefficients of the product mod p, from their residues modulo the primes; one invocation owns four columns.
//
// Garner: c = d_0 + q_0·(d_1 + q_1·d_2) with 0 ≤ d_l < q_l, which is c itself as 0 ≤ c < Π q_l. The factors come as
// pairs (ntt-prime.wgsl): scale_l = 2^32/N mod q_l, undo_il = 1/q_i mod q_l, weight_l = Π_{i<l} q_i mod p.
struct Params {
  scale0: vec2<u32>, scale1: vec2<u32>, scale2: vec2<u32>, undo01: vec2<u32>, undo02: vec2<u32>, undo12: vec2<u32>,
  weight0: vec2<u32>, weight1: vec2<u32>, weight2: vec2<u32>,
  p: u32, primes: u32, log_points: u32, rows: u32,
  all_groups: u32, first_group: u32, groups: u32, stride: u32, first: u32, // of out, in vectors
  left: u32, wanted: u32, piece: u32, count: u32, first_piece: u32, pieces: u32, // as in coefficients.wgsl
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read_write> out: array<vec4<u32>>;

// x·w mod m, canonical, for any x and m < 2^31: the exact quotient leaves less than 2m.
fn exactly(x: u32, r: vec2<u32>, m: u32) -> u32 {
  let t = x * r.x - high(x, r.y) * m;
  return min(t, t - m);
}

fn add(x: u32, y: u32, m: u32) -> u32 { return min(x + y, x + y - m); }

// (x − y)·w mod q for canonical x and y < 2q
fn over(x: u32, y: u32, r: vec2<u32>, q: u32) -> u32 { return exactly(x + 2u * q - y, r, q); }

fn residue(at: u32, each: u32) -> u32 {
  let d0 = exactly(values[at], params.scale0, Q0);
  var sum = exactly(d0, params.weight0, params.p);
  if (params.primes == 1u) { return sum; }
  let d1 = over(exactly(values[at + each], params.scale1, Q1), d0, params.undo01, Q1);
  sum = add(sum, exactly(d1, params.weight1, params.p), params.p);
  if (params.primes == 2u) { return sum; }
  let e2 = over(exactly(values[at + 2u * each], params.scale2, Q2), d0, params.undo02, Q2);
  let d2 = over(e2, d1, params.undo12, Q2);
  return add(sum, exactly(d2, params.weight2, params.p), params.p);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let k = at % params.piece;
  let vector = at / params.piece; // (row, piece, group)
  let group = vector % params.groups;
  let piece = (vector / params.groups) % params.pieces;
  let row = vector / (params.groups * params.pieces);
  let done = (params.first_piece + piece) * params.piece;
  if (row >= params.rows || done + k >= params.count) { return; }
  // The window of b began `left − 1` before the piece, or at 0: the values wrap below that.
  let to = params.wanted + done;
  let place = min(params.left - 1u, to) + k;
  let entries = 4u * params.rows * params.pieces * params.groups;
  let points = 1u << params.log_points;
  let first = ((4u * vector) << params.log_points) + place;
  let each = entries << params.log_points;
  out[params.first + (row * params.all_groups + params.first_group + group) * params.stride + done + k] = vec4<u32>(
    residue(first, each), residue(first + points, each),
    residue(first + 2u * points, each), residue(first + 3u * points, each),
  );
}
