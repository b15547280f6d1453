/**
 * Steps of a program (kernels/executors/cpu-program.ts): what `go` of kernels/threads/team.ts does for each of their
 * commands, without leaving WebAssembly in between.
 *
 * A command is a list of 32-bit words: the kernel's place in the function table, the kernel's number for the other
 * threads, 1 if the caller is to run it alone, the number of arguments n, n arguments of step 0, and what each gains
 * from one step to the next.
 */
import { ARGUMENTS, CHUNK, LOG_LINE, STARVED, STATE, STEPS, TAKEN } from './control-layout';
import { awaitArrivals, startCommand } from './fork-join.as';

/**
 * Caller: runs commands first … end − 1 of all steps, numbered step · count + command; `at` is where the `count`
 * commands of a step are. Returns the number of the command where it stopped: early before the first one that finds the
 * team's state changed, and after one whose waits have outlasted their spinning.
 */
export function replay(at: usize, count: u32, first: u32, end: u32, threads: i32, spin: i32): u32 {
  atomic.store<i32>(STEPS, 1);
  const stopped = commands(at, count, first, end, threads, spin);
  atomic.store<i32>(STEPS, 0);
  return stopped;
}

function commands(at: usize, count: u32, first: u32, end: u32, threads: i32, spin: i32): u32 {
  let step = first / count;
  let command = at;
  for (let k = first % count; k > 0; k--) command = next(command);
  for (let number = first; number < end; number++) {
    if (atomic.load<i32>(STATE) != 0) return number;
    const bytes = load<usize>(command, 12) << 2;
    const words = command + 16;
    for (let i: usize = 0; i < bytes; i += 4) {
      store<u32>(ARGUMENTS + i, load<u32>(words + i) + step * load<u32>(words + bytes + i));
    }
    atomic.store<u32>(CHUNK, 0);
    for (let t = 0; t < threads; t++) atomic.store<u32>(TAKEN + (<usize>t << LOG_LINE), 0);
    const kernel = load<u32>(command);
    if (threads == 1 || load<u32>(command, 8) != 0) call_indirect<void>(kernel, 0, 1, ARGUMENTS);
    else {
      atomic.store<i32>(STARVED, 0);
      startCommand(load<i32>(command, 4));
      call_indirect<void>(kernel, 0, threads, ARGUMENTS);
      if (awaitArrivals(threads - 1, spin) != 0) return number;
      if (atomic.load<i32>(STARVED) != 0) return number + 1;
    }
    command = next(command);
    if ((number + 1) % count == 0) {
      step++;
      command = at;
    }
  }
  return end;
}

// @ts-ignore: decorator
@inline
function next(command: usize): usize {
  return command + 16 + (load<usize>(command, 12) << 3);
}
