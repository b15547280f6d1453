/** The device's clock at the beginning and the end of one pass. */
import { MAP_READ, READBACK } from './staging-buffers.js';

export class Timestamps {
  readonly writes: GPUComputePassTimestampWrites;
  private readonly querySet: GPUQuerySet;
  private readonly resolved: GPUBuffer;
  private readonly staging: GPUBuffer;

  constructor(device: GPUDevice) {
    this.querySet = device.createQuerySet({ type: 'timestamp', count: 2 });
    this.resolved = device.createBuffer({ size: 16, usage: 0x200 | 0x4 }); // QUERY_RESOLVE | COPY_SRC
    this.staging = device.createBuffer({ size: 16, usage: READBACK });
    this.writes = { querySet: this.querySet, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 };
  }

  /** Behind the pass. */
  resolve(encoder: GPUCommandEncoder): void {
    encoder.resolveQuerySet(this.querySet, 0, 2, this.resolved, 0);
    encoder.copyBufferToBuffer(this.resolved, 0, this.staging, 0, 16);
  }

  /** Nanoseconds between the two, once the submitted work is done. */
  async read(): Promise<number> {
    await this.staging.mapAsync(MAP_READ);
    const [start, end] = new BigUint64Array(this.staging.getMappedRange());
    this.destroy();
    return Number(end! - start!);
  }

  destroy(): void {
    for (const each of [this.querySet, this.resolved, this.staging]) each.destroy();
  }
}
