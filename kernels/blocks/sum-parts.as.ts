/**
 * sumParts adds up the parts of a projection, one a task, by block row and scales them.
 *
 *   out[r·layers + a, j] = scale·Σ part[t, a, j] mod p over the tasks t of block row r
 */
import * as L from './block-ops-layout';

export function sumParts(thread: i32, threads: i32, args: usize): void {
  if (thread != 0) return;
  let part = load<usize>(args, L.SUM_PARTS);
  const tasks = load<usize>(args, L.SUM_TASKS);
  const count = load<u32>(args, L.SUM_COUNT);
  const layers = load<u32>(args, L.SUM_LAYERS);
  const width = load<u32>(args, L.SUM_WIDTH);
  const p = u64(load<u32>(args, L.SUM_MODULUS));
  const scale = u64(load<u32>(args, L.SUM_SCALE));
  const padded = usize((width + 7) & ~7) << 2;
  // A block row without coordinates has no task.
  memory.fill(load<usize>(args, L.SUM_OUT), 0, usize(load<u32>(args, L.SUM_ROWS) * width) << 2);
  for (let t: u32 = 0; t < count; t++) {
    const row = load<u32>(tasks + usize(t) * L.TASK_BYTES, L.TASK_ROW);
    let out = load<usize>(args, L.SUM_OUT) + ((usize(row) * layers * width) << 2);
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
