// Format prelude: a full rectangle, column by column as neighbouring invocations read it. Entry t of row i stands at
// i + t·rows, t < extent.
@group(0) @binding(4) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row { return Row(slot, slot, params.extent); }

fn entry_at(row: Row, t: u32) -> Entry {
  let k = row.first + t * params.rows;
  return Entry(columns[k], k);
}
