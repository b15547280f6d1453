/** What the host reads from a device: reads of one turn share a submission and a wait. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { DeviceError } from '../../../kernels/errors/device-error.js';
import { type GpuBuffer, GpuDevice } from '../../../kernels/gpu/device.js';
import { Flights } from '../../../kernels/gpu/flights.js';
import { gpuMissing, testGpu } from '../../gpu.js';

afterEach(() => vi.restoreAllMocks());

describe.skipIf(gpuMissing)('reads', () => {
  /** Records that all words of a buffer become `value`. */
  function fill(gpu: GpuDevice, buffer: GpuBuffer, value: number): void {
    const words = buffer.bytes / 4;
    const kernel = gpu.kernel(['launch', 'fill'], { WORKGROUP: 256 });
    gpu.run(kernel, [buffer], [words, value], Math.ceil(words / 256));
  }

  /** How often what follows submits and waits for the device. */
  function count(gpu: GpuDevice): () => { submissions: number; waits: number } {
    const waiting = vi.spyOn(Object.getPrototypeOf(gpu.device.createBuffer({ size: 16, usage: 1 })), 'mapAsync');
    const submitting = vi.spyOn(gpu.device.queue, 'submit');
    return () => ({ submissions: submitting.mock.calls.length, waits: waiting.mock.calls.length });
  }

  test('those of one turn share a submission and a wait, and each sees what is recorded before it', async () => {
    const gpu = await testGpu();
    const buffer = gpu.buffer(128);
    const counted = count(gpu);
    const reading = Array.from({ length: 10 }, (_, k) => {
      fill(gpu, buffer, 100 + k);
      return gpu.read(buffer, 4 * k, 4 * (k + 1));
    });
    fill(gpu, buffer, 0);
    const words = await Promise.all(reading);
    expect(counted()).toEqual({ submissions: 1, waits: 1 });
    for (const [k, each] of words.entries()) expect(each).toEqual(new Uint32Array(k + 1).fill(100 + k));
    expect(new Set(words.map(({ buffer }) => buffer)).size).toBe(10); // each has its own
    expect(await gpu.read(buffer, 0, 128)).toEqual(new Uint32Array(32));
    expect(counted()).toEqual({ submissions: 2, waits: 2 });
    gpu.free(buffer);
  });

  test('long ones come in slices, as words and as pairs, and see nothing behind them', async () => {
    const gpu = await testGpu();
    const words = Uint32Array.from({ length: 2 ** 21 + 8 }, (_, i) => Math.imul(i, 0x9e3779b1));
    const buffer = gpu.upload(words);
    const reading = [gpu.read(buffer, 0, 4 * words.length), gpu.read(buffer, 8, 4 * words.length - 8, 2)];
    gpu.clear(buffer);
    const halves = Uint32Array.from(new Uint16Array(words.buffer, 8));
    for (const [i, found] of (await Promise.all(reading)).entries())
      expect(Buffer.compare(Buffer.from(found.buffer), Buffer.from([words, halves][i]!.buffer)), `${i}`).toBe(0);
    gpu.free(buffer);
  });

  test('large ones have places of their own, and a place that is full is submitted', async () => {
    const gpu = await testGpu();
    const large = gpu.buffer(2 ** 18 + 4);
    for (const [bytes, times, submissions, waits] of [
      [2 ** 18 + 4, 2, 1, 2],
      [2 ** 18, 2, 1, 1],
      [2 ** 18, 5, 3, 3],
    ] as const) {
      const counted = count(gpu);
      const reading = Array.from({ length: times }, (_, k) => {
        fill(gpu, large, k);
        return gpu.read(large, 0, bytes);
      });
      for (const [k, each] of (await Promise.all(reading)).entries())
        expect(each.length === bytes / 4 && each.every((word) => word === k)).toBe(true);
      expect(counted()).toEqual({ submissions, waits });
      vi.restoreAllMocks();
    }
    gpu.free(large);
  });

  test('what is submitted meanwhile takes them along', async () => {
    const gpu = await testGpu();
    const buffer = gpu.upload(Uint32Array.of(1, 2, 3, 4));
    const before = gpu.read(buffer, 0, 16);
    gpu.write(buffer, Uint32Array.of(5, 6, 7, 8));
    const after = gpu.read(buffer, 8, 8);
    gpu.free(buffer);
    expect(await before).toEqual(Uint32Array.of(1, 2, 3, 4));
    expect(await after).toEqual(Uint32Array.of(7, 8));
  });

  test.each([
    ['lost', (gpu: GpuDevice) => gpu.device.destroy()],
    ['disposed of', (gpu: GpuDevice) => gpu.dispose()],
  ])('all fail once the device is %s, and nothing of them is open behind that', async (_, end) => {
    const gpu = await GpuDevice.open();
    const buffer = gpu.buffer(16);
    await gpu.read(buffer, 0, 16);
    let failed = 0;
    const reading = [0, 4].map((offset) => gpu.read(buffer, offset, 4));
    for (const each of reading) each.catch(() => failed++);
    end(gpu);
    await gpu.open.settled();
    expect(failed).toBe(2);
    for (const each of reading) await expect(each).rejects.toThrow(DeviceError);
  });

  test('one that was disposed of is asked for nothing', async () => {
    const gpu = await GpuDevice.open();
    const buffer = gpu.buffer(16);
    const waiting = vi.spyOn(Object.getPrototypeOf(buffer.buffer), 'mapAsync');
    const reading = gpu.read(buffer, 0, 4);
    gpu.submit();
    gpu.dispose();
    await expect(reading).rejects.toThrow('device gpu: the device was disposed of');
    expect(waiting).not.toHaveBeenCalled();
  });
});

test('a flight that has landed takes those before it along, and no other', async () => {
  const flights = new Flights();
  const ends: (() => void)[] = [];
  const add = (times: number): void => {
    for (let k = 0; k < times; k++) flights.add(new Promise<void>((resolve) => ends.push(resolve)));
  };
  add(6);
  expect(flights.next).toBe(6);
  ends[0]!();
  await flights.landOldest(); // number 0
  flights.land(3);
  expect(flights.landOldest()).toBeUndefined();
  flights.land(1);
  add(3); // 4 to 8
  expect(flights.next).toBe(9);
  ends[4]!();
  await flights.landOldest();
  expect(flights.landOldest()).toBeUndefined();
});
