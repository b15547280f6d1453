// The second stage of block-dot-batch.wgsl: the parts of each M_k added up, one invocation four residues.
struct Params { all: u32, units: u32, parts: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> sums: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read_write> m: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.all) { return; }
  let first = (at / params.units) * params.parts * params.units + at % params.units;
  var total = vec4<u32>();
  for (var part = 0u; part < params.parts; part++) {
    total += sums[first + part * params.units];
    total = min(total, total - vec4(P));
  }
  m[at] = total;
}
