/** The first failure of a device: WebGPU reports it some time after the call, and the next call throws it. */
import { DeviceError } from '../errors/device-error.js';
import { MemoryError } from '../errors/memory-error.js';

export class DeviceFailure {
  /** The first failure, or null. */
  reason: Error | null = null;

  constructor(device: GPUDevice, name: string) {
    device.lost.then(({ reason, message }) => {
      this.set(new DeviceError(`device gpu: ${name} was lost: ${firstLine(message) || reason}`));
    });
    const others = device.onuncapturederror; // of those who use the same device
    device.onuncapturederror = (event) => {
      others?.call(device, event);
      event.preventDefault(); // reported here alone
      const { error } = event;
      const text = `device gpu: ${name}: ${firstLine(error.message)}`;
      this.set(error.constructor.name === 'GPUOutOfMemoryError' ? new MemoryError(text) : new DeviceError(text));
    };
  }

  set(reason: Error): void {
    this.reason ??= reason;
  }

  check(): void {
    if (this.reason) throw this.reason;
  }
}

export function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.trim();
}
