/**
 * Products of a substitution and a matrix behind it with unit vectors, as rows of a dense matrix: v ← e_k,
 * v[given + i] ← Σ_j T[i, j]·v[j], y ← B·v, WIDTH of them together. A thread does a whole task with vectors of its own,
 * so that threads never wait for each other.
 *
 *   a thread's place: the arguments of T's and B's rows (spmm-arguments.as.ts), v, y
 */
import { nextChunk } from '../threads/chunks.as';
import * as A from '../spmm/spmm-arguments.as';
import { rows } from '../spmm/spmm.as';
import { U16 } from '../spmm/spmm-u16.as';
import { U32 } from '../spmm/spmm-u32.as';
import * as L from './schur-columns-layout';
import { vectorRows } from './vector-rows.as';

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
  if (thread >= load<i32>(args, L.WORKERS)) return;
  const place = load<usize>(args, L.PLACES) + usize(thread) * load<usize>(args, L.PLACE_BYTES);
  const width = load<u32>(args, L.WIDTH);
  const given = load<u32>(args, L.GIVEN);
  const steps = load<u32>(args, L.STEPS);
  const length = load<u32>(args, L.LENGTH);
  const bytes = load<usize>(args, L.BYTES);
  const rowBytes = usize(width) * bytes;
  const stride = load<usize>(args, L.STRIDE);
  const bits = load<u32>(args, L.BITS) != 0;
  const v = place + load<usize>(args, L.V_AT);
  const y = place + load<usize>(args, L.Y_AT);
  const second = place + A.ARGUMENT_BYTES;
  memory.copy(place, load<usize>(args, L.T), A.ARGUMENT_BYTES);
  memory.copy(second, load<usize>(args, L.B), A.ARGUMENT_BYTES);
  store<usize>(place, v, A.X);
  store<usize>(place, v + usize(given) * rowBytes, A.Y);
  store<usize>(second, v, A.X);
  store<usize>(second, y, A.Y);
  const count = load<u32>(args, L.COUNT);
  for (;;) {
    const start = nextChunk() * width;
    if (start >= count) return;
    const some = min(width, count - start);
    memory.fill(v, 0, usize(given) * rowBytes);
    for (let t: u32 = 0; t < some; t++) {
      const one = v + usize(load<u32>(args, L.FIRST) + start + t) * rowBytes + usize(t) * bytes;
      if (isU32) store<u32>(one, 1);
      else store<u16>(one, 1);
    }
    if (isU32) {
      rows<U32>(place, 0, steps);
      rows<U32>(second, 0, length);
    } else {
      rows<U16>(place, 0, steps);
      rows<U16>(second, 0, length);
    }
    const to = load<usize>(args, L.TO) + usize(start) * stride;
    vectorRows(y, length, width, some, bytes, to, stride, bits);
  }
}
