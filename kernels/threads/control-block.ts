/**
 * The control block of a team as TypeScript sees it, and the two ways to act on a team from any thread.
 *
 * It stands apart from team.ts so that a compute worker loads no code that starts workers, a circle that bundlers refuse,
 * and a supervisor loads no kernels. Layout and protocol: kernels/threads/fork-join.as.ts.
 */

export { TeamError } from '../errors/team-error.js';

// Indices of 32-bit words in the control block; byte offsets are in kernels/threads/fork-join.as.ts.
export const CONTROL = {
  generation: 16,
  arrived: 32,
  state: 48,
  kernel: 64,
  barrierGeneration: 96,
  chunk: 112,
  starved: 128,
  present: 176,
  lost: 192, // a double
  event: 208,
  taken: 1024, // and every 16th from there on, one a thread
} as const;
export const MOST_THREADS = 256;
export const CONTROL_WORDS = CONTROL.taken + 16 * MOST_THREADS;
export const ARGUMENTS = 2048;
export const LEAVE = 1;
export const POISONED = 2;
export const CANCELLED = 4;

/** The control block of a new team, whatever an earlier one on this memory left there; a cancellation stays. */
export function resetControl(memory: WebAssembly.Memory): void {
  const control = new Int32Array(memory.buffer, 0, CONTROL_WORDS);
  control.fill(0, 0, CONTROL.state);
  control.fill(0, CONTROL.state + 1);
  Atomics.and(control, CONTROL.state, CANCELLED);
}

/** Ends every wait of the team's threads; their next command throws TeamError. Callable from any thread. */
export function poison(memory: WebAssembly.Memory): void {
  const control = new Int32Array(memory.buffer, 0, CONTROL_WORDS);
  Atomics.or(control, CONTROL.state, POISONED);
  Atomics.notify(control, CONTROL.generation);
  Atomics.notify(control, CONTROL.arrived);
  Atomics.notify(control, CONTROL.barrierGeneration);
  Atomics.notify(control, CONTROL.event);
  for (let t = 0; t < MOST_THREADS; t++) Atomics.notify(control, CONTROL.taken + 16 * t);
}

/** Makes the team's next command throw CancelledError. Callable from any thread. */
export function cancel(memory: WebAssembly.Memory): void {
  Atomics.or(new Int32Array(memory.buffer, 0, CONTROL_WORDS), CONTROL.state, CANCELLED);
}
