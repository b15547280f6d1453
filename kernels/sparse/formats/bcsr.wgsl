// Format prelude: b × b blocks by columns, b = `extent`. Row i owns b places of each block of block row i / b.
@group(0) @binding(4) var<storage, read> block_ptr: array<u32>;
@group(0) @binding(5) var<storage, read> columns: array<u32>; // the first one of each block

fn row_at(slot: u32) -> Row {
  let first = block_ptr[slot / params.extent];
  return Row(slot, first * params.extent, (block_ptr[slot / params.extent + 1u] - first) * params.extent);
}

fn entry_at(row: Row, t: u32) -> Entry {
  let place = row.first + t;
  let column = columns[place / params.extent] + place % params.extent;
  return Entry(column, place * params.extent + row.index % params.extent);
}
