/**
 * Columns of a block vector become rows of a dense matrix, as residues or, mod 2, as bits: the way from products with
 * unit vectors to elimination.
 *
 *   v : length × width residues, row-major      row t of the matrix, column j ← v[j, t]
 */

// Arguments, 32-bit words.
const VECTOR: usize = 0;
const LENGTH: usize = 4;
const WIDTH: usize = 8;
const BYTES: usize = 12; // of a residue of v
const TO: usize = 16; // the first of `COUNT` rows
const STRIDE: usize = 20; // bytes of a row of the matrix
const BITS: usize = 24; // the matrix holds bits
const COUNT: usize = 28; // columns 0 … count − 1 of v are taken

/** Columns of the matrix are taken in blocks of 32: a cache line of residues, a word of bits. */
const BLOCK: u32 = 32;

export function vectorRows(args: usize): void {
  const length = load<u32>(args, LENGTH);
  for (let first: u32 = 0; first < length; first += BLOCK) {
    const end = min(length, first + BLOCK);
    if (load<u32>(args, BITS)) bitBlock(args, first, end);
    else residueBlock(args, first, end);
  }
}

function residueBlock(args: usize, first: u32, end: u32): void {
  const width = load<u32>(args, WIDTH);
  const count = load<u32>(args, COUNT);
  const bytes = load<usize>(args, BYTES);
  const stride = load<usize>(args, STRIDE);
  for (let t: u32 = 0; t < count; t++) {
    const to = load<usize>(args, TO) + usize(t) * stride;
    let from = load<usize>(args, VECTOR) + (usize(first) * usize(width) + usize(t)) * bytes;
    for (let j = first; j < end; j++, from += usize(width) * bytes) {
      if (bytes == 2) store<u16>(to + usize(j) * 2, load<u16>(from));
      else store<u32>(to + usize(j) * 4, load<u32>(from));
    }
  }
}

function bitBlock(args: usize, first: u32, end: u32): void {
  const width = load<u32>(args, WIDTH);
  const count = load<u32>(args, COUNT);
  const bytes = load<usize>(args, BYTES);
  for (let t: u32 = 0; t < count; t++) {
    let from = load<usize>(args, VECTOR) + (usize(first) * usize(width) + usize(t)) * bytes;
    let word: u32 = 0;
    for (let j = first; j < end; j++, from += usize(width) * bytes) word |= u32(load<u8>(from)) << (j - first);
    store<u32>(load<usize>(args, TO) + usize(t) * load<usize>(args, STRIDE) + usize(first >> 3), word);
  }
}
