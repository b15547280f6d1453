// Behind a residue prelude: inverses.

// At most as much as a quotient in float32, whose conversions and division err by less than 2^-20.
const BELOW = 1.0 - 1.0 / 1048576.0;

// a⁻¹ mod P, for a ≠ 0, by Euclid with quotients from float32, which are too small at times: ±t1·a ≡ r1 in turn, and
// r0 ≥ r1 where a turn begins. Each turn waits for the one before, and a division of integers takes several times as
// long.
fn inverse(a: u32) -> u32 {
  var r0 = P;
  var r1 = a;
  var t0 = 0u;
  var t1 = 1u;
  var negative = false;
  while (r1 > 1u) {
    let q = max(u32(f32(r0) / f32(r1) * BELOW), 1u);
    let r = r0 - q * r1;
    let t = t0 + q * t1;
    if (r < r1) {
      r0 = r1;
      t0 = t1;
      r1 = r;
      t1 = t;
      negative = !negative;
    } else {
      r0 = r;
      t0 = t;
    }
  }
  return select(t1, P - t1, negative);
}
