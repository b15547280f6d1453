// out ← out + xᵀ·z, 64 rows of 64 bits. A workgroup owns `chunk` rows of x and z; its invocations t, t + 64, … share
// row t of the sum. Sums mod 2 are exact in any order, so workgroups add theirs as they come.
struct Params { rows: u32, chunk: u32 }
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read> z: array<vec2<u32>>;
@group(0) @binding(3) var<storage, read_write> out: array<atomic<u32>>;

@compute @workgroup_size(WORKGROUP)
fn main(
  @builtin(workgroup_id) id: vec3<u32>,
  @builtin(num_workgroups) groups: vec3<u32>,
  @builtin(local_invocation_index) local: u32,
) {
  let first = linear_group(id, groups) * params.chunk;
  let end = min(first + params.chunk, params.rows);
  let t = local % 64u;
  var sum = vec2(0u);
  for (var i = first + local / 64u; i < end; i += WORKGROUP / 64u) {
    let w = x[i];
    let half = select(w.y, w.x, t < 32u);
    sum ^= z[i] & vec2(0u - ((half >> (t % 32u)) & 1u));
  }
  atomicXor(&out[2u * t], sum.x);
  atomicXor(&out[2u * t + 1u], sum.y);
}
