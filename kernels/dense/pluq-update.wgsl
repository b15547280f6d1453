// C ← C − L·R: the trailing part of a dense matrix loses what a block's pivots take from it.
//
// A workgroup owns TILE rows × 16 vectors of four words of C, an invocation 4 rows of one vector. L comes as words
// [step][row], R as parts [step][tile][part][vector] (pluq-left.wgsl, pluq-right.wgsl); pluq-u16.wgsl and pluq-u32.wgsl
// say how four vectors of R's words meet four words of C. R has `across` tiles; a dispatch takes `tiles` of them from
// first_tile on, and tile 0 begins at first_vector of C. DEPTH steps at a time go through the workgroup's memory, the
// next ones on their way meanwhile.
struct Params {
  rows: u32, stride: u32, first_row: u32, first_vector: u32, steps: u32,
  left_rows: u32, across: u32, first_tile: u32, tiles: u32,
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> left: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> right: array<vec4<u32>>;
@group(0) @binding(3) var<storage, read_write> c: array<vec4<u32>>;
override TILE: u32; // 64: 16 × 16 invocations
override DEPTH: u32; // 8: a vector of L for every other invocation, two of R for all

var<workgroup> l: array<vec4<u32>, DEPTH * TILE / 4u>;
var<workgroup> r: array<vec4<u32>, DEPTH * 64u>;

struct Row { s0: vec4<u32>, s1: vec4<u32>, s2: vec4<u32>, s3: vec4<u32> }

fn dot_bytes(x: u32, v: vec4<u32>) -> vec4<u32> {
  return vec4<u32>(dot4U8Packed(x, v.x), dot4U8Packed(x, v.y), dot4U8Packed(x, v.z), dot4U8Packed(x, v.w));
}

fn more(s: Row, x: u32, v0: vec4<u32>, v1: vec4<u32>, v2: vec4<u32>, v3: vec4<u32>) -> Row {
  return Row(s.s0 + dot_bytes(x, v0), s.s1 + dot_bytes(x, v1), s.s2 + dot_bytes(x, v2), s.s3 + dot_bytes(x, v3));
}

fn store(row: u32, vector: u32, s: Row) {
  if (row >= params.rows || vector >= params.stride) { return; }
  let at = row * params.stride + vector;
  c[at] = less(c[at], s.s0, s.s1, s.s2, s.s3);
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let group = linear_group(id, groups);
  let down = group / params.tiles;
  if (down * TILE >= params.left_rows) { return; }
  let tile = params.first_tile + group % params.tiles;
  let tx = local & 15u;
  let ty = local >> 4u;

  // One vector of L is four rows.
  let l_row = params.left_rows / 4u;
  let r_row = params.across * 64u;
  let loads = DEPTH * TILE / 4u;
  let turn = local % loads; // invocations that store none load the same as others
  var l_at = (turn / (TILE / 4u)) * l_row + down * (TILE / 4u) + turn % (TILE / 4u);
  var r_at = (local >> 6u) * r_row + tile * 64u + (local & 63u);
  var next_l = left[l_at];
  var next_r0 = right[r_at];
  var next_r1 = right[r_at + (DEPTH / 2u) * r_row];

  let zero = vec4<u32>(0u);
  var c0 = Row(zero, zero, zero, zero);
  var c1 = c0;
  var c2 = c0;
  var c3 = c0;
  for (var step = 0u; step < params.steps; step += DEPTH) {
    if (local < loads) { l[local] = next_l; }
    r[local] = next_r0;
    r[local + WORKGROUP] = next_r1;
    workgroupBarrier();
    if (step + DEPTH < params.steps) {
      l_at += DEPTH * l_row;
      r_at += DEPTH * r_row;
      next_l = left[l_at];
      next_r0 = right[r_at];
      next_r1 = right[r_at + (DEPTH / 2u) * r_row];
    }
    for (var s = 0u; s < DEPTH; s++) {
      let x = l[s * (TILE / 4u) + ty];
      let v0 = r[s * 64u + tx];
      let v1 = r[s * 64u + tx + 16u];
      let v2 = r[s * 64u + tx + 32u];
      let v3 = r[s * 64u + tx + 48u];
      c0 = more(c0, x.x, v0, v1, v2, v3);
      c1 = more(c1, x.y, v0, v1, v2, v3);
      c2 = more(c2, x.z, v0, v1, v2, v3);
      c3 = more(c3, x.w, v0, v1, v2, v3);
    }
    workgroupBarrier();
  }
  let row = params.first_row + down * TILE + 4u * ty;
  let vector = params.first_vector + tile * 16u + tx;
  store(row, vector, c0);
  store(row + 1u, vector, c1);
  store(row + 2u, vector, c2);
  store(row + 3u, vector, c3);
}
