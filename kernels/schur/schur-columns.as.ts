/**
 * Products of a substitution and a matrix behind it with unit vectors, as rows of a dense matrix: v ← e_k,
 * v[given + i] ← Σ_j T[i, j]·v[j], y ← B·v, WIDTH of them together. A thread does a whole task with vectors of its own,
 * so that threads never wait for each other.
 *
 *   a thread's place: the arguments of T's and B's rows (spmm-arguments.as.ts), those of vector-rows.as.ts, v, y
 */
import { nextChunk } from '../threads/chunks.as';
import * as A from '../spmm/spmm-arguments.as';
import { rows } from '../spmm/spmm.as';
import { U16 } from '../spmm/spmm-u16.as';
import { U32 } from '../spmm/spmm-u32.as';
import { vectorRows } from './vector-rows.as';

// Arguments, 32-bit words; kernels/schur/schur-columns.ts writes them.
const FIRST: usize = 0; // unit vectors FIRST … FIRST + COUNT − 1
const COUNT: usize = 4;
const WIDTH: usize = 8;
const GIVEN: usize = 12;
const STEPS: usize = 16; // rows of T
const LENGTH: usize = 20; // rows of B
const T: usize = 24; // arguments of their rows; where their vectors are is written here
const B: usize = 28;
const WORKERS: usize = 32; // threads that have a place
const PLACES: usize = 36;
const PLACE_BYTES: usize = 40;
const Y_AT: usize = 44; // in a place
const ROWS: usize = 48; // arguments of vector-rows.as.ts from its fourth on: bytes of a residue, then TO, STRIDE, BITS

const SPMM_BYTES: usize = A.PARTS + 3 * A.PART_BYTES;
const V_AT: usize = (2 * SPMM_BYTES + 64 + 63) & ~63;

export function schurColumnsU16(thread: i32, threads: i32, args: usize): void {
  tasks(thread, args, false);
}

export function schurColumnsU32(thread: i32, threads: i32, args: usize): void {
  tasks(thread, args, true);
}

/** `isU32` is known where this is inlined. */
// @ts-ignore: decorator
@inline
function tasks(thread: i32, args: usize, isU32: bool): void {
  if (thread >= load<i32>(args, WORKERS)) return;
  const place = load<usize>(args, PLACES) + usize(thread) * load<usize>(args, PLACE_BYTES);
  const width = load<u32>(args, WIDTH);
  const given = load<u32>(args, GIVEN);
  const bytes = load<usize>(args, ROWS);
  const rowBytes = usize(width) * bytes;
  const v = place + V_AT;
  const y = place + load<usize>(args, Y_AT);
  const second = place + SPMM_BYTES;
  const third = second + SPMM_BYTES;
  memory.copy(place, load<usize>(args, T), SPMM_BYTES);
  memory.copy(second, load<usize>(args, B), SPMM_BYTES);
  store<usize>(place, v, A.X);
  store<usize>(place, v + usize(given) * rowBytes, A.Y);
  store<usize>(second, v, A.X);
  store<usize>(second, y, A.Y);
  store<usize>(third, y);
  store<u32>(third, load<u32>(args, LENGTH), 4);
  store<u32>(third, width, 8);
  memory.copy(third + 12, args + ROWS, 16);
  const count = load<u32>(args, COUNT);
  for (;;) {
    const start = nextChunk() * width;
    if (start >= count) return;
    const some = min(width, count - start);
    memory.fill(v, 0, usize(given) * rowBytes);
    for (let t: u32 = 0; t < some; t++) {
      const one = v + usize(load<u32>(args, FIRST) + start + t) * rowBytes + usize(t) * bytes;
      if (isU32) store<u32>(one, 1);
      else store<u16>(one, 1);
    }
    if (isU32) {
      rows<U32>(place, 0, load<u32>(args, STEPS));
      rows<U32>(second, 0, load<u32>(args, LENGTH));
    } else {
      rows<U16>(place, 0, load<u32>(args, STEPS));
      rows<U16>(second, 0, load<u32>(args, LENGTH));
    }
    // TO of this task, and its COUNT.
    store<usize>(third, load<usize>(args, ROWS + 4) + usize(start) * load<usize>(args, ROWS + 8), 16);
    store<u32>(third, some, 28);
    vectorRows(third);
  }
}
