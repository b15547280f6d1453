// Behind a residue prelude: a sum over a workgroup.
var<workgroup> shares: array<Words, WORKGROUP>;

// The sum of what all invocations have, canonical residues: for the first of them, and all take part.
fn sum_over_workgroup(local: u32, own: Words) -> Words {
  shares[local] = own;
  for (var half = WORKGROUP / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (local < half) { shares[local] = add(shares[local], shares[local + half]); }
  }
  return shares[local];
}
