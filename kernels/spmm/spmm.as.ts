/**
 * Y ← alpha·A·X + beta·Y: rows of A in chunks that the threads take, each kernel a walk (walks.as.ts) times residues.
 *
 *   R : U16, U32, Gf256, how residues are summed      arguments: spmm-arguments.as.ts
 */
import { takeChunk } from '../threads/chunks.as';
import { prefetchRows } from './prefetch.as';
import * as A from './spmm-arguments.as';
import { Gf256 } from './spmm-gf256.as';
import { U16 } from './spmm-u16.as';
import { U32 } from './spmm-u32.as';
import { Runs } from './walk-runs.as';
import { walkOtherRows } from './walks.as';

export function spmmU16(thread: i32, threads: i32, args: usize): void {
  spmm<U16>(thread, threads, args);
}

export function spmmU32(thread: i32, threads: i32, args: usize): void {
  spmm<U32>(thread, threads, args);
}

export function spmmGf256(thread: i32, threads: i32, args: usize): void {
  spmm<Gf256>(thread, threads, args);
}

function spmm<R>(thread: i32, threads: i32, args: usize): void {
  const chunks = load<usize>(args, A.CHUNKS);
  const count = load<u32>(args, A.CHUNK_COUNT);
  for (;;) {
    const chunk = takeChunk(thread, threads, count);
    if (chunk < 0) return;
    const at = chunks + (usize(chunk) << 2);
    if (load<u32>(args, A.WALK) == 0) rows<R>(args, load<u32>(at), load<u32>(at, 4));
    else walkOtherRows<R>(args, load<u32>(at), load<u32>(at, 4));
  }
}

/**
 * Rows first … last − 1 in order: a row may gather what an earlier one has stored (triangular-solve.as.ts).
 *
 * The other walks are a function apart, whose switch is outside of its loop.
 */
export function rows<R>(args: usize, first: u32, last: u32): void {
  for (let i = first; i < last; i += A.ROWS_TOGETHER) {
    const end = min(last, i + A.ROWS_TOGETHER);
    if (load<u32>(args, A.ROW_BYTES)) prefetchRows<Runs>(args, i, end);
    changetype<R>(0).rows<Runs>(args, i, end);
  }
}
