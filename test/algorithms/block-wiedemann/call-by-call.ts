/** Programs whose calls come one by one, so that memory may change between two of them. */
import type { Awaitable, BlockVector, Call, Program, Step } from '../../../kernels/executor.js';

function written(call: Call): BlockVector | null {
  return call.do === 'apply' ? call.y : call.do === 'copy' ? call.to : call.do === 'scale' ? call.v : null;
}

/** The step, compiled call by call; `after` each that writes a vector. */
export function callByCall(
  step: Step,
  compile: (step: Step) => Program,
  after: (v: BlockVector) => Awaitable<void>,
): Program {
  const programs = step.map((call) => [call, compile([call])] as const);
  return {
    run: async (first, end, check) => {
      for (let i = first; i < end; i++) {
        for (const [call, program] of programs) {
          await program.run(i, i + 1, check);
          const v = written(call);
          if (v !== null) await after(v);
        }
      }
    },
    free: () => {
      for (const [, program] of programs) program.free();
    },
  };
}
