// Arithmetic modulo the primes of the transforms, 2^29 < q < 2^30 (kernels/poly/gpu-ntt-primes.ts).
//
// A fixed factor w comes with its quotient: r = (w, floor(w·2^32 / q)). A number of [0, 2q) is called loose.
// Source: Shoup's product with a precomputed quotient, and lazy butterflies, Harvey 2014.
override Q0: u32;
override Q1: u32;
override Q2: u32;

fn modulus(l: u32) -> u32 { return select(select(Q2, Q1, l == 1u), Q0, l == 0u); }

// floor(a·b / 2^32); every partial sum is below 2^32.
fn high(a: u32, b: u32) -> u32 {
  let t = (a >> 16u) * (b & 0xffffu) + (((a & 0xffffu) * (b & 0xffffu)) >> 16u);
  let u = (a & 0xffffu) * (b >> 16u) + (t & 0xffffu);
  return (a >> 16u) * (b >> 16u) + (t >> 16u) + (u >> 16u);
}

// As high, or one or two less: carries out of the lower halves are left out.
fn high_about(a: u32, b: u32) -> u32 {
  return (a >> 16u) * (b >> 16u) + (((a >> 16u) * (b & 0xffffu)) >> 16u) + (((a & 0xffffu) * (b >> 16u)) >> 16u);
}

// x·w, loose, for any x: the exact quotient leaves less than 2q, this one less than 4q < 2^32.
fn times(x: u32, r: vec2<u32>, q: u32) -> u32 {
  let t = x * r.x - high_about(x, r.y) * q;
  return min(t, t - 2u * q);
}

fn add_loose(x: u32, y: u32, q: u32) -> u32 { return min(x + y, x + y - 2u * q); }

fn canonical(x: u32, q: u32) -> u32 { return min(x, x - q); }
