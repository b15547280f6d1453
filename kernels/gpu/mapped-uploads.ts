/**
 * Large uploads: the host writes into memory that the device reads by itself, without a copy between.
 *
 * A few places take turns, each mapped again as soon as the device has read it, so that writing and reading overlap.
 * Dawn's binding for Node takes no shared memory for `writeBuffer`, and the kernels' memory is shared: `writeBuffer`
 * would copy rows twice.
 */
import { DeviceError } from '../errors/device-error.js';
import type { GpuBuffer, GpuDevice } from './device.js';

/** Places in use at one time. */
const PLACES = 3;

const USAGE = 0x2 | 0x4; // GPUBufferUsage.MAP_WRITE | COPY_SRC
const MAP_WRITE = 2; // GPUMapMode.WRITE

export class MappedUploads {
  private readonly gpu: GpuDevice;
  private readonly size: number;
  private readonly places: { readonly buffer: GPUBuffer; readonly mapped: Promise<unknown> }[] = []; // the oldest first

  /** Of at most `size` bytes at a time. */
  constructor(gpu: GpuDevice, size: number) {
    this.gpu = gpu;
    this.size = size;
  }

  /** `bytes` bytes of `to` from `offset` on ← what `write` leaves in the memory that it is given; multiples of 4. */
  async fill(to: GpuBuffer, offset: number, bytes: number, write: (memory: ArrayBuffer) => void): Promise<void> {
    const { gpu } = this;
    const buffer = await this.take();
    write(buffer.getMappedRange(0, bytes));
    buffer.unmap();
    gpu.submit(); // what was recorded before comes first
    const encoder = gpu.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, to.buffer, offset, bytes);
    gpu.device.queue.submit([encoder.finish()]);
    const mapped = gpu.open.watch(buffer.mapAsync(MAP_WRITE));
    mapped.catch(() => undefined); // the next user of the place gets its failure
    this.places.push({ buffer, mapped });
  }

  release(): void {
    for (const { buffer } of this.places) buffer.destroy();
    this.places.length = 0;
  }

  private async take(): Promise<GPUBuffer> {
    const { gpu } = this;
    gpu.check();
    if (this.places.length < PLACES) {
      return gpu.device.createBuffer({ size: this.size, usage: USAGE, mappedAtCreation: true });
    }
    const { buffer, mapped } = this.places.shift()!;
    try {
      await mapped;
    } catch (error) {
      gpu.check();
      throw new DeviceError(`device gpu: writing to ${gpu.name}: ${String(error)}`);
    }
    return buffer;
  }
}
