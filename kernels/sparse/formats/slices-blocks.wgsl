// Format prelude: slices of 32 rows of blocks of `extent` adjacent columns. slots: (place of the first block, blocks)
// of each row; the blocks of a row are 32 places apart.
@group(0) @binding(4) var<storage, read> slots: array<u32>;
@group(0) @binding(5) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row { return Row(slot, slots[2u * slot], slots[2u * slot + 1u] * params.extent); }

fn entry_at(row: Row, t: u32) -> Entry {
  let place = row.first + 32u * (t / params.extent);
  let c = t % params.extent;
  return Entry(columns[place] + c, place * params.extent + c);
}
