// Y ← alpha·A·X + beta·Y for a part of A in any format that says how its rows are walked; each `Words` by
// itself. In front of each-word.wgsl.
//
// The format prelude (kernels/sparse/formats/*.wgsl) binds the part's indices from 4 on and provides
//   row_at(slot)       the row that stands at `slot`, slot < rows: every row once
//   entry_at(row, t)   its entry t, t < row.count
// CLASS 0: all entries are +1   1: all are −1   2: each has a value
struct Params { rows: u32, extent: u32, alpha: u32, beta: u32 } // extent: a size that the format names
struct Row { index: u32, first: u32, count: u32 } // `first` is for entry_at alone
struct Entry { column: u32, place: u32 } // place: of its value
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> values: array<u32>;
@group(0) @binding(2) var<storage, read> x: array<Words>;
@group(0) @binding(3) var<storage, read_write> y: array<Words>;
override LANES: u32;
override CLASS: u32;

fn word_count() -> u32 { return params.rows * LANES; }

fn make_word(at: u32) {
  let slot = at / LANES;
  let lane = at % LANES;
  if (slot >= params.rows) { return; }
  let row = row_at(slot);
  var s = sums_zero();
  var terms = 0u;
  for (var t = 0u; t < row.count; t++) {
    if (terms == TERMS) { s = sums_fold(s); terms = 0u; }
    terms++;
    let entry = entry_at(row, t);
    let words = x[entry.column * LANES + lane];
    if (CLASS == 2u) { s = sums_mul(s, words, values[entry.place]); } else { s = sums_unit(s, words, CLASS == 1u); }
  }
  let to = row.index * LANES + lane;
  y[to] = combine(sums_value(s), params.alpha, y[to], params.beta);
}
