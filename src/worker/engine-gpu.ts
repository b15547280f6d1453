/**
 * The GPU of an engine: sought before anything is computed on it, opened where something is, kept for further
 * questions.
 */
import type { SoughtGpu } from '../../kernels/gpu/adapter.js';
import type { GpuDevice } from '../../kernels/gpu/device.js';
import type { Settings } from '../questions/options.js';
import type { Caller } from './caller.js';
import type { Opening } from './devices.js';

/** `open` if it is still good, another one, or none: devices.ts. */
type Choice = (open: GpuDevice | undefined, onOpening: Opening) => Promise<GpuDevice | undefined>;

export class EngineGpu {
  readonly #caller: Caller;
  #gpu: GpuDevice | undefined;
  #left = false;
  #sought: Promise<SoughtGpu> | undefined;
  #opening: string | null = null;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  get name(): string | undefined {
    return this.#gpu?.name;
  }

  /** Begins to look for one that may not be needed; what comes of it says `sought`. */
  seek(): void {
    const look = async (): Promise<SoughtGpu> => {
      this.#caller.takesGpu(); // Dawn takes the program down where a thread is ended in one of its calls
      return (await import('../../kernels/gpu/adapter.js')).seekGpu();
    };
    // One that was found stays; where none was, there may be one by now.
    this.#sought = this.#sought?.catch(look) ?? look();
    this.#sought.catch(() => undefined);
  }

  /** What there is; DeviceError where there is none. */
  async sought(): Promise<SoughtGpu> {
    if (this.#gpu?.usable) return { software: this.#gpu.software, seconds: 0 };
    return this.#sought!;
  }

  /** The one that `choose` takes, with the limits of this question. */
  async take({ maxGpuMemory }: Settings, choose: Choice): Promise<GpuDevice | undefined> {
    const start = performance.now();
    const gpu = await choose(this.#gpu, async () => {
      this.#caller.takesGpu();
      await this.#sought?.catch(() => undefined); // a driver that is being loaded is loaded once
    });
    if (gpu === undefined) return undefined;
    if (gpu !== this.#gpu)
      this.#opening = `${gpu.name}: opened in ${((performance.now() - start) / 1000).toFixed(2)} s`;
    this.#gpu = gpu;
    if (this.#left) void this.leave();
    gpu.memory.maxBytes = maxGpuMemory ?? Number.POSITIVE_INFINITY;
    return gpu;
  }

  /** A line about each opening since the last call, if there was one. */
  tellOpening(): readonly string[] {
    const line = this.#opening;
    this.#opening = null;
    return line === null ? [] : [line];
  }

  /** Gives it up for good; a question that runs on it fails. Resolves when nothing of it is under way. */
  async leave(): Promise<void> {
    this.#left = true;
    this.#gpu?.dispose();
    await Promise.all([this.#sought?.catch(() => undefined), this.#gpu?.open.settled()]);
  }
}
