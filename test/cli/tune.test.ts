/** `tune`: its table, its JSON, and the choice that it keeps for other verbs. */
import { mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gpuMissing } from '../gpu.js';
import { run } from './run.js';

const INPUT = '4 4 M\n1 1 1\n2 2 5\n3 1 -1\n3 2 7\n3 3 1\n4 4 7\n0 0 0\n';

const CACHE = mkdtempSync(join(tmpdir(), 'wiedemann-tune-'));
const env = { XDG_CACHE_HOME: CACHE };
afterAll(() => rmSync(CACHE, { recursive: true }));

test('tune prints a table of products by storage, width and threads', async () => {
  const words = ['tune', '-', '-p', '7', '--threads', '2', '--budget', '0.3'];
  const { stdout, stderr, code } = await run(words, { input: INPUT, env });
  expect(code).toBe(0);
  expect(stderr).toMatch(/^--storage [\w-]+ --threads [12] for 4 x 4 mod 7 {3}[\d.]+ s on up to 2 threads\n$/);
  const [head, ...lines] = stdout.trim().split('\n');
  expect(head!.split(/ {2,}/)).toEqual(['storage', 'width', 'threads', 'µs', 'Gop/s', 'repeats']);
  expect(lines.pop()).toMatch(/^not tried: /);
  const cells = lines.map((line) => line.trim().split(/ +/));
  expect(cells.map(([storage]) => storage)).toContain('auto');
  expect(new Set(cells.map(([, , threads]) => threads))).toEqual(new Set(['1', '2']));
});

test('tune --json has a number for each product', async () => {
  const words = ['tune', '-', '-p', '65537', '--threads', '1', '--budget', '0.2', '--json'];
  const { products, budget, expected } = JSON.parse((await run(words, { input: INPUT })).stdout);
  expect([budget, expected]).toEqual([0.2, null]);
  expect(products[0]).toMatchObject({ threads: 1 });
  expect(products[0].seconds).toBeGreaterThan(0);
});

test('a run that is too short is not tuned without a budget, and no choice is kept', async () => {
  const own = { XDG_CACHE_HOME: mkdtempSync(join(CACHE, 'short-')) };
  const words = ['tune', '-', '-p', '101', '--threads', '1'];
  const { stdout, stderr, code } = await run(words, { input: INPUT, env: own });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^not tuned: the run of rank should take [\d.e-]+ s, too short to be tuned; --budget S .*\n$/);
  expect(readdirSync(own.XDG_CACHE_HOME)).toEqual([]);
  const { products, budget, expected } = JSON.parse((await run([...words, '--json'], { input: INPUT })).stdout);
  expect([products, budget]).toEqual([[], 0]);
  expect(expected).toBeLessThan(10);
  await run([...words, '--budget', '0.05'], { input: INPUT, env: own });
  expect(readdirSync(join(own.XDG_CACHE_HOME, 'wiedemann', 'tune-2'))).toHaveLength(1);
});

test('the table ends with a line about what was not tried', async () => {
  const words = ['tune', '-', '-p', '101', '--threads', '1', '--budget', '0.05'];
  const last = (await run(words, { input: INPUT })).stdout.trim().split('\n').at(-1);
  expect(last).toMatch(/^not tried: .*\bcoo\b.* \(slower than csr wherever measured\); .*jit \(/);
});

test('tune has no primes beyond a word, and no budget that is nothing', async () => {
  expect((await run(['tune', '-', '-p', '2147483659'], { input: INPUT })).stderr).toContain('prime below 2^31');
  expect(await run(['tune', '-', '-p', '7', '--budget', '0'], { input: INPUT })).toMatchObject({ code: 2 });
});

test('tune has no device but auto, cpu and gpu', async () => {
  const { code, stderr } = await run(['tune', '-', '-p', '7', '--device', 'reference'], { input: INPUT });
  expect([code, stderr]).toEqual([2, expect.stringContaining("device: expected auto, cpu or gpu, got 'reference'")]);
});

test('tune says what runs should take by block shape', async () => {
  const n = 700; // a choice begins with 600 unknowns
  const input = `${n} ${n} M\n${Array.from({ length: n }, (_, i) => `${i + 1} ${i + 1} 2\n`).join('')}0 0 0\n`;
  // Far more seconds than it takes: no width is left untimed where the machine stands still for a while.
  const words = ['tune', '-', '-p', '65521', '--threads', '1', '--budget', '60'];
  const { stderr } = await run(words, { input });
  const shapes = '32x16 [\\d.e-]+ s, 16x8 [\\d.e-]+ s, 64x32 [\\d.e-]+ s';
  expect(stderr).toMatch(
    new RegExp(`^--block (32x16|16x8|64x32) for rank, of runs by block Wiedemann: ${shapes}$`, 'm'),
  );
  const { runs } = JSON.parse((await run([...words, '--json'], { input })).stdout);
  expect(runs.map((each: { block: number[] }) => each.block.join('x'))).toEqual(['32x16', '16x8', '64x32']);
  for (const { seconds } of runs) expect(seconds).toBeGreaterThan(0);
});

test.skipIf(gpuMissing)('tune times the products of a GPU', async () => {
  const { stdout } = await run(['tune', '-', '-p', '7', '--device', 'gpu', '--budget', '0.2', '--json'], {
    input: INPUT,
  });
  const { device, adapter, options, products } = JSON.parse(stdout);
  expect([device, adapter]).toEqual(['gpu', expect.stringContaining('SwiftShader')]);
  expect(options).toEqual({ device: 'gpu', storage: expect.any(String) });
  expect(products[0].seconds).toBeGreaterThan(0);
});

test('rank uses the choice that tune has kept, says so, and ignores a torn one', async () => {
  const folder = join(CACHE, 'wiedemann', 'tune-2');
  const ask = async (...words: string[]) => {
    const asked = ['rank', '-', '-p', '101', '--threads', '1', '--method', 'wiedemann', '--explain', ...words];
    const { stdout, stderr } = await run(asked, { input: INPUT, env });
    expect(stdout).toBe('4\n');
    return stderr;
  };
  expect(await ask()).not.toContain('tuned');
  await run(['tune', '-', '-p', '101', '--threads', '1', '--budget', '0.05'], { input: INPUT, env });
  const said = await ask();
  expect(said).toMatch(
    /^tuned: storage [\w-]+, threads 1, as was kept for cpu .*, threads 1, bits|^tuned: .*, p 101, /m,
  );
  expect(said).toMatch(/^storage +width +threads +µs +Gop\/s +repeats$/m);
  expect(await ask('--no-tune')).not.toContain('tuned');
  const [name] = readdirSync(folder).filter((name) => name.includes('p-101'));
  truncateSync(join(folder, name!), 30);
  expect(await ask()).toContain('tuned: a choice that was kept is damaged or of another version, and dropped\n');
  expect(readdirSync(folder)).not.toContain(name);
});

test('tune answers where its choice cannot be kept, and says so', async () => {
  const words = ['tune', '-', '-p', '7', '--threads', '1', '--budget', '0.05'];
  const { stderr, code } = await run(words, { input: INPUT, env: { XDG_CACHE_HOME: '/dev/null' } });
  expect(code).toBe(0);
  expect(stderr).toMatch(/\nwarning: the choice is not kept: ENOTDIR.*\n$/);
});
