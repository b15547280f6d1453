// c[l, i, j, k] ← 2^−32·Σ_t a[l, i, t, k]·b[l, t, j, k] modulo prime l, loose; a, b canonical.
//
// One invocation owns 4 rows × 4 columns at one point. A sum is hi·2^32 + lo. Eight products add at most 2q to hi
// (gpuPointProductsBeforeFolding of fields/transform-bounds.ts), and a fold then takes 2q from it, so that
// hi < 4q < 2^32 always.
struct Params { log_points: u32, primes: u32, rows: u32, inner: u32, a_columns: u32, b_groups: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> a: array<u32>;
@group(0) @binding(2) var<storage, read> b: array<u32>;
@group(0) @binding(3) var<storage, read_write> c: array<u32>;
override NEGATIVE_INVERSE0: u32; // −1/q mod 2^32
override NEGATIVE_INVERSE1: u32;
override NEGATIVE_INVERSE2: u32;

alias Four = vec4<u32>;
struct Sums { hi: Four, lo: Four }

// s + x·v; v = v0 + 2^16·v1. The middle digits sum to less than 2·2^16·2^14 + 2^16.
fn multiply_add(s: Sums, x: u32, v: Four, v0: Four, v1: Four) -> Sums {
  let x0 = x & 0xffffu;
  let x1 = x >> 16u;
  let middle = x0 * v1 + x1 * v0 + ((x0 * v0) >> Four(16u));
  let low = x * v;
  let lo = s.lo + low;
  return Sums(s.hi + x1 * v1 + (middle >> Four(16u)) + select(Four(0u), Four(1u), lo < low), lo);
}

fn fold(s: Sums, q: u32) -> Sums { return Sums(min(s.hi, s.hi - Four(2u * q)), s.lo); }

fn high4(x: Four, q: u32) -> Four {
  let q0 = q & 0xffffu;
  let q1 = q >> 16u;
  let x0 = x & Four(0xffffu);
  let x1 = x >> Four(16u);
  let t = x1 * q0 + ((x0 * q0) >> Four(16u));
  let u = x0 * q1 + (t & Four(0xffffu));
  return x1 * q1 + (t >> Four(16u)) + (u >> Four(16u));
}

// (hi·2^32 + lo + m·q) / 2^32 with m = −lo/q mod 2^32: the low halves cancel, with a carry unless both are 0.
fn reduce(s: Sums, q: u32, negative_inverse: u32) -> Four {
  let f = fold(s, q);
  let hi = min(f.hi, f.hi - Four(q));
  return hi + high4(f.lo * negative_inverse, q) + select(Four(0u), Four(1u), f.lo != Four(0u));
}

fn store(row: u32, at: u32, points: u32, value: Four) {
  if (row >= params.rows) { return; }
  c[at] = value.x;
  c[at + points] = value.y;
  c[at + 2u * points] = value.z;
  c[at + 3u * points] = value.w;
}

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let at = linear_group(id, groups) * WORKGROUP + local;
  let points = 1u << params.log_points;
  let k = at & (points - 1u);
  let blocks = at >> params.log_points;
  let row_blocks = (params.rows + 3u) / 4u;
  let group = blocks % params.b_groups;
  let row = 4u * ((blocks / params.b_groups) % row_blocks);
  let l = blocks / (params.b_groups * row_blocks);
  if (l >= params.primes) { return; }
  let q = modulus(l);

  // Rows beyond the last are the last again, and are not stored.
  let a_row = params.a_columns << params.log_points;
  let a_first = l * params.rows * a_row + k;
  let last = params.rows - 1u;
  var a0 = a_first + row * a_row;
  var a1 = a_first + min(row + 1u, last) * a_row;
  var a2 = a_first + min(row + 2u, last) * a_row;
  var a3 = a_first + min(row + 3u, last) * a_row;
  let b_row = (4u * params.b_groups) << params.log_points;
  var b_at = l * params.inner * b_row + ((4u * group) << params.log_points) + k;

  var s0 = Sums(Four(0u), Four(0u));
  var s1 = s0;
  var s2 = s0;
  var s3 = s0;
  for (var t = 0u; t < params.inner; t++) {
    if ((t & 7u) == 0u) {
      s0 = fold(s0, q);
      s1 = fold(s1, q);
      s2 = fold(s2, q);
      s3 = fold(s3, q);
    }
    let v = Four(b[b_at], b[b_at + points], b[b_at + 2u * points], b[b_at + 3u * points]);
    let v0 = v & Four(0xffffu);
    let v1 = v >> Four(16u);
    s0 = multiply_add(s0, a[a0], v, v0, v1);
    s1 = multiply_add(s1, a[a1], v, v0, v1);
    s2 = multiply_add(s2, a[a2], v, v0, v1);
    s3 = multiply_add(s3, a[a3], v, v0, v1);
    a0 += points;
    a1 += points;
    a2 += points;
    a3 += points;
    b_at += b_row;
  }
  let ni = select(select(NEGATIVE_INVERSE2, NEGATIVE_INVERSE1, l == 1u), NEGATIVE_INVERSE0, l == 0u);
  let c_at = (l * params.rows + row) * b_row + ((4u * group) << params.log_points) + k;
  store(row, c_at, points, reduce(s0, q, ni));
  store(row + 1u, c_at + b_row, points, reduce(s1, q, ni));
  store(row + 2u, c_at + 2u * b_row, points, reduce(s2, q, ni));
  store(row + 3u, c_at + 3u * b_row, points, reduce(s3, q, ni));
}
