// Format prelude: a list of rows with their entries side by side. Slot i is the i-th row of the list.
@group(0) @binding(4) var<storage, read> row_idx: array<u32>;
@group(0) @binding(5) var<storage, read> row_ptr: array<u32>;
@group(0) @binding(6) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row {
  let first = row_ptr[slot];
  return Row(row_idx[slot], first, row_ptr[slot + 1u] - first);
}

fn entry_at(row: Row, t: u32) -> Entry { return Entry(columns[row.first + t], row.first + t); }
