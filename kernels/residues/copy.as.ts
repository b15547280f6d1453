/**
 * Bytes from one place to another that it does not overlap, an even share a thread.
 *
 * Arguments: 0 to, 1 from, 2 bytes.
 */
export function copyBytes(thread: i32, threads: i32, args: usize): void {
  const bytes: u64 = load<u32>(args, 8);
  const first = usize((bytes * thread) / threads);
  const end = usize((bytes * (thread + 1)) / threads);
  memory.copy(load<usize>(args) + first, load<usize>(args, 4) + first, end - first);
}
