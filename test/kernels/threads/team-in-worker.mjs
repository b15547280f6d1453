/**
 * A team whose caller blocks in a worker of its own, as the engine's does; its compute threads are started by the
 * parent.
 */
import { parentPort } from 'node:worker_threads';
import { KernelMemory } from '../../../dist/kernels/threads/memory.js';
import { Team } from '../../../dist/kernels/threads/team.js';

const memory = new KernelMemory();
const length = 1 << 16;
const [v, d] = [memory.alloc(length * 32 + 64), memory.alloc(length * 4 + 64)];
const start = (data) => {
  parentPort.postMessage({ data });
  const ready = new Promise((resolve) => parentPort.once('message', resolve));
  return { ready, onEnd() {}, terminate: async () => {} };
};
const team = await Team.create(2, memory, start);
parentPort.postMessage({ started: true });
try {
  for (;;) team.run('scaleU16', v, 16, d, length, 65521);
} catch (error) {
  parentPort.postMessage({ error: `${error.name}: ${error.message}` });
}
