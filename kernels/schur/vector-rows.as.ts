/**
 * Columns of a block vector become rows of a dense matrix, as residues or, mod 2, as bits: the way from products with
 * unit vectors to elimination.
 *
 *   v : length × width residues, row-major      row t of the matrix, column j ← v[j, t], for t < count
 */

/** Columns of the matrix are taken in blocks of 32: a cache line of residues, a word of bits. */
const BLOCK: u32 = 32;

/** `bytes` of a residue of v; `stride` bytes of a row of the matrix, whose row 0 is at `to`; `bits`: it holds bits. */
export function vectorRows(
  v: usize, length: u32, width: u32, count: u32, bytes: usize, to: usize, stride: usize, bits: bool,
): void {
  const step = usize(width) * bytes;
  for (let first: u32 = 0; first < length; first += BLOCK) {
    const end = min(length, first + BLOCK);
    for (let t: u32 = 0; t < count; t++) {
      const from = v + usize(first) * step + usize(t) * bytes;
      const row = to + usize(t) * stride;
      if (bits) bitBlock(row, from, step, first, end);
      else residueBlock(row, from, step, first, end, bytes);
    }
  }
}

function residueBlock(row: usize, from: usize, step: usize, first: u32, end: u32, bytes: usize): void {
  for (let j = first; j < end; j++, from += step) {
    if (bytes == 2) store<u16>(row + usize(j) * 2, load<u16>(from));
    else store<u32>(row + usize(j) * 4, load<u32>(from));
  }
}

function bitBlock(row: usize, from: usize, step: usize, first: u32, end: u32): void {
  let word: u32 = 0;
  for (let j = first; j < end; j++, from += step) word |= u32(load<u8>(from)) << (j - first);
  store<u32>(row + usize(first >> 3), word);
}
