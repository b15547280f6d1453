/**
 * Starts processes that have a GPU each, under Node: the first has the one that this process has opened too.
 *
 * There this process searches order bases and verifies, while the other goes on with the sequence. A process is kept to
 * one GPU by hiding the others from it, and says which one it has opened: no two may have the same
 * (kernels/platform/nvidia.ts). Two processes cannot meet on a GPU in software, which needs neither.
 */
import { fileURLToPath } from 'node:url';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { keepTo, type NvidiaGpu, nvidiaGpus } from '../../kernels/platform/nvidia.js';
import type { GpuProcesses } from './processes.js';
import { RemoteProcess } from './remote-process.node.js';

/** Milliseconds between two signs of life that are asked for once a run is to end, and how many may stay out. */
const [PROBE, SILENT] = [1000, 10];

/** The GPU that this process has opened. */
export interface OwnGpu {
  readonly name: string;
  readonly software: boolean;
  readonly bus: string | null;
}

type Stops = () => Promise<boolean>;

const ENTRY = fileURLToPath(new URL('./process.node.js', import.meta.url));

/**
 * `count` processes, whose GPUs give `maxBytes`, of so many threads at most; DeviceError where they are fewer, or
 * cannot be told apart. `stops`: of a run that goes on from a checkpoint, whether it is to end there now.
 */
export function startGpuProcesses(
  count: number,
  own: OwnGpu,
  { maxBytes, threads, stops }: { maxBytes: number | null; threads: number | null; stops: Stops | null },
): GpuProcesses {
  const isKept = stops !== null;
  const command = [process.execPath, ENTRY, ...(threads === null ? [] : [`${threads}`])];
  if (own.software) {
    const devices = Array.from(
      { length: count },
      (_, j) => new RemoteProcess(`process ${j + 1} of ${count}`, null, command, maxBytes, isKept),
    );
    return gpuProcesses(devices, `${count} x ${own.name}`, stops);
  }
  const gpus = nvidiaGpus();
  const places = placesOf(count, own, gpus);
  const devices = places.map(
    (bus) => new RemoteProcess(`the process on GPU ${bus}`, bus, keepTo(bus, gpus, command), maxBytes, isKept),
  );
  return gpuProcesses(devices, `${count} x ${own.name} (${places.join(', ')})`, stops);
}

/** The addresses of `count` GPUs, the own one first. */
export function placesOf(count: number, { name, bus }: OwnGpu, gpus: readonly NvidiaGpu[]): string[] {
  if (bus === null) {
    throw new DeviceError(`gpus ${count}: ${name} cannot be told from another; only NVIDIA's driver on Linux tells`);
  }
  const others = gpus.map((gpu) => gpu.bus).filter((other) => other !== bus);
  if (others.length < count - 1) throw new DeviceError(`gpus ${count}: this machine has ${others.length + 1}`);
  return [bus, ...others.slice(0, count - 1)];
}

/**
 * Asks each process for a sign of life where the run is to end. One question at a time whether it is: answers to
 * several that come at once would leave no time between the probes.
 */
export function prober(devices: readonly Pick<RemoteProcess, 'probe'>[], stops: Stops): () => Promise<void> {
  let isAsking = false;
  return async () => {
    if (isAsking) return;
    isAsking = true;
    const ends = await stops().catch(() => false);
    isAsking = false;
    if (ends) for (const device of devices) device.probe(SILENT, PROBE);
  };
}

function gpuProcesses(devices: readonly RemoteProcess[], adapter: string, stops: Stops | null): GpuProcesses {
  const probing = stops === null ? undefined : setInterval(prober(devices, stops), PROBE);
  return {
    devices,
    adapter,
    end: async () => {
      clearInterval(probing);
      const left = await Promise.all(devices.map((device) => device.end()));
      return left.filter((line) => line !== null);
    },
  };
}
