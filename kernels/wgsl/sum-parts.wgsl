// out[first + …] ← Σ over the chunks of a block row of parts[chunk], one residue a word; one invocation owns one `Words`.
struct Params { words: u32, pairs: u32, first: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chunk_bounds: array<u32>; // of the block rows
@group(0) @binding(2) var<storage, read> parts: array<Words>;
@group(0) @binding(3) var<storage, read_write> result: array<u32>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  if (at >= params.words) { return; }
  let r = at / params.pairs;
  let pair = at % params.pairs;
  var s = sums_zero();
  var terms = 0u;
  for (var chunk = chunk_bounds[r]; chunk < chunk_bounds[r + 1u]; chunk++) {
    if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
    terms++;
    s = sums_unit(s, parts[chunk * params.pairs + pair], false);
  }
  let total = sums_value(s);
  for (var k = 0u; k < WORD_COUNT * RESIDUES_A_WORD; k++) {
    let word = word_of(total, k / RESIDUES_A_WORD);
    result[params.first + at * WORD_COUNT * RESIDUES_A_WORD + k] = word_residue(word, k % RESIDUES_A_WORD);
  }
}
