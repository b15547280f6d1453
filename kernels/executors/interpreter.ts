/** Calls as data, carried out one after another on any executor: a program without a compiler of its own. */
import type { Awaitable, Call, Executor, Program, Step } from '../executor.js';

/** Carries out one call; a block is written at `index`. */
function perform(executor: Executor, call: Call, index = 0): Awaitable<void> {
  switch (call.do) {
    case 'apply': {
      const { map, y, x, transposed, alpha, beta } = call;
      return transposed ? map.applyTransposed(y, x, alpha, beta) : map.apply(y, x, alpha, beta);
    }
    case 'substitute':
      return call.by.run(call.v, call.x);
    case 'blockDot':
      return executor.blockDot(call.out, index, call.x, call.z);
    case 'project':
      return executor.project(call.out, index, call.u, call.z);
    case 'copy':
      return executor.copy(call.to, call.from);
    case 'scale':
      return executor.scale(call.v, call.d);
  }
}

export async function performAll(executor: Executor, step: Step, index = 0): Promise<void> {
  for (const call of step) await perform(executor, call, index);
}

/** The step as a program that asks for its calls one by one. */
export function interpret(executor: Executor, step: Step): Program {
  return {
    async run(first, end, check) {
      for (let index = first; index < end; index++) {
        check?.();
        await performAll(executor, step, index);
      }
    },
    free() {},
  };
}

/** The step with the calls of maps that consist of calls in their place. */
export function flatten(step: Step): Call[] {
  return step.flatMap((call) => {
    const calls =
      call.do === 'apply' && call.map.calls?.(call.y, call.x, call.transposed ?? false, call.alpha, call.beta);
    return calls ? flatten(calls) : [call];
  });
}
