/**
 * Byte addresses of a team's control block, at the beginning of kernel memory: read as TypeScript by the host and as
 * AssemblyScript by the kernels, so it holds numbers alone.
 *
 * A word of 32 bits has a cache line of its own, so that threads that wait at one disturb no other.
 */

/** Raised once per command; what counts are its last 31 bits. */
export const GENERATION = 64;
/** Threads other than 0 that have finished the current command. */
export const ARRIVED = 128;
/** LEAVE, POISONED and CANCELLED, or 0. */
export const STATE = 192;
/** The number of the kernel to run, its place in KERNEL_NAMES. */
export const KERNEL = 256;
/** For barriers inside a kernel. */
export const BARRIER_COUNT = 320;
export const BARRIER_GENERATION = 384;
/** The next chunk of the command's work, for kernels that take work in chunks; 0 when a command starts. */
export const CHUNK = 448;
/** Waits of the command that have outlasted their spinning, as the other thread has no core, or much to do. */
export const STARVED = 512;
/** Threads that sleep, or are about to. */
export const SLEEPERS = 576;
/** Not 0 while the caller is in `replay`: the next command comes at once. */
export const STEPS = 640;
/** Threads other than 0 that have come (kernels/threads/team.ts). */
export const PRESENT = 704;
/** Milliseconds, f64, for which thread 0 has waited for arrivals beyond its spinning. */
export const LOST = 768;
/** Events that threads inside a kernel may wait for (fork-join.as.ts). */
export const EVENT = 832;
/** The command's arguments, words of 32 bits. */
export const ARGUMENTS = 2048;
/** A line a thread: the chunks taken of its part, or the steps it has passed; 0 when a command starts. */
export const TAKEN = 4096;
/** log2 of the bytes of a line. */
export const LOG_LINE = 6;

/** Bits of STATE: workers end; a worker died or trapped; the caller's next command throws. */
export const LEAVE = 1;
export const POISONED = 2;
export const CANCELLED = 4;
