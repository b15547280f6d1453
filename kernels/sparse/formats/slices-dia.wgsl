// Format prelude: slices of 32 rows with diagonals first. slices: words of `indices` and diagonals before each slice;
// its indices are an offset a diagonal, then columns, and its values 32 for each of both.
@group(0) @binding(4) var<storage, read> slices: array<u32>;
@group(0) @binding(5) var<storage, read> lengths: array<u32>;
@group(0) @binding(6) var<storage, read> indices: array<u32>;

fn row_at(slot: u32) -> Row {
  let at = slot / 32u * 2u;
  return Row(slot, at, slices[at + 3u] - slices[at + 1u] + lengths[slot]);
}

fn entry_at(row: Row, t: u32) -> Entry {
  let words = slices[row.first];
  let before = slices[row.first + 1u];
  let diagonals = slices[row.first + 3u] - before;
  let place = words + 31u * before + 32u * t + row.index % 32u;
  if (t < diagonals) { return Entry(row.index + indices[words + t], place); }
  return Entry(indices[words + diagonals + 32u * (t - diagonals) + row.index % 32u], place);
}
