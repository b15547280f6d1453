// Y ← alpha·A·X + beta·Y for dense B × B blocks in compressed block rows (kernels/sparse/formats/bcsr.ts),
// each `Words` of a row by itself. In front of each-word.wgsl.
//
// Values stand in pairs of a row's columns 2c and 2c + 1 of a block, those of the B rows side by side, so that
// neighbouring invocations read neighbouring words. A block of an odd B has a pair with one 0.
struct Params { rows: u32, alpha: u32, beta: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> block_ptr: array<u32>;
@group(0) @binding(2) var<storage, read> columns: array<u32>; // the first one of each block
@group(0) @binding(3) var<storage, read> values: array<u32>;
@group(0) @binding(4) var<storage, read> x: array<Words>;
@group(0) @binding(5) var<storage, read_write> y: array<Words>;
override LANES: u32;
override B: u32;

fn word_count() -> u32 { return params.rows * LANES; }

fn make_word(at: u32) {
  let row = at / LANES;
  let lane = at % LANES;
  if (row >= params.rows) { return; }
  let end = block_ptr[row / B + 1u];
  var s = sums_zero();
  var terms = 0u;
  for (var k = block_ptr[row / B]; k < end; k++) {
    if (terms + B > TERMS) { s = sums_fold(s); terms = 0u; }
    terms += B;
    let first = columns[k] * LANES + lane;
    var v = k * ((B + 1u) / 2u) * PAIR_VALUES * B + row % B;
    for (var c = 0u; c + 1u < B; c += 2u) {
      let pair = vec2(values[v], values[v + (PAIR_VALUES - 1u) * B]);
      s = sums_mul(s, x[first + c * LANES], pair_value(pair, 0u));
      s = sums_mul(s, x[first + (c + 1u) * LANES], pair_value(pair, 1u));
      v += PAIR_VALUES * B;
    }
    if (B % 2u == 1u) { s = sums_mul(s, x[first + (B - 1u) * LANES], pair_value(vec2(values[v], 0u), 0u)); }
  }
  let to = row * LANES + lane;
  y[to] = combine(sums_value(s), params.alpha, y[to], params.beta);
}
