// Format prelude: slices of `extent` rows, whose slots follow each other. Entry t of slot s is at place firsts[s] +
// extent·t.
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read> firsts: array<u32>;
@group(0) @binding(6) var<storage, read> offsets: array<u32>;
@group(0) @binding(7) var<storage, read> columns: array<u32>;

fn row_at(slot: u32) -> Row { return Row(order[slot], firsts[slot], offsets[slot + 1u] - offsets[slot]); }

fn entry_at(row: Row, t: u32) -> Entry {
  let place = row.first + t * params.extent;
  return Entry(columns[place], place);
}
