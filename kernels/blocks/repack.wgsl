// Residues two a word into residues one a word (TO_PAIRS false), or back; one invocation owns a word of pairs.
struct Params { pairs: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> source: array<u32>;
@group(0) @binding(2) var<storage, read_write> result: array<u32>;
override TO_PAIRS: bool;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.pairs) { return; }
  if (TO_PAIRS) {
    result[at] = source[2u * at] | (source[2u * at + 1u] << 16u);
  } else {
    result[2u * at] = source[at] & 0xffffu;
    result[2u * at + 1u] = source[at] >> 16u;
  }
}
