// Format prelude: jagged diagonals, `extent` of them. Slot i is the i-th longest row, entry t at place diagonals[t] +
// i.
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read> diagonals: array<u32>;
@group(0) @binding(6) var<storage, read> columns: array<u32>;

// Diagonals get shorter: the row has an entry on all that are longer than `slot`, and on none after them.
fn row_at(slot: u32) -> Row {
  var low = 0u;
  var high = params.extent;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (diagonals[middle + 1u] - diagonals[middle] > slot) { low = middle + 1u; } else { high = middle; }
  }
  return Row(order[slot], slot, low);
}

fn entry_at(row: Row, t: u32) -> Entry {
  let place = diagonals[t] + row.first;
  return Entry(columns[place], place);
}
