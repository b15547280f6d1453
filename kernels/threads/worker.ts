/**
 * The loop of a compute worker: wait for a command, do this thread's share, arrive. The loop ends at LEAVE. A trap
 * poisons the team, so that nobody waits for a dead thread. The two entry files beside this give it a port.
 */

import { ARGUMENTS, CONTROL, CONTROL_WORDS, poison } from './control-block.js';
import { instantiateKernels } from './wasm-module.js';

export interface TeamWorkerData {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly thread: number;
  readonly threads: number;
  readonly spin: number;
}

export async function runTeamWorker(data: TeamWorkerData, post: (message: unknown) => void): Promise<void> {
  const { team, kernels } = await instantiateKernels(data.module, data.memory);
  const control = new Int32Array(data.memory.buffer, 0, CONTROL_WORDS);
  Atomics.add(control, CONTROL.present, 1);
  post('ready');
  let seen = 0;
  try {
    for (;;) {
      seen = team.awaitCommand(seen, data.spin);
      if (seen < 0) return;
      kernels[Atomics.load(control, CONTROL.kernel)]!(data.thread, data.threads, ARGUMENTS);
      team.arrive();
    }
  } catch (error) {
    poison(data.memory);
    throw error;
  }
}
