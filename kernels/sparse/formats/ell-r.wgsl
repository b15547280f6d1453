// Format prelude: a rectangle, column by column as neighbouring invocations read it, of which row i uses the first
// lengths[i] places. Entry t of row i stands at i + t·rows.
@group(0) @binding(4) var<storage, read> lengths: array<u32>;
@group(0) @binding(5) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row { return Row(slot, slot, lengths[slot]); }

fn entry_at(row: Row, t: u32) -> Entry {
  let k = row.first + t * params.rows;
  return Entry(columns[k], k);
}
