/**
 * Fork and join on shared memory: one command at a time, run by all threads, thread 0 being the caller.
 *
 * The words of the control block: kernels/threads/control-layout.ts.
 */
import * as L from './control-layout';

/**
 * Sleeps until notified there, unless the word is no longer `value`; at most a second. The host's Atomics.wait, not
 * memory.atomic.wait32: V8's baseline compiler (11.3, Node 20) loses locals of a function that this instruction is in.
 */
@external("env", "sleep")
declare function sleep(address: usize, value: i32): void;

/** Milliseconds, from anywhere. */
@external("env", "now")
declare function now(): f64;

/**
 * So many starved waits in one command mean that two threads share a core. A spinning thread then keeps the other one
 * from the work it waits for, so the command's other waits sleep at once.
 */
const PATIENCE: i32 = 2;

// @ts-ignore: decorator
@inline
function patience(spin: i32): i32 {
  return atomic.load<i32>(L.STARVED) < PATIENCE ? spin : 0;
}

/** Sleeps after spinning. A thread that changes the word after `value` was read sees a sleeper to notify. */
function rest(address: usize, value: i32): void {
  atomic.add<i32>(L.SLEEPERS, 1);
  sleep(address, value);
  atomic.sub<i32>(L.SLEEPERS, 1);
}

/** Tells `count` sleepers that the word has changed. A notification costs a call of the host: none without sleepers. */
// @ts-ignore: decorator
@inline
function wake(address: usize, count: i32): void {
  if (atomic.load<i32>(L.SLEEPERS) != 0) atomic.notify(address, count);
}

const GENERATIONS: i32 = 0x7fffffff;

/**
 * The commands of a `replay` follow each other at once, so a caller that keeps a worker waiting has lost its core. The
 * worker stays awake: a system gives two running threads two cores sooner than two that take turns.
 */
const REPLAY_SPINS: i32 = 16;

/** Worker: waits until the generation differs from `seen`; returns the new one, or -1 to leave. */
export function awaitCommand(seen: i32, spin: i32): i32 {
  let current: i32 = seen;
  for (;;) {
    let rounds = REPLAY_SPINS;
    do {
      for (let i = 0, passes = patience(spin); i <= passes; i++) {
        if (atomic.load<i32>(L.STATE) & (L.LEAVE | L.POISONED)) return -1;
        current = atomic.load<i32>(L.GENERATION);
        if ((current & GENERATIONS) != seen) return current & GENERATIONS;
      }
    } while (--rounds > 0 && atomic.load<i32>(L.STEPS) != 0);
    rest(L.GENERATION, current);
  }
  return -1; // not reached
}

/** Worker: says that its part of the command is done. */
export function arrive(): void {
  atomic.add<i32>(L.ARRIVED, 1);
  wake(L.ARRIVED, 1);
}

/** Caller: starts command `kernel` on the workers. */
export function startCommand(kernel: i32): void {
  atomic.store<i32>(L.KERNEL, kernel);
  atomic.store<i32>(L.ARRIVED, 0);
  atomic.add<i32>(L.GENERATION, 1);
  wake(L.GENERATION, -1);
}

/** Caller: waits for `others` arrivals; returns 0, or the state if it is poisoned. */
export function awaitArrivals(others: i32, spin: i32): i32 {
  let since: f64 = 0;
  for (;;) {
    let have: i32 = 0;
    const passes = patience(spin);
    for (let i = 0; i <= passes; i++) {
      have = atomic.load<i32>(L.ARRIVED);
      if (have >= others) {
        if (since > 0) store<f64>(L.LOST, load<f64>(L.LOST) + now() - since);
        return 0;
      }
      const state = atomic.load<i32>(L.STATE);
      if (state & L.POISONED) return state;
    }
    if (since == 0) since = now();
    if (passes > 0) atomic.add<i32>(L.STARVED, 1);
    rest(L.ARRIVED, have);
  }
  return -1; // not reached
}

/** Inside a kernel: all `threads` threads meet here. A poisoned team falls through, so that nobody hangs. */
export function barrier(threads: i32, spin: i32): void {
  if (threads == 1) return;
  const generation = atomic.load<i32>(L.BARRIER_GENERATION);
  if (atomic.add<i32>(L.BARRIER_COUNT, 1) == threads - 1) {
    atomic.store<i32>(L.BARRIER_COUNT, 0);
    atomic.add<i32>(L.BARRIER_GENERATION, 1);
    wake(L.BARRIER_GENERATION, -1);
    return;
  }
  for (;;) {
    const passes = patience(spin);
    for (let i = 0; i <= passes; i++) {
      if (atomic.load<i32>(L.BARRIER_GENERATION) != generation) return;
      if (atomic.load<i32>(L.STATE) & L.POISONED) return;
    }
    if (passes > 0) atomic.add<i32>(L.STARVED, 1);
    rest(L.BARRIER_GENERATION, generation);
  }
}

/** Inside a kernel whose work is not taken in chunks: this thread is through with so many steps. */
export function reportSteps(thread: i32, steps: i32): void {
  const at = L.TAKEN + (<usize>thread << L.LOG_LINE);
  atomic.store<i32>(at, steps);
  wake(at, -1);
}

/**
 * Inside such a kernel: waits until all other threads are through with so many steps. A thread's own line is read by
 * the others at once, where a barrier's counter goes from core to core first.
 */
export function awaitAll(thread: i32, threads: i32, steps: i32, spin: i32): void {
  for (let t = 0; t < threads; t++) {
    if (t == thread) continue;
    const at = L.TAKEN + (<usize>t << L.LOG_LINE);
    for (let have = atomic.load<i32>(at); have < steps; have = atomic.load<i32>(at)) {
      const passes = patience(spin);
      for (let i = 0; i < passes && atomic.load<i32>(at) < steps; i++) {
        if (isPoisoned()) return;
      }
      if (isPoisoned() || atomic.load<i32>(at) >= steps) break;
      if (passes > 0) atomic.add<i32>(L.STARVED, 1);
      rest(at, have);
    }
  }
}

/** Inside a kernel: the number of events so far. A caller reads it before it looks for what it waits for. */
export function event(): i32 {
  return atomic.load<i32>(L.EVENT);
}

/** Inside a kernel: one more event, which wakes the threads that wait for one. */
export function announce(): void {
  atomic.add<i32>(L.EVENT, 1);
  wake(L.EVENT, -1);
}

/** Inside a kernel: waits for an event after `seen`, or a while. The caller then looks again, at isPoisoned() too. */
export function awaitEvent(seen: i32, spin: i32): void {
  const passes = patience(spin);
  for (let i = 0; i <= passes; i++) {
    if (atomic.load<i32>(L.EVENT) != seen || isPoisoned()) return;
  }
  if (passes > 0) atomic.add<i32>(L.STARVED, 1);
  rest(L.EVENT, seen);
}

/** Whether a thread of the team is lost: nobody waits then. */
// @ts-ignore: decorator
@inline
export function isPoisoned(): bool {
  return (atomic.load<i32>(L.STATE) & L.POISONED) != 0;
}
