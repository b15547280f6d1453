/**
 * The control block of a team as words of the host's view, and the ways to act on a team from any thread.
 *
 * A compute worker loads this and not team.ts, which starts workers: bundlers refuse that circle. Addresses:
 * kernels/threads/control-layout.ts; protocol: kernels/threads/fork-join.as.ts.
 */
import * as at from './control-layout.js';

export { ARGUMENTS, CANCELLED, LEAVE, POISONED } from './control-layout.js';

/** Words of a thread's line. */
const LINE_WORDS = 2 ** at.LOG_LINE / 4;

/** Indices of 32-bit words in the control block. */
export const CONTROL = {
  generation: at.GENERATION >> 2,
  arrived: at.ARRIVED >> 2,
  state: at.STATE >> 2,
  kernel: at.KERNEL >> 2,
  barrierGeneration: at.BARRIER_GENERATION >> 2,
  chunk: at.CHUNK >> 2,
  starved: at.STARVED >> 2,
  present: at.PRESENT >> 2,
  lost: at.LOST >> 2, // a double
  event: at.EVENT >> 2,
  taken: at.TAKEN >> 2, // and every 16th from there on, one a thread
} as const;
export const MOST_THREADS = 256;
export const CONTROL_WORDS = CONTROL.taken + LINE_WORDS * MOST_THREADS;

/** The control block of a new team, whatever an earlier one on this memory left there; a cancellation stays. */
export function resetControl(memory: WebAssembly.Memory): void {
  const control = new Int32Array(memory.buffer, 0, CONTROL_WORDS);
  control.fill(0, 0, CONTROL.state);
  control.fill(0, CONTROL.state + 1);
  Atomics.and(control, CONTROL.state, at.CANCELLED);
}

/** Ends every wait of the team's threads; their next command throws TeamError. Callable from any thread. */
export function poison(memory: WebAssembly.Memory): void {
  const control = new Int32Array(memory.buffer, 0, CONTROL_WORDS);
  Atomics.or(control, CONTROL.state, at.POISONED);
  Atomics.notify(control, CONTROL.generation);
  Atomics.notify(control, CONTROL.arrived);
  Atomics.notify(control, CONTROL.barrierGeneration);
  Atomics.notify(control, CONTROL.event);
  for (let t = 0; t < MOST_THREADS; t++) Atomics.notify(control, CONTROL.taken + LINE_WORDS * t);
}

/** Makes the team's next command throw CancelledError. Callable from any thread. */
export function cancel(memory: WebAssembly.Memory): void {
  Atomics.or(new Int32Array(memory.buffer, 0, CONTROL_WORDS), CONTROL.state, at.CANCELLED);
}

/** Whether the team is leaving, so that the end of its threads is no loss. Callable from any thread. */
export function isLeaving(memory: WebAssembly.Memory): boolean {
  return (Atomics.load(new Int32Array(memory.buffer, 0, CONTROL_WORDS), CONTROL.state) & at.LEAVE) !== 0;
}
