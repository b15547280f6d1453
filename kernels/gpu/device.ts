/**
 * One WebGPU device as kernels see it: buffers, kernels cached by source and constants, and a queue that never waits.
 *
 * Work is recorded and submitted many dispatches at a time. What the host gives a dispatch travels with the submission:
 * parameters in one uniform arena (a slot a dispatch, bound by dynamic offset), small operands in a storage arena. Both
 * are written by queue.writeBuffer just before the submission that uses them; the queue's order makes it safe to use
 * the same places again for the next. Nothing here waits but `read` and `keepPace`.
 */

import { DeviceError } from '../errors/device-error.js';
import { openAdapter } from './adapter.js';
import { DeviceFailure, firstLine } from './device-failure.js';
import { DeviceMemory } from './device-memory.js';
import { Flights } from './flights.js';
import { type Constants, type GpuKernel, KernelCache } from './kernel-cache.js';
import { OpenPromises } from './open-promises.js';
import { queuePieces } from './queue-pieces.js';
import { Reads } from './reads.js';
import type { WgslName } from './shader.js';
import { Timestamps } from './timestamps.js';

export interface GpuBuffer {
  readonly id: number;
  readonly buffer: GPUBuffer;
  readonly bytes: number;
}

export type { Constants, GpuKernel };

export interface GpuDeviceOptions {
  /** Lower limits than the device's own, so that small cases take the paths of large ones. */
  readonly maxBindingBytes?: number;
  readonly maxGroups?: number;
}

const SLOT = 256; // bytes of parameters a dispatch, the least alignment of dynamic offsets
const SLOTS = 256; // dispatches a submission
const ARENA = 2 ** 20; // bytes of small operands a submission; a larger one gets a larger arena
const USAGE = 0x80 | 0x8 | 0x4; // GPUBufferUsage.STORAGE | COPY_DST | COPY_SRC
const UNIFORM = 0x40 | 0x8;

export class GpuDevice {
  readonly name: string;
  readonly software: boolean;
  /** The PCI address of the GPU, where it can be told. */
  readonly bus: string | null;
  /** Extensions of WGSL that its compiler knows. */
  readonly languageFeatures: ReadonlySet<string>;
  readonly maxBindingBytes: number;
  readonly device: GPUDevice;
  readonly memory: DeviceMemory;
  private readonly maxGroups: number;
  private readonly kernels: KernelCache;
  private readonly parameters: GPUBuffer;
  private readonly parameterWords = new Uint32Array((SLOT * SLOTS) / 4);
  private arena: GpuBuffer;
  private arenaWords = new Uint32Array(ARENA / 4);
  private arenaUsed = 0; // bytes
  private slots = 0;
  private encoder: GPUCommandEncoder | null = null;
  private pass: GPUComputePassEncoder | null = null;
  private current: GpuKernel | null = null; // of the pass
  private readonly reads: Reads;
  private readonly flights = new Flights();
  /** What is under way: behind `dispose` its thread ends once that has settled. */
  readonly open = new OpenPromises();
  /** Whether what is recorded has to fit one submission. */
  isTiming = false;
  private readonly failure: DeviceFailure;
  private ids = 0;

  constructor(
    device: GPUDevice,
    name: string,
    software: boolean,
    options: GpuDeviceOptions = {},
    bus: string | null = null,
    languageFeatures: ReadonlySet<string> = new Set(),
  ) {
    [this.device, this.name, this.software, this.bus] = [device, name, software, bus];
    this.languageFeatures = languageFeatures;
    this.failure = new DeviceFailure(device, name);
    const { maxStorageBufferBindingSize, maxBufferSize, maxComputeWorkgroupsPerDimension } = device.limits;
    const largest = Math.min(maxStorageBufferBindingSize, maxBufferSize);
    this.maxBindingBytes = Math.min(largest, options.maxBindingBytes ?? largest);
    this.maxGroups = Math.min(maxComputeWorkgroupsPerDimension, options.maxGroups ?? maxComputeWorkgroupsPerDimension);
    this.parameters = device.createBuffer({ size: SLOT * SLOTS, usage: UNIFORM });
    this.kernels = new KernelCache(device, { buffer: this.parameters, size: SLOT });
    this.reads = new Reads(device, {
      name,
      flights: this.flights,
      open: this.open,
      encoder: () => this.recordingEncoder(),
      submit: () => this.submit(),
      check: () => this.check(),
    });
    this.memory = new DeviceMemory(name, this.maxBindingBytes);
    this.arena = this.create(ARENA);
  }

