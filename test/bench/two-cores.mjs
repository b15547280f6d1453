/**
 * What two threads can be worth on this machine right now: plain arithmetic on two of them, which share nothing, over the
 * same on one. A virtual machine's host may have them on one core, or busy with others; then no program's two threads are worth
 * more, whatever it does. Benchmarks measure it between their runs and print it beside their own ratios.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const WINDOW_MS = 60;
const [GO, DONE, COUNT] = [0, 1, 2];

/** How often a sum of products was made while the clock ran. */
function count() {
  const words = Float64Array.from({ length: 4096 }, (_, i) => 1 + i / 2 ** 20);
  let sum = 0;
  let passes = 0;
  for (const end = performance.now() + WINDOW_MS; performance.now() < end; passes++) {
    for (let i = 0; i < words.length; i++) sum += words[i] * words[(i * 7) & 4095];
  }
  return sum > 0 ? passes : 0;
}

/** measure() gives the ratio, 2 at best; all that were measured are in `ratios`. */
export async function twoCores() {
  const control = new Int32Array(new SharedArrayBuffer(12));
  const worker = new Worker(new URL(import.meta.url), { workerData: control });
  await new Promise((resolve) => worker.once('online', resolve));
  const ratios = [];
  const measure = () => {
    const before = count();
    Atomics.store(control, DONE, 0);
    Atomics.store(control, GO, 1);
    Atomics.notify(control, GO);
    const mine = count();
    Atomics.wait(control, DONE, 0);
    ratios.push((2 * (mine + control[COUNT])) / (before + count()));
  };
  for (let i = 0; i < 4; i++) measure(); // compiled by then
  ratios.length = 0;
  return { measure, ratios, end: () => worker.terminate() };
}

if (!isMainThread && workerData instanceof Int32Array) {
  for (;;) {
    Atomics.wait(workerData, GO, 0);
    Atomics.store(workerData, GO, 0);
    workerData[COUNT] = count();
    Atomics.store(workerData, DONE, 1);
    Atomics.notify(workerData, DONE);
  }
}
