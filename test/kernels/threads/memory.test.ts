/** The allocator: lines of 64 bytes, reuse, joining of what is free, growth, refusal. */
import { expect, test } from 'vitest';
import { CounterRandom } from '../../../fields/random.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { CONTROL_BYTES, KernelMemory } from '../../../kernels/threads/memory.js';

test('places are aligned, apart, and above the control block', () => {
  const memory = new KernelMemory();
  const places = [1, 64, 65, 0].map((bytes) => memory.alloc(bytes));
  expect(places).toEqual([0, 64, 128, 256].map((offset) => CONTROL_BYTES + offset));
});

test('what was given back is used again, joined with its neighbours', () => {
  const memory = new KernelMemory();
  const [a, b, c, end] = [memory.alloc(100), memory.alloc(100), memory.alloc(100), memory.alloc(1)] as const;
  memory.release(a);
  memory.release(c);
  memory.release(b); // joins both sides
  expect(memory.alloc(384)).toBe(a);
  memory.release(a);
  memory.release(end);
  expect(memory.alloc(1000)).toBe(a);
  expect(() => memory.release(b)).toThrow(`release: ${b} was not allocated`);
});

test('growth keeps contents, and old views do not matter', () => {
  const memory = new KernelMemory();
  const at = memory.alloc(8);
  memory.u32(at, 2).set([7, 9]);
  const far = memory.allocZeroed(10 * 65536);
  expect([...memory.u32(at, 2), memory.u8(far, 10 * 65536).every((byte) => byte === 0)]).toEqual([7, 9, true]);
  expect(memory.peakBytes).toBeGreaterThanOrEqual(10 * 65536);
});

test('views know their place, whatever the memory has grown to since', () => {
  const memory = new KernelMemory();
  const at = memory.alloc(80);
  const view = memory.u32(at, 20);
  const before = memory.memory.buffer;
  memory.alloc(10 * 65536);
  expect(memory.memory.buffer).not.toBe(before);
  expect([view, view.subarray(5), memory.u32(at, 20)].map((words) => memory.placeOf(words))).toEqual([at, at + 20, at]);
  const others = [new Uint32Array(20), new Uint32Array(new SharedArrayBuffer(80)), new KernelMemory().u32(at, 20)];
  expect(others.map((words) => memory.placeOf(words))).toEqual([null, null, null]);
});

test('zeroed memory is zero where others have written, and beyond', () => {
  const memory = new KernelMemory();
  const first = memory.alloc(1000);
  memory.u8(first, 1024).fill(255);
  memory.release(first);
  for (const bytes of [1, 100, 3000]) {
    const at = memory.allocZeroed(bytes);
    expect(at).toBe(first);
    expect(memory.u8(at, Math.ceil(bytes / 64) * 64).every((byte) => byte === 0)).toBe(true);
    memory.u8(at, Math.ceil(bytes / 64) * 64).fill(255);
    memory.release(at);
  }
});

test('more than can be addressed is refused and leaves the memory usable', () => {
  const memory = new KernelMemory();
  expect(() => memory.alloc(2 ** 32)).toThrow(MemoryError);
  expect(memory.alloc(8)).toBe(CONTROL_BYTES);
});

test('a thousand random steps: no two owners share a byte', () => {
  const memory = new KernelMemory();
  const random = new CounterRandom(5, 0);
  const owners = new Map<number, number>(); // place → bytes
  for (let step = 0; step < 1000; step++) {
    const places = [...owners.keys()];
    if (places.length > 20 || (places.length > 0 && random.residueAt(2 * step, 2) === 0)) {
      const at = places[random.residueAt(2 * step + 1, places.length)]!;
      expect(memory.u8(at, owners.get(at)!).every((byte) => byte === at % 251)).toBe(true);
      memory.release(at);
      owners.delete(at);
    } else {
      const bytes = 1 + random.residueAt(2 * step + 1, 5000);
      const at = memory.alloc(bytes);
      memory.u8(at, bytes).fill(at % 251);
      owners.set(at, bytes);
    }
  }
  for (const at of owners.keys()) memory.release(at);
  expect(memory.alloc(1)).toBe(CONTROL_BYTES);
});
