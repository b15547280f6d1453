/**
 * Opening a GPU: the adapter and a device with the limits that kernels need.
 *
 * A software adapter (SwiftShader, llvmpipe, WARP) computes the same integers, slowly: good for tests, never chosen by
 * itself. The device gets the adapter's own limits, since WebGPU grants its modest defaults otherwise.
 */
import { requestGpu, seekAdapter, watchGpus } from '#platform';
import { DeviceError } from '../errors/device-error.js';
import { nameOf } from './adapter-name.js';

export interface AdapterChoice {
  readonly device: GPUDevice;
  /** In words, for reports. */
  readonly name: string;
  readonly software: boolean;
  /** The PCI address of the GPU, where it can be told. */
  readonly bus: string | null;
  /** Extensions of WGSL that its compiler knows. */
  readonly languageFeatures: ReadonlySet<string>;
}

const NO_ADAPTER = 'device gpu: no adapter was found';

const FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];

const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupStorageSize',
] as const;

/** Kernels need no more storage buffers and no larger workgroups than WebGPU grants everywhere. */
export async function openAdapter(): Promise<AdapterChoice> {
  const gpu = await requestGpu();
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new DeviceError(NO_ADAPTER);
  const name = nameOf(adapter.info);
  const software = isSoftware(adapter.info);
  const openedBus = watchGpus();
  try {
    const device = await adapter.requestDevice({
      requiredFeatures: FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits: Object.fromEntries(LIMITS.map((limit) => [limit, adapter.limits[limit]])),
    });
    const languageFeatures = new Set(gpu.wgslLanguageFeatures);
    return { device, name: `${name}${software ? ' (software)' : ''}`, software, bus: openedBus(), languageFeatures };
  } catch (error) {
    throw new DeviceError(`device gpu: ${name} refused: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** What is known of a GPU that nothing needs yet. */
export interface SoughtGpu {
  readonly software: boolean;
  /** That the look for it took. */
  readonly seconds: number;
}

/** Looks for an adapter, without a device; where Node has threads the caller's goes on. DeviceError where none is. */
export async function seekGpu(): Promise<SoughtGpu> {
  const { info, seconds } = await seekAdapter();
  if (info === null) throw new DeviceError(NO_ADAPTER);
  return { software: isSoftware(info), seconds };
}

function isSoftware(info: Pick<GPUAdapterInfo, 'architecture' | 'description'>): boolean {
  const { architecture, description } = info;
  const named = /swiftshader|llvmpipe|lavapipe|software|basic render|warp/i;
  // In Chromium and Dawn; not yet in every declaration of the interface.
  const fallback = (info as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
  return fallback || named.test(`${architecture} ${description}`);
}
