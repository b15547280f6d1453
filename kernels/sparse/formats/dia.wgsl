// Format prelude: diagonals, `extent` of them, a value a row each. offsets: the columns, then j − i of each diagonal,
// increasing; a row's diagonals within the matrix are neighbours.
@group(0) @binding(4) var<storage, read> offsets: array<u32>;

// The first diagonal that is at column `least` or beyond in a row.
fn first_diagonal(row: u32, least: i32) -> u32 {
  var low = 0u;
  var high = params.extent;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (i32(row + offsets[middle + 1u]) < least) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}

fn row_at(slot: u32) -> Row {
  let first = first_diagonal(slot, 0);
  return Row(slot, first, first_diagonal(slot, i32(offsets[0])) - first);
}

fn entry_at(row: Row, t: u32) -> Entry {
  let d = row.first + t;
  return Entry(row.index + offsets[d + 1u], d * params.rows + row.index);
}
