/**
 * The bytes of a device's buffers: how many there are, how many there were at most, and how many there may be. Staging
 * and the places of small operands are beside them.
 */
import { megabytes } from '../errors/megabytes.js';
import { GpuBudgetError, MemoryError } from '../errors/memory-error.js';

/** Sizes of buffers are multiples. */
const GRAIN = 16;

export class DeviceMemory {
  /** Bytes that buffers may take together. */
  maxBytes = Number.POSITIVE_INFINITY;
  private readonly device: string;
  private readonly maxBindingBytes: number;
  private bytes = 0;
  private most = 0;

  constructor(device: string, maxBindingBytes: number) {
    this.device = device;
    this.maxBindingBytes = maxBindingBytes;
  }

  get held(): number {
    return this.bytes;
  }

  /** The most since `watch`. */
  get peak(): number {
    return this.most;
  }

  watch(): void {
    this.most = this.bytes;
  }

  /** The size of a buffer of so many bytes. Throws MemoryError when it cannot be bound as a whole. */
  sizeOf(bytes: number): number {
    const size = Math.max(GRAIN, Math.ceil(bytes / GRAIN) * GRAIN);
    if (size <= this.maxBindingBytes) return size;
    throw new MemoryError(
      `device gpu: ${size} bytes needed in one piece, ${this.device} binds ${this.maxBindingBytes}`,
    );
  }

  take(size: number): void {
    if (this.bytes + size > this.maxBytes) {
      const [need, have] = [this.bytes + size, this.maxBytes].map(megabytes);
      throw new GpuBudgetError(`device gpu: ${need} MB needed on ${this.device}, allowed are ${have}`);
    }
    this.bytes += size;
    this.most = Math.max(this.most, this.bytes);
  }

  give(size: number): void {
    this.bytes -= size;
  }
}