  static async open(options: GpuDeviceOptions = {}): Promise<GpuDevice> {
    const { device, name, software, bus, languageFeatures } = await openAdapter();
    return new GpuDevice(device, name, software, options, bus, languageFeatures);
  }

  /** A buffer of zeros. Throws MemoryError when it cannot be bound as a whole. */
  buffer(bytes: number): GpuBuffer {
    this.check();
    const size = this.memory.sizeOf(bytes);
    this.memory.take(size);
    return this.create(size);
  }

  /** A buffer with the words given. */
  upload(words: Uint32Array): GpuBuffer {
    const buffer = this.buffer(words.byteLength);
    this.write(buffer, words);
    return buffer;
  }

  /** After everything recorded so far. Offset and length in bytes, multiples of 4. */
  write(to: GpuBuffer, data: Uint32Array | Uint16Array, offset = 0): void {
    this.submit();
    for (const piece of queuePieces(data)) {
      this.device.queue.writeBuffer(to.buffer, offset, piece);
      offset += piece.length;
    }
  }

  /** What is recorded still uses it. */
  free(buffer: GpuBuffer): void {
    this.memory.give(buffer.bytes);
    this.destroy(buffer);
  }

  /** The kernel of these files with these constants; those that no file declares are left out. */
  kernel(files: readonly WgslName[], constants: Constants): GpuKernel {
    return this.kernels.get(files, constants);
  }

  /** Compiles a kernel while the host goes on, since that takes long; `kernel` finds it afterwards. */
  async prepare(files: readonly WgslName[], constants: Constants): Promise<void> {
    try {
      await this.open.watch(this.kernels.compile(files, constants));
    } catch (error) {
      this.check();
      throw new DeviceError(`device gpu: ${this.name}: ${firstLine(String(error))}`);
    }
  }

  /** Records one dispatch of `groups` workgroups; the parameters are 32-bit words. */
  run(kernel: GpuKernel, buffers: readonly GpuBuffer[], parameters: readonly number[], groups: number): void {
    if (groups === 0) return;
    if (this.slots === SLOTS) this.submit();
    this.check();
    const offset = this.slots++ * SLOT;
    this.parameterWords.set(parameters, offset / 4);
    const pass = this.recordingPass();
    if (this.current !== kernel) pass.setPipeline(kernel.pipeline);
    this.current = kernel;
    pass.setBindGroup(0, this.kernels.bindGroup(kernel, buffers), [offset]);
    const x = Math.min(groups, this.maxGroups);
    pass.dispatchWorkgroups(x, Math.ceil(groups / x));
  }

  /**
   * A place for small operands of the next dispatch, `each` bytes a number: the arena, and the byte where the data
   * stands, a multiple of 16.
   */
  operand(numbers: Uint32Array, each: 2 | 4 = 4): { buffer: GpuBuffer; offset: number } {
    const bytes = Math.ceil((each * numbers.length) / 16) * 16;
    // The next dispatch must not submit what this one leaves behind.
    if (this.slots === SLOTS || this.arenaUsed + bytes > this.arena.bytes) this.submit();
    if (bytes > this.arena.bytes) {
      this.destroy(this.arena);
      this.arena = this.create(this.memory.sizeOf(bytes));
      this.arenaWords = new Uint32Array(bytes / 4);
    }
    const offset = this.arenaUsed;
    if (each === 4) this.arenaWords.set(numbers, offset / 4);
    else new Uint16Array(this.arenaWords.buffer, offset).set(numbers);
    this.arenaUsed += bytes;
    return { buffer: this.arena, offset };
  }

