/**
 * sumParts: what project… left in parts, one a task, added up by block row and scaled.
 *
 *   out[r·layers + a, j] = scale·Σ part[t, a, j] mod p over the tasks t of block row r
 *
 *   0 parts (u32, rows padded to 8)  1 tasks (3 words each: block row, …)  2 count  3 layers  4 width  5 out  6 rows of
 *   it  7 p  8 scale
 */
export function sumParts(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  let part = load<usize>(args);
  const tasks = load<usize>(args, 4);
  const count = load<u32>(args, 8);
  const layers = load<u32>(args, 12);
  const width = load<u32>(args, 16);
  const p = u64(load<u32>(args, 28));
  const scale = u64(load<u32>(args, 32));
  const padded = usize((width + 7) & ~7) << 2;
  // A block row without coordinates has no task.
  memory.fill(load<usize>(args, 20), 0, usize(load<u32>(args, 24) * width) << 2);
  for (let t: u32 = 0; t < count; t++) {
    let out = load<usize>(args, 20) + ((usize(load<u32>(tasks + usize(t) * 12)) * layers * width) << 2);
    for (let a: u32 = 0; a < layers; a++) {
      for (let j: u32 = 0; j < width; j++) {
        const value = u64(load<u32>(part + (usize(j) << 2)));
        store<u32>(out, u32((u64(load<u32>(out)) + value * scale) % p));
        out += 4;
      }
      part += padded;
    }
  }
}
