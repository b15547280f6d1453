/**
 * What two threads can be worth on this machine right now: plain arithmetic on two of them, which share nothing, over
 * the same on one. A virtual machine's host may have them on one core, or busy with others; then no program's two
 * threads are worth more, whatever it does. Benchmarks measure it between their runs and print it beside their own
 * ratios.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const WINDOW_MS = 60;
const [GO, DONE, COUNT] = [0, 1, 2];

const sums = new Int32Array(1); // kept, so that they have to be made

/**
 * How often eight sums were made while the clock ran: none waits for another, so that they fill a core. One sum, whose
 * additions wait for one another, would leave room for a neighbour on the same core and never notice it.
 */
function count() {
  const words = Int32Array.from({ length: 1024 }, (_, i) => i);
  let [a, b, c, d, e, f, g, h] = [1, 2, 3, 4, 5, 6, 7, 8];
  let passes = 0;
  for (const end = performance.now() + WINDOW_MS; performance.now() < end; passes++) {
    for (let i = 0; i < 1024; i += 8) {
      a = (a + words[i]) | 0;
      b = (b ^ words[i + 1]) | 0;
      c = (c + words[i + 2]) | 0;
      d = (d ^ words[i + 3]) | 0;
      e = (e + words[i + 4]) | 0;
      f = (f ^ words[i + 5]) | 0;
      g = (g + words[i + 6]) | 0;
      h = (h ^ words[i + 7]) | 0;
    }
  }
  sums[0] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
  return passes;
}

/**
 * Whether two threads were worth two before and after: each had a core to itself, and one was as fast then as later.
 */
export function hadTwoCores(ratios) {
  return ratios.every((ratio) => ratio >= 1.8 && ratio <= 2.2);
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
