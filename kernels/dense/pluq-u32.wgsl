// Dense elimination for 2^16 < p < 2^31, behind u32-sums.wgsl and words-4: one residue a word of the matrix, and digits
// of the product that packed products of bytes add up.
//
// x = Σ 2^(8i)·x_i: x·v ≡ Σ x_i·v_i with v_i = 2^(8i)·v mod p. A word of the left factor is a residue as it stands; the
// words of the right one that meet it are, for b = 0 … 3, the bytes b of (v_0, v_1, v_2, v_3). The sum of bytes b is
// worth 2^(8b). With the 64 terms of a block two such sums make a word (gpuByteTermsBeforeReduction of
// fields/reduction.ts).
const RESIDUES = 1u; // a word of the matrix

fn residue(word: u32, _column: u32) -> u32 { return word; }

// Word k of four residues.
fn pack(four: Words, k: u32) -> u32 { return four[k]; }

// x − y; p − y is at most p.
fn difference(x: Words, y: Words) -> Words {
  let d = x + (Words(P) - y);
  return min(d, d - Words(P));
}

// For `times`, which multiplies by one residue: 2^32·x.
fn lift(x: Words) -> Words { return montgomery(x, POWER_64); }
fn times(x: Words, v: u32) -> Words { return montgomery(x, v); }

// 2^8·x mod p
fn times256(x: vec4<u32>) -> vec4<u32> {
  var y = x;
  for (var k = 0u; k < 8u; k++) { y = min(y + y, y + y - vec4<u32>(P)); }
  return y;
}

// Part q of the right factor's words at four words of the matrix in row k: bytes q.
fn right_part(q: u32, v: vec4<u32>, _w: vec4<u32>) -> vec4<u32> {
  let byte = vec4<u32>(8u * q);
  var x = v;
  var word = (x >> byte) & vec4<u32>(0xffu);
  for (var i = 1u; i < 4u; i++) {
    x = times256(x);
    word |= ((x >> byte) & vec4<u32>(0xffu)) << vec4<u32>(8u * i);
  }
  return word;
}

// Four words of C less what was summed up for them, part by part.
fn less(c: vec4<u32>, s0: vec4<u32>, s1: vec4<u32>, s2: vec4<u32>, s3: vec4<u32>) -> vec4<u32> {
  let high = s2 + (s3 << vec4<u32>(8u));
  let low = s0 + (s1 << vec4<u32>(8u));
  return difference(c, value_of(low, high & vec4<u32>(0xffffu), high >> vec4<u32>(16u), vec4<u32>(0u)));
}
