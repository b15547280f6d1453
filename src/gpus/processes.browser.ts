/** Several GPUs in a browser: a page has one. */
import { DeviceError } from '../../kernels/errors/device-error.js';
import type { GpuProcesses } from './processes.js';

export function startGpuProcesses(count: number): GpuProcesses {
  throw new DeviceError(`gpus: a page has one GPU, ${count} were asked for`);
}
