// Format prelude: coordinates in order of rows, `extent` of them. A row's entries are found by bisection.
@group(0) @binding(4) var<storage, read> row_idx: array<u32>;
@group(0) @binding(5) var<storage, read> columns: array<u32>;

// The first entry of a row from `row` on.
fn first_entry(row: u32) -> u32 {
  var low = 0u;
  var high = params.extent;
  while (low < high) {
    let middle = (low + high) / 2u;
    if (row_idx[middle] < row) { low = middle + 1u; } else { high = middle; }
  }
  return low;
}

fn row_at(slot: u32) -> Row {
  let first = first_entry(slot);
  return Row(slot, first, first_entry(slot + 1u) - first);
}

fn entry_at(row: Row, t: u32) -> Entry { return Entry(columns[row.first + t], row.first + t); }
