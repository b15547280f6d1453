/**
 * Products on one device, timed in turns.
 *
 *   time(work, repeats) : seconds of a call of work
 *     on the CPU with one thread processor seconds, with several wall time; on a GPU the device's own clock
 */
const ours = (file) => import(new URL(`../../dist/${file}`, import.meta.url).href);
const { WordPrime } = await ours('fields/word-prime.js');
const { CpuExecutor } = await ours('kernels/executors/cpu.js');

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

export class CpuClock {
  constructor(threads) {
    this.threads = threads;
    this.slice = 0.004;
    this.most = 1000;
    this.warm = 0.08;
    this.before = (width) => (width < 16 ? 300 : 0); // kernels/spmm/cpu-operator.ts: FEW
    this.keeps = false; // several formats of one matrix: WebAssembly has 4 GB
  }

  executor(p) {
    return CpuExecutor.create(WordPrime.of(p), { threads: this.threads });
  }

  async time(work, repeats) {
    work(); // brings back the caches that another product's turn took
    const [start, before] = [performance.now(), process.cpuUsage()];
    for (let i = 0; i < repeats; i++) work();
    const { user, system } = process.cpuUsage(before);
    return (this.threads === 1 ? (user + system) / 1e6 : (performance.now() - start) / 1e3) / repeats;
  }

  dispose() {}
}

export class GpuClock {
  static async open() {
    const { GpuDevice } = await ours('kernels/gpu/device.js');
    const { GpuExecutor } = await ours('kernels/executors/gpu.js');
    return new GpuClock(await GpuDevice.open(), GpuExecutor);
  }

  constructor(gpu, Executor) {
    this.gpu = gpu;
    this.Executor = Executor;
    this.slice = 0.002;
    this.most = 240; // many of the device's clock, which counts in steps of 33 µs
    this.warm = 0.1;
    this.before = (width) => (width === 1 ? 4100 : 0); // kernels/spmm/gpu-binned.ts: PAID
    this.keeps = true;
    this.adapter = gpu.name;
  }

  async executor(p) {
    return new this.Executor(WordPrime.of(p), this.gpu);
  }

  async time(work, repeats) {
    const all = () => {
      for (let i = 0; i < repeats; i++) work();
    };
    try {
      return (await this.gpu.time(all)) / 1e9 / repeats;
    } catch (error) {
      if (!(error instanceof RangeError) || repeats === 1) throw error;
      return this.time(work, repeats >> 1); // more dispatches than one submission takes
    }
  }

  dispose() {
    this.gpu.dispose();
  }
}

/** Repeats that fill a slice, after warming up for so many seconds at least. */
export async function warmUp(clock, work, least = 0) {
  const end = performance.now() + 1000 * Math.max(least, clock.warm);
  let [repeats, fastest] = [1, Number.POSITIVE_INFINITY];
  do {
    fastest = Math.min(fastest, await clock.time(work, repeats));
    repeats = Math.min(clock.most, Math.max(1, Math.round(clock.slice / Math.max(fastest, 1e-7))));
  } while (performance.now() < end);
  return repeats;
}

/** Seconds of each of `works` ({ work, repeats }), round by round in turns. */
export async function inTurns(clock, works, rounds) {
  const seconds = works.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [k, { work, repeats }] of works.entries()) seconds[k].push(await clock.time(work, repeats));
  }
  return seconds;
}
