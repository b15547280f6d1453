// Format prelude: slices of variable height. Entry t of row i is at place firsts[i] + heights[i]·t.
@group(0) @binding(4) var<storage, read> firsts: array<u32>;
@group(0) @binding(5) var<storage, read> offsets: array<u32>;
@group(0) @binding(6) var<storage, read> heights: array<u32>;
@group(0) @binding(7) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row { return Row(slot, firsts[slot], offsets[slot + 1u] - offsets[slot]); }

fn entry_at(row: Row, t: u32) -> Entry {
  let place = row.first + t * heights[row.index];
  return Entry(columns[place], place);
}
