// Behind a residue prelude: inverses.

// a⁻¹ mod P, for a ≠ 0, by Euclid: ±t1·a ≡ r1 in turn.
fn inverse(a: u32) -> u32 {
  var r0 = P;
  var r1 = a;
  var t0 = 0u;
  var t1 = 1u;
  var negative = false;
  while (r1 > 1u) {
    let q = r0 / r1;
    let r = r0 - q * r1;
    let t = t0 + q * t1;
    r0 = r1;
    r1 = r;
    t0 = t1;
    t1 = t;
    negative = !negative;
  }
  return select(t1, P - t1, negative);
}
