// Format prelude: a dense matrix by rows, of `extent` columns. A place without an entry has the value 0.
fn row_at(slot: u32) -> Row { return Row(slot, slot * params.extent, params.extent); }

fn entry_at(row: Row, t: u32) -> Entry { return Entry(t, row.first + t); }
