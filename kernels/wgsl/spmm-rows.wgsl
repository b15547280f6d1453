// Y ← alpha·A·X + beta·Y for the short rows of A in sliced storage (kernels/gpu/sliced-rows.ts).
//
// A slot is a place in the order of rows by length; SLICE slots are stored side by side, entry after entry, so that
// neighbouring invocations read neighbouring indices and gather with equally long loops. One invocation owns LANES-th of a
// row of Y: one `Words`. An entry ±1 is column·2 + sign; a general one is (column, value).
// counts: ±1 entries in the low half, general ones in the high half; both below TERMS, so nothing is folded on the way.
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
  let units_end = k + (count & 0xffffu) * SLICE;
  for (; k < units_end; k += SLICE) {
    let e = units[k];
    s = sums_unit(s, x[(e >> 1u) * LANES + lane], (e & 1u) == 1u);
  }
  k = slice.y + slot % SLICE;
  let generals_end = k + (count >> 16u) * SLICE;
  for (; k < generals_end; k += SLICE) {
    let e = generals[k];
    s = sums_mul(s, x[e.x * LANES + lane], e.y);
  }
  let to = order[slot] * LANES + lane;
  var value = sums_value(s);
  if (params.alpha != 1u || params.beta != 0u) { value = combined(value, params.alpha, y[to], params.beta); }
  y[to] = value;
}
