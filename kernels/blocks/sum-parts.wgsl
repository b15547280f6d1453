// blocks ← Σ over the chunks of a block row of their parts, one residue a word.
//
// parts holds blocks one after another, `chunks` chunks of `pairs` each; a block has `words`; the first goes to
// `first`. A workgroup owns one `Words` of a block, and its invocations share the chunks. Behind
// kernels/residues/workgroup-sum.wgsl.
struct Params { total: u32, words: u32, pairs: u32, chunks: u32, first: u32 }
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
  let at = linear_group(id, groups);
  if (at >= params.total) { return; }
  let block = at / params.words;
  let r = (at % params.words) / params.pairs;
  let pair = at % params.pairs;
  var s = sums_zero();
  var terms = 0u;
  for (var chunk = chunk_bounds[r] + local; chunk < chunk_bounds[r + 1u]; chunk += WORKGROUP) {
    if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
    terms++;
    s = sums_unit(s, parts[(block * params.chunks + chunk) * params.pairs + pair], false);
  }
  let total = sum_over_workgroup(local, sums_value(s));
  if (local > 0u) { return; }
  for (var k = 0u; k < WORD_COUNT * RESIDUES_A_WORD; k++) {
    let word = word_of(total, k / RESIDUES_A_WORD);
    result[(params.first + at) * WORD_COUNT * RESIDUES_A_WORD + k] = word_residue(word, k % RESIDUES_A_WORD);
  }
}
