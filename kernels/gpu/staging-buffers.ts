/**
 * Places from which the host reads the device's data. Making one takes longer than a small read, so idle ones wait
 * here.
 */

const SMALLEST = 2 ** 12;
const LARGEST = 2 ** 24; // from here on a read takes longer than making its place
export const READBACK = 0x1 | 0x8; // GPUBufferUsage.MAP_READ | COPY_DST
export const MAP_READ = 1; // GPUMapMode.READ

export class StagingBuffers {
  private readonly device: GPUDevice;
  private readonly idle: GPUBuffer[] = [];

  constructor(device: GPUDevice) {
    this.device = device;
  }

  take(bytes: number): GPUBuffer {
    const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, SMALLEST)));
    const at = this.idle.findIndex((buffer) => buffer.size === size);
    if (at >= 0) return this.idle.splice(at, 1)[0]!;
    return this.device.createBuffer({ size: size > LARGEST ? bytes : size, usage: READBACK });
  }

  give(buffer: GPUBuffer): void {
    if (buffer.size > LARGEST) buffer.destroy();
    else this.idle.push(buffer);
  }
}
