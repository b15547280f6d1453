/** Bytes from one place to another that it does not overlap, an even share a thread. */
import { COPY_BYTES, COPY_SOURCE, COPY_TO } from './copy-layout';

export function copyBytes(thread: i32, threads: i32, args: usize): void {
  const bytes: u64 = load<u32>(args, COPY_BYTES);
  const first = usize((bytes * thread) / threads);
  const end = usize((bytes * (thread + 1)) / threads);
  memory.copy(load<usize>(args, COPY_TO) + first, load<usize>(args, COPY_SOURCE) + first, end - first);
}
