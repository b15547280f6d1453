// Dense elimination for p < 2^16, behind u16.wgsl and words-4: two residues a word of the matrix, and digits of
// the product that packed products of bytes add up.
//
// x = x0 + 2^8·x1: x·v ≡ x0·v + x1·v' with v' = 2^8·v mod p. A word of the left factor is two residues as they stand in
// the matrix; two words of the right one meet it, the bytes 0 and the bytes 1 of (v, v', w, w'), w of the next row.
// Their products add up to lo and hi of two terms, lo + 2^8·hi, which are Sums for the 64 terms of a block
// (gpuByteTermsBeforeReduction of fields/reduction.ts).
const RESIDUES = 2u; // a word of the matrix

fn residue(word: u32, column: u32) -> u32 { return (word >> ((column & 1u) * 16u)) & 0xffffu; }

// Word k of four residues.
fn pack(four: Words, k: u32) -> u32 { return four[2u * k] | (four[2u * k + 1u] << 16u); }

// x − y; p − y is at most p.
fn difference(x: Words, y: Words) -> Words {
  let d = x + (Words(P) - y);
  return min(d, d - Words(P));
}

// For `times`, which multiplies by one residue.
fn lift(x: Words) -> Words { return x; }
fn times(x: Words, v: u32) -> Words { return (x * v) % Words(P); }

// Part q of the right factor's words at four words of the matrix in rows k (v) and k + 1 (w): byte q / 2 of the even
// columns, then of the odd ones.
fn right_part(q: u32, v: vec4<u32>, w: vec4<u32>) -> vec4<u32> {
  let columns = vec4<u32>((q & 1u) * 16u);
  let byte = vec4<u32>((q >> 1u) * 8u);
  let low = vec4<u32>(0xffu);
  let x = (v >> columns) & vec4<u32>(0xffffu);
  let y = (w >> columns) & vec4<u32>(0xffffu);
  let x2 = (x << vec4<u32>(8u)) % vec4<u32>(P);
  let y2 = (y << vec4<u32>(8u)) % vec4<u32>(P);
  return ((x >> byte) & low) | (((x2 >> byte) & low) << vec4<u32>(8u))
    | (((y >> byte) & low) << vec4<u32>(16u)) | (((y2 >> byte) & low) << vec4<u32>(24u));
}

// Four words of C less what was summed up for them, part by part.
fn less(c: vec4<u32>, s0: vec4<u32>, s1: vec4<u32>, s2: vec4<u32>, s3: vec4<u32>) -> vec4<u32> {
  let even = difference(c & vec4<u32>(0xffffu), sums_value(Sums(s0, s2)));
  let odd = difference(c >> vec4<u32>(16u), sums_value(Sums(s1, s3)));
  return even | (odd << vec4<u32>(16u));
}
