// Y ← alpha·A·X + beta·Y for the short rows of A in sliced storage (kernels/sparse/formats/sliced-ell.ts).
//
// A slot is a place in the order of rows by length; SLICE slots are stored side by side, entry after entry, so that
// neighbouring invocations read neighbouring indices and gather with equally long loops. A word is a LANES-th of a row
// of Y: one `Words`. In front of each-word.wgsl. An entry ±1 is column·2 + sign; general ones stand in pairs, columns
// before values.
// A row has fewer than TERMS entries, so nothing is folded on the way.
struct Params { first: u32, slots: u32, alpha: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
// Row within its window, ±1 entries << 14, general ones << 22.
@group(0) @binding(1) var<storage, read> slots: array<u32>;
@group(0) @binding(2) var<storage, read> slices: array<vec2<u32>>; // first ±1 entry, first word of the first pair
@group(0) @binding(3) var<storage, read> units: array<u32>;
@group(0) @binding(4) var<storage, read> pairs: array<u32>;
@group(0) @binding(5) var<storage, read> x: array<Words>;
@group(0) @binding(6) var<storage, read_write> y: array<Words>;
override LANES: u32;
override SLICE: u32;
override WINDOW: u32;
// Whether there are entries ±1, and general ones. Code for what is not there, or for another END, costs registers,
// hence invocations at a time (test/bench/RESULTS.md#gpu-spmm).
override UNITS: bool;
override PAIRS: bool;
// 0: Y ← A·X   1: Y ← A·X + Y, as panels of columns are added up   2: any alpha and beta
override END: u32;
const VACANT = 1u << 30u;

// The values of the pair whose first word is k.
fn values_at(k: u32) -> vec2<u32> {
  return vec2(pairs[k + 2u * SLICE], pairs[k + (1u + PAIR_VALUES) * SLICE]);
}

fn word_count() -> u32 { return params.slots * LANES; }

fn make_word(at: u32) {
  let place = at / LANES;
  let lane = at % LANES;
  if (place >= params.slots) { return; }
  let slice = slices[place / SLICE];
  let slot = slots[place];
  let row = (params.first + place) / WINDOW * WINDOW + slot % WINDOW;
  let to = row * LANES + lane;
  // A·X + Y leaves rows without an entry as they are.
  if (slot == VACANT || (END == 1u && (slot >> 14u) == 0u)) { return; }
  var old = Words(0u);
  if (END != 0u) { old = y[to]; }
  var s = sums_zero();
  var k = slice.x + place % SLICE;
  var left = (slot >> 14u) & 0xffu;
  // Four entries at a time, so that four rows of X are on their way at once.
  for (; UNITS && left >= 4u; left -= 4u) {
    let e = vec4(units[k], units[k + SLICE], units[k + 2u * SLICE], units[k + 3u * SLICE]);
    let j = (e >> vec4(1u)) * LANES + lane;
    let x0 = x[j.x];
    let x1 = x[j.y];
    let x2 = x[j.z];
    let x3 = x[j.w];
    s = sums_unit(s, x0, (e.x & 1u) == 1u);
    s = sums_unit(s, x1, (e.y & 1u) == 1u);
    s = sums_unit(s, x2, (e.z & 1u) == 1u);
    s = sums_unit(s, x3, (e.w & 1u) == 1u);
    k += 4u * SLICE;
  }
  for (; UNITS && left > 0u; left--) {
    let e = units[k];
    s = sums_unit(s, x[(e >> 1u) * LANES + lane], (e & 1u) == 1u);
    k += SLICE;
  }
  let step = (2u + PAIR_VALUES) * SLICE;
  k = slice.y + place % SLICE;
  left = slot >> 22u;
  // Eight of long rows where words hold two residues: more reads under way (test/bench/RESULTS.md#gpu-spmm).
  for (; PAIRS && RESIDUES_A_WORD == 2u && LANES >= 4u && left >= 8u; left -= 8u) {
    let j = vec4(pairs[k], pairs[k + SLICE], pairs[k + step], pairs[k + step + SLICE]) * LANES + lane;
    let h = k + 2u * step;
    let i = vec4(pairs[h], pairs[h + SLICE], pairs[h + step], pairs[h + step + SLICE]) * LANES + lane;
    let x0 = x[j.x];
    let x1 = x[j.y];
    let x2 = x[j.z];
    let x3 = x[j.w];
    let x4 = x[i.x];
    let x5 = x[i.y];
    let x6 = x[i.z];
    let x7 = x[i.w];
    let v = values_at(k);
    let w = values_at(k + step);
    s = sums_mul(s, x0, pair_value(v, 0u));
    s = sums_mul(s, x1, pair_value(v, 1u));
    s = sums_mul(s, x2, pair_value(w, 0u));
    s = sums_mul(s, x3, pair_value(w, 1u));
    let v4 = values_at(h);
    let w4 = values_at(h + step);
    s = sums_mul(s, x4, pair_value(v4, 0u));
    s = sums_mul(s, x5, pair_value(v4, 1u));
    s = sums_mul(s, x6, pair_value(w4, 0u));
    s = sums_mul(s, x7, pair_value(w4, 1u));
    k += 4u * step;
  }
  for (; PAIRS && left >= 4u; left -= 4u) {
    let j = vec4(pairs[k], pairs[k + SLICE], pairs[k + step], pairs[k + step + SLICE]) * LANES + lane;
    let v = values_at(k);
    let w = values_at(k + step);
    let x0 = x[j.x];
    let x1 = x[j.y];
    let x2 = x[j.z];
    let x3 = x[j.w];
    s = sums_mul(s, x0, pair_value(v, 0u));
    s = sums_mul(s, x1, pair_value(v, 1u));
    s = sums_mul(s, x2, pair_value(w, 0u));
    s = sums_mul(s, x3, pair_value(w, 1u));
    k += 2u * step;
  }
  if (PAIRS && left >= 2u) {
    let j = vec2(pairs[k], pairs[k + SLICE]) * LANES + lane;
    let v = values_at(k);
    let x0 = x[j.x];
    let x1 = x[j.y];
    s = sums_mul(s, x0, pair_value(v, 0u));
    s = sums_mul(s, x1, pair_value(v, 1u));
    k += step;
  }
  if (PAIRS && left % 2u == 1u) { s = sums_mul(s, x[pairs[k] * LANES + lane], pair_value(values_at(k), 0u)); }
  // One term more instead of a second reduction.
  if (END == 1u) { s = sums_unit(s, old, false); }
  var value = sums_value(s);
  if (END == 2u) { value = combine(value, params.alpha, old, params.beta); }
  y[to] = value;
}
