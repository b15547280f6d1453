// The end of one step of refinement and the beginning of the next: r_i ← r_i − Σ_(j in W) a_ij·d_j, the digits wanted,
// the largest |r| and |d| so far, and d_i ← round(2^s·r_i / a_ii) for the lines of S.
//
// With `first` set there is no step to end. Row i reads d_j of W only and writes d_i of S only.
struct Params { rows: u32, weak: u32, scale: i32, first: u32, to: u32 } // digits go to digits[to …]
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bounds: array<vec2<u32>>; // rows + 1: refine-products.wgsl
@group(0) @binding(2) var<storage, read> columns: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<i32>;
@group(0) @binding(4) var<storage, read> lines: array<vec2<u32>>; // a_ii as f32 bits; the place of i among those wanted
@group(0) @binding(5) var<storage, read_write> d: array<i32>;
@group(0) @binding(6) var<storage, read_write> r: array<i32>;
@group(0) @binding(7) var<storage, read_write> digits: array<i32>;
@group(0) @binding(8) var<storage, read_write> largest: array<atomic<u32>, 2>; // |r|, |d|

const NONE = 0xffffffffu;

var<workgroup> most: array<atomic<u32>, 2>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let i = linear_group(id, groups) * WORKGROUP + local;
  if (local < 2u) { atomicStore(&most[local], 0u); }
  workgroupBarrier();
  if (i < params.rows) {
    var rest = r[i];
    let line = lines[i];
    if (params.first == 0u) {
      for (var k = bounds[i].x; k < bounds[i].y; k++) { rest -= values[k] * d[columns[k]]; }
      r[i] = rest;
      if (line.y != NONE) { digits[params.to + line.y] = d[i]; }
      atomicMax(&most[1], u32(abs(d[i])));
    }
    atomicMax(&most[0], u32(abs(rest)));
    if (i >= params.weak) { d[i] = i32(round(f32(rest) * f32(params.scale) / bitcast<f32>(line.x))); }
  }
  workgroupBarrier();
  if (local < 2u) { atomicMax(&largest[local], atomicLoad(&most[local])); }
}
