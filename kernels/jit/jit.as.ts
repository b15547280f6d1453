/**
 * Y ← alpha·A·X + beta·Y by a module that has A in its instructions (compile-matrix.ts): chunks of rows that the
 * threads take, a function each.
 */
import { takeChunk } from '../threads/chunks.as';
import * as L from './jit-layout';

/** The place of a module's `run` in this thread's function table (kernels/threads/linked-code.ts). */
@external("env", "link")
declare function link(number: u32, at: usize, bytes: u32): u32;

export function spmmJit(thread: i32, threads: i32, args: usize): void {
  const run = link(load<u32>(args, L.CODE_NUMBER), load<usize>(args, L.CODE), load<u32>(args, L.CODE_BYTES));
  const chunks = load<u32>(args, L.CHUNKS);
  const tiles = load<u32>(args, L.TILES);
  const step = load<usize>(args, L.TILE_BYTES);
  for (;;) {
    const chunk = takeChunk(thread, threads, chunks);
    if (chunk < 0) return;
    let x = load<usize>(args, L.X);
    let y = load<usize>(args, L.Y);
    for (let tile: u32 = 0; tile < tiles; tile++) {
      call_indirect<void>(run, <u32>chunk, x, y, args);
      x += step;
      y += step;
    }
    if (load<u32>(args, L.REST)) call_indirect<void>(run, (tiles ? chunks : 0) + <u32>chunk, x, y, args);
  }
}
