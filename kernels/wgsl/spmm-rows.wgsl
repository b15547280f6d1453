// Y ← alpha·A·X + beta·Y for the short rows of A in sliced storage (kernels/gpu/sliced-rows.ts).
//
// A slot is a place in the order of rows by length; SLICE slots are stored side by side, entry after entry, so that
// neighbouring invocations read neighbouring indices and gather with equally long loops. One invocation owns LANES-th of a
// row of Y: one `Words`. An entry ±1 is column·2 + sign; a general one is (column, value).
// counts: ±1 entries in the low half, general ones in the high half; fewer than TERMS together, so nothing is folded on the way.
struct Params { slots: u32, alpha: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> counts: array<u32>;
@group(0) @binding(3) var<storage, read> slices: array<vec2<u32>>; // first ±1 entry, first general entry
@group(0) @binding(4) var<storage, read> units: array<u32>;
@group(0) @binding(5) var<storage, read> generals: array<vec2<u32>>;
@group(0) @binding(6) var<storage, read> x: array<Words>;
@group(0) @binding(7) var<storage, read_write> y: array<Words>;
override LANES: u32;
override SLICE: u32;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let slot = at / LANES;
  let lane = at % LANES;
  if (slot >= params.slots) { return; }
  let count = counts[slot];
  let slice = slices[slot / SLICE];
  var s = sums_zero();
  var k = slice.x + slot % SLICE;
  var left = count & 0xffffu;
  // Four entries at a time, so that four rows of X are on their way at once.
  for (; left >= 4u; left -= 4u) {
    let e = vec4(units[k], units[k + SLICE], units[k + 2u * SLICE], units[k + 3u * SLICE]);
    let at4 = (e >> vec4(1u)) * LANES + lane;
    let w0 = x[at4.x];
    let w1 = x[at4.y];
    let w2 = x[at4.z];
    let w3 = x[at4.w];
    s = sums_unit(s, w0, (e.x & 1u) == 1u);
    s = sums_unit(s, w1, (e.y & 1u) == 1u);
    s = sums_unit(s, w2, (e.z & 1u) == 1u);
    s = sums_unit(s, w3, (e.w & 1u) == 1u);
    k += 4u * SLICE;
  }
  for (; left > 0u; left--) {
    let e = units[k];
    s = sums_unit(s, x[(e >> 1u) * LANES + lane], (e & 1u) == 1u);
    k += SLICE;
  }
  k = slice.y + slot % SLICE;
  left = count >> 16u;
  for (; left >= 4u; left -= 4u) {
    let e0 = generals[k];
    let e1 = generals[k + SLICE];
    let e2 = generals[k + 2u * SLICE];
    let e3 = generals[k + 3u * SLICE];
    let w0 = x[e0.x * LANES + lane];
    let w1 = x[e1.x * LANES + lane];
    let w2 = x[e2.x * LANES + lane];
    let w3 = x[e3.x * LANES + lane];
    s = sums_mul(s, w0, e0.y);
    s = sums_mul(s, w1, e1.y);
    s = sums_mul(s, w2, e2.y);
    s = sums_mul(s, w3, e3.y);
    k += 4u * SLICE;
  }
  for (; left > 0u; left--) {
    let e = generals[k];
    s = sums_mul(s, x[e.x * LANES + lane], e.y);
    k += SLICE;
  }
  let to = order[slot] * LANES + lane;
  // Y ← A·X + Y, as panels of columns are added up, takes one term more and no second reduction.
  let adds = params.alpha == 1u && params.beta == 1u;
  if (adds) { s = sums_unit(s, y[to], false); }
  var value = sums_value(s);
  if (!adds && (params.alpha != 1u || params.beta != 0u)) { value = combined(value, params.alpha, y[to], params.beta); }
  y[to] = value;
}
