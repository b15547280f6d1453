// Behind a residue prelude: sums over a workgroup, or over each team of its invocations.
var<workgroup> shares: array<Words, WORKGROUP>;

// The sum of what all invocations have, canonical residues: for the first of them, and all take part.
fn sum_over_workgroup(local: u32, own: Words) -> Words { return sum_over_team(local, local, WORKGROUP, 1u, own); }

// The same over teams of `members`, a power of two, whose neighbours stand `stride` invocations apart: for member 0.
fn sum_over_team(local: u32, member: u32, members: u32, stride: u32, own: Words) -> Words {
  shares[local] = own;
  for (var half = members / 2u; half > 0u; half /= 2u) {
    workgroupBarrier();
    if (member < half) { shares[local] = add(shares[local], shares[local + half * stride]); }
  }
  return shares[local];
}
