// Coefficients of a polynomial matrix as the transforms of a product take them (kernels/poly/gpu-mul.ts).
//
// The columns of the right factor come in pieces, one for each `piece` coefficients of the product; piece t sees the
// window of coefficients that meets its own. An entry is (row, piece, group, lane), in this order; the left factor is
// one piece.
struct Params {
  log_points: u32, entries: u32, tiles: u32, primes: u32,
  all_groups: u32, first_group: u32, groups: u32, stride: u32, first: u32, // of the matrix, in vectors of four columns
  left: u32, right: u32, wanted: u32, piece: u32, count: u32, first_piece: u32, pieces: u32,
  roots: u32, log_spread: u32, // of ntt-forward.wgsl
}
@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> x: array<u32>;

// Coefficient k of the window of an entry, loose: residues are below 2^31 < 3q. 0 beyond the window.
fn coefficient(entry: u32, k: u32, q: u32) -> u32 {
  let vector = entry >> 2u;
  let group = vector % params.groups;
  let t = (vector / params.groups) % params.pieces + params.first_piece;
  let row = vector / (params.groups * params.pieces);
  let to = params.wanted + t * params.piece;
  let start = to + 1u - min(params.left, to + 1u);
  let end = min(params.right, to + min(params.piece, params.count - t * params.piece));
  if (start + k >= end) { return 0u; }
  let at = params.first + (row * params.all_groups + params.first_group + group) * params.stride + start + k;
  return canonical(x[(at << 2u) + (entry & 3u)], q);
}
