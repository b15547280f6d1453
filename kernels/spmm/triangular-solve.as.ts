/**
 * Rows of a product with a matrix that is strictly lower triangular behind the columns of the given entries: v[given +
 * i] ← Σ_j T[i, j]·v[j].
 *
 *   X : v      Y : v from row `given` on
 *   arguments: spmm-arguments.as.ts, where CHUNKS are the shares of CHUNK_COUNT
 *   sections: rows share(t) … share(t + 1) − 1 of a section are thread t's, SHARES + 1 offsets a section; a team that
 *   goes on alone (kernels/threads/team.ts) has one thread for all shares
 *
 * Within a section no row gathers another thread's row, and none begins the next one before all are through with it. A
 * thread takes its rows in order, so that its own may gather each other: a chain of rows is a section that one thread
 * has to itself.
 */
import * as A from './spmm-arguments.as';
import { awaitAll, reportSteps } from '../threads/fork-join.as';
import { rows } from './spmm.as';
import { Gf256 } from './spmm-gf256.as';
import { U16 } from './spmm-u16.as';
import { U32 } from './spmm-u32.as';
import { walkOtherRows } from './walks.as';

export function substituteU16(thread: i32, threads: i32, args: usize): void {
  sections<U16>(thread, threads, args);
}

export function substituteU32(thread: i32, threads: i32, args: usize): void {
  sections<U32>(thread, threads, args);
}

export function substituteGf256(thread: i32, threads: i32, args: usize): void {
  sections<Gf256>(thread, threads, args);
}

function sections<R>(thread: i32, threads: i32, args: usize): void {
  const shares = load<i32>(args, A.SHARES);
  let at = load<usize>(args, A.CHUNKS);
  const count = load<i32>(args, A.CHUNK_COUNT);
  for (let section = 0; section < count; section++) {
    if (section > 0) awaitAll(thread, threads, section, load<i32>(args, A.SPIN));
    for (let t = thread; t < shares; t += threads) {
      const share = at + (usize(t) << 2);
      if (load<u32>(args, A.WALK) == 0) rows<R>(args, load<u32>(share), load<u32>(share, 4));
      else walkOtherRows<R>(args, load<u32>(share), load<u32>(share, 4));
    }
    at += usize(shares + 1) << 2;
    if (section + 1 < count) reportSteps(thread, section + 1);
  }
}