  copy(to: GpuBuffer, from: GpuBuffer, bytes: number): void {
    if (bytes > 0) this.recordingEncoder().copyBufferToBuffer(from.buffer, 0, to.buffer, 0, bytes);
  }

  clear(buffer: GpuBuffer): void {
    this.recordingEncoder().clearBuffer(buffer.buffer);
  }

  /** Hands over what is recorded. */
  submit(): void {
    if (!this.encoder) return;
    if (this.isTiming) throw new RangeError(`time: expected dispatches that fit one submission, ${SLOTS} at most`);
    this.pass?.end();
    this.pass = null;
    const { queue } = this.device;
    if (this.slots > 0) queue.writeBuffer(this.parameters, 0, this.parameterWords, 0, (this.slots * SLOT) / 4);
    if (this.arenaUsed > 0) queue.writeBuffer(this.arena.buffer, 0, this.arenaWords, 0, this.arenaUsed / 4);
    queue.submit([this.encoder.finish()]);
    this.discard();
    this.check();
    this.flights.add(this.open.watch(queue.onSubmittedWorkDone()));
  }

  /** Waits only while the host is far ahead of the device. */
  keepPace(): Promise<void> | undefined {
    return this.flights.landOldest()?.then(() => this.check());
  }

  /** The numbers of `each` bytes from `offset` on, `bytes` bytes, as they are after everything recorded so far. */
  read(from: GpuBuffer, offset: number, bytes: number, each: 2 | 4 = 4): Promise<Uint32Array> {
    return this.reads.read(from.buffer, offset, bytes, each);
  }

  /**
   * Nanoseconds that the device spends on what `work` records; needs timestamp queries. Throws RangeError when that is
   * more than one submission takes.
   */
  async time(work: () => void): Promise<number> {
    this.submit();
    const timestamps = new Timestamps(this.device);
    this.encoder = this.device.createCommandEncoder();
    this.pass = this.encoder.beginComputePass({ timestampWrites: timestamps.writes });
    this.current = null;
    this.isTiming = true;
    try {
      work();
    } catch (error) {
      this.discard();
      timestamps.destroy();
      throw error;
    } finally {
      this.isTiming = false;
    }
    this.pass.end();
    this.pass = null;
    timestamps.resolve(this.encoder);
    this.submit();
    const time = await this.open.watch(timestamps.read());
    this.check();
    return time;
  }

  /** False once it was lost or disposed of. */
  get usable(): boolean {
    return this.failure.reason === null;
  }

  /** Throws the first failure of the device since the last call. */
  check(): void {
    this.failure.check();
  }

  dispose(): void {
    this.failure.set(new DeviceError('device gpu: the device was disposed of'));
    this.device.destroy();
  }

  /** A buffer that nobody counts. */
  private create(size: number): GpuBuffer {
    return { id: this.ids++, buffer: this.device.createBuffer({ size, usage: USAGE }), bytes: size };
  }

  private destroy(buffer: GpuBuffer): void {
    this.submit();
    this.kernels.forget(buffer);
    buffer.buffer.destroy();
  }

  /** Nothing is recorded any more. */
  private discard(): void {
    this.pass?.end();
    this.pass = null;
    this.encoder = null;
    this.slots = 0;
    this.arenaUsed = 0;
  }

  private recordingEncoder(): GPUCommandEncoder {
    this.check();
    this.pass?.end();
    this.pass = null;
    this.encoder ??= this.device.createCommandEncoder();
    return this.encoder;
  }

  private recordingPass(): GPUComputePassEncoder {
    this.encoder ??= this.device.createCommandEncoder();
    if (!this.pass) {
      this.pass = this.encoder.beginComputePass();
      this.current = null;
    }
    return this.pass;
  }
}
