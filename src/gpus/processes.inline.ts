/** Several GPUs in a program of one file: a process needs a file to run. */
import { DeviceError } from '../../kernels/errors/device-error.js';
import type { GpuProcesses } from './processes.js';

export function startGpuProcesses(count: number): GpuProcesses {
  throw new DeviceError(`gpus ${count}: the entry wiedemann/inline starts no processes, the entry wiedemann does`);
}
