// Y ← Y + alpha·A·X for a part of A by columns (kernels/sparse/formats/csc.ts); an invocation owns one `Words` of a row
// of X and adds its products to the rows of Y.
//
// A sum of residues does not depend on the order of its terms, so that invocations add in whatever order they come: a
// word is exchanged for its sum if no other invocation has changed it in between, else added to what is there now.
// CLASS 0: all entries are +1   1: all are −1   2: each has a value
struct Params { cols: u32, alpha: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> col_ptr: array<u32>;
@group(0) @binding(2) var<storage, read> row_idx: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<u32>;
@group(0) @binding(4) var<storage, read> x: array<Words>;
@group(0) @binding(5) var<storage, read_write> y: array<atomic<u32>>;
override LANES: u32;
override CLASS: u32;

// One word of Y, with one residue or two.
fn add_word(at: u32, word: u32) {
  var old = atomicLoad(&y[at]);
  loop {
    let sum = sums_value(sums_unit(sums_unit(sums_zero(), Words(old), false), Words(word), false));
    let result = atomicCompareExchangeWeak(&y[at], old, word_of(sum, 0u));
    if (result.exchanged) { break; }
    old = result.old_value;
  }
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let j = at / LANES;
  let lane = at % LANES;
  if (j >= params.cols) { return; }
  let factor = combine(x[j * LANES + lane], params.alpha, Words(0u), 0u);
  for (var k = col_ptr[j]; k < col_ptr[j + 1u]; k++) {
    var s = sums_zero();
    if (CLASS == 2u) { s = sums_mul(s, factor, values[k]); } else { s = sums_unit(s, factor, CLASS == 1u); }
    let product = sums_value(s);
    for (var c = 0u; c < WORD_COUNT; c++) {
      add_word((row_idx[k] * LANES + lane) * WORD_COUNT + c, word_of(product, c));
    }
  }
}
