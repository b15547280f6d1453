// Products of four entries in four words, a 2^32nd of each, and their sums by row in the memory of a workgroup:
// 2^16 < p < 2^31. A sum is a word and the times that it passed 2^32, half a word: 2^16 products below 2^31 make
// 2^15 of these.
alias Four = vec4<u32>;
override SIDE: u32;
var<workgroup> sums: array<atomic<u32>, SIDE>;
var<workgroup> carries: array<atomic<u32>, SIDE / 2u>;

fn residues_of(w: Four) -> vec4<u32> { return w; }

fn products_of(values: Four, x: vec4<u32>) -> Four {
  return vec4(
    scaled_product(values.x, x.x), scaled_product(values.y, x.y),
    scaled_product(values.z, x.z), scaled_product(values.w, x.w),
  );
}

fn clear(row: u32) {
  atomicStore(&sums[row], 0u);
  atomicStore(&carries[row / 2u], 0u);
}

fn add_to(row: u32, product: u32) {
  let before = atomicAdd(&sums[row], product);
  if (before + product < before) { atomicAdd(&carries[row / 2u], 1u << (16u * (row % 2u))); }
}

// 2^64 / 2^32 of a carry, and then of all.
fn value_of_row(row: u32) -> u32 {
  let carry = (atomicLoad(&carries[row / 2u]) >> (16u * (row % 2u))) & 0xffffu;
  return montgomery(add(atomicLoad(&sums[row]) % P, montgomery(carry, POWER_64)), POWER_64);
}
