// Products of four entries in two words, and their sums by row in the memory of a workgroup: p < 2^16. A row
// has fewer than 2^16 entries.
alias Four = vec2<u32>;
override SIDE: u32;
var<workgroup> sums: array<atomic<u32>, SIDE>;

fn residues_of(w: Four) -> vec4<u32> { return vec4(w.x & 0xffffu, w.x >> 16u, w.y & 0xffffu, w.y >> 16u); }

fn products_of(values: Four, x: vec4<u32>) -> Four {
  let r = (residues_of(values) * x) % vec4(P);
  return vec2(r.x | (r.y << 16u), r.z | (r.w << 16u));
}

fn clear(row: u32) { atomicStore(&sums[row], 0u); }
fn add_to(row: u32, product: u32) { atomicAdd(&sums[row], product); }
fn value_of_row(row: u32) -> u32 { return atomicLoad(&sums[row]) % P; }
