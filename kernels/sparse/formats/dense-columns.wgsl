// Format prelude: the values of `extent` columns, row by row. A place without an entry has the value 0.
@group(0) @binding(4) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row { return Row(slot, slot * params.extent, params.extent); }

fn entry_at(row: Row, t: u32) -> Entry { return Entry(columns[t], row.first + t); }
