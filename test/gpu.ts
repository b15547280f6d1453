/**
 * The GPU of the tests: SwiftShader as Debian's chromium brings it, unless the environment names a Vulkan driver.
 *
 * Where there is none, tests that need one are skipped with `gpuMissing` as the reason; with REQUIRE_GPU set, as
 * continuous integration sets it, that is a failure.
 */
import { fileURLToPath } from 'node:url';
import type { TestContext } from 'vitest';
import { GpuDevice, type GpuDeviceOptions } from '../kernels/gpu/device.js';
import { DeviceMemory } from '../kernels/gpu/device-memory.js';
import './seldom-polls.cjs';

let opened: Promise<GpuDevice> | undefined;

/** One device for all tests of a file. */
export function testGpu(): Promise<GpuDevice> {
  opened ??= GpuDevice.open();
  return opened;
}

/** The same device under lower limits: a shader that either has compiled is compiled for both. */
export async function limitedGpu(options: GpuDeviceOptions): Promise<GpuDevice> {
  const { device, name, software } = await testGpu();
  return new GpuDevice(device, name, software, options);
}

/** NODE_OPTIONS of processes whose waits for a GPU are long: they poll it as seldom as this one does. */
export const SELDOM_POLLS = `--require "${fileURLToPath(new URL('seldom-polls.cjs', import.meta.url))}"`;

/** Why there are no GPU tests; null where there are. */
export const gpuMissing: string | null = await testGpu().then(
  () => null,
  (error: Error) => error.message,
);

if (gpuMissing && process.env['REQUIRE_GPU']) {
  throw new Error(`REQUIRE_GPU is set, and there is no GPU to test on: ${gpuMissing}`);
}
if (gpuMissing) console.warn(`GPU tests are skipped: ${gpuMissing}`);

/** For beforeEach: skips the tests of the executor 'gpu' where there is none. */
export const skipOf = (executor: string) => (test: TestContext) =>
  test.skip(executor === 'gpu' && gpuMissing !== null, `${gpuMissing}`);

/** What one looks like to whoever asks only what it is and takes: none in software, large. */
export function fakeGpu(more: Partial<GpuDevice> = {}): GpuDevice {
  return {
    name: 'a GPU',
    software: false,
    languageFeatures: new Set(['packed_4x8_integer_dot_product']),
    maxBindingBytes: 2 ** 31,
    memory: new DeviceMemory('a GPU', 2 ** 31),
    ...more,
  } as GpuDevice;
}
