/** `tune`: its table and its JSON. */
import { expect, test } from 'vitest';
import { gpuMissing } from '../gpu.js';
import { run } from './run.js';

const INPUT = '4 4 M\n1 1 1\n2 2 5\n3 1 -1\n3 2 7\n3 3 1\n4 4 7\n0 0 0\n';

test('tune prints a table of products by storage, width and threads', async () => {
  const { stdout, code } = await run(['tune', '-', '-p', '7', '--threads', '2', '--budget', '0.3'], { input: INPUT });
  expect(code).toBe(0);
  const [, head, ...lines] = stdout.trim().split('\n');
  expect(head!.split(/ {2,}/)).toEqual(['storage', 'width', 'threads', 'µs', 'Gop/s', 'repeats']);
  const cells = lines.map((line) => line.trim().split(/ +/));
  expect(cells.map(([storage]) => storage)).toContain('auto');
  expect(new Set(cells.map(([, , threads]) => threads))).toEqual(new Set(['1', '2']));
});

test('tune --json has a number for each product', async () => {
  const { stdout } = await run(['tune', '-', '-p', '65537', '--threads', '1', '--json'], { input: INPUT });
  const { products, budget } = JSON.parse(stdout);
  expect(budget).toBe(0.2);
  expect(products[0]).toMatchObject({ threads: 1 });
  expect(products[0].seconds).toBeGreaterThan(0);
});

test('tune has no primes beyond a word, and no budget that is nothing', async () => {
  expect((await run(['tune', '-', '-p', '2147483659'], { input: INPUT })).stderr).toContain('prime below 2^31');
  expect(await run(['tune', '-', '-p', '7', '--budget', '0'], { input: INPUT })).toMatchObject({ code: 2 });
});

test('tune has no device but cpu and gpu', async () => {
  const { code, stderr } = await run(['tune', '-', '-p', '7', '--device', 'tpu'], { input: INPUT });
  expect([code, stderr]).toEqual([2, expect.stringContaining('--device: expected cpu or gpu, got tpu')]);
});

test.skipIf(gpuMissing)('tune times the products of a GPU', async () => {
  const { stdout } = await run(['tune', '-', '-p', '7', '--device', 'gpu', '--json'], { input: INPUT });
  const { device, products } = JSON.parse(stdout);
  expect(device).toMatch(/^gpu: /);
  expect(products[0].seconds).toBeGreaterThan(0);
});
