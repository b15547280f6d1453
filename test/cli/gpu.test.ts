/** `--device gpu` and auto: the same answers as the CPU's, and one clear line where there is no GPU. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createEngine, DeviceError, type Outcome, SparseMatrix } from '../../dist/src/index.js';
import { gpuMissing, SELDOM_POLLS } from '../gpu.js';
import { generated } from './generated.js';
import { run } from './run.js';

process.env['NODE_OPTIONS'] = SELDOM_POLLS;

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const ONE = '1 1 M\n1 1 1\n0 0 0\n';
const NO_DRIVER = { VK_ICD_FILENAMES: undefined, VK_DRIVER_FILES: undefined, VK_ADD_DRIVER_FILES: undefined };
const hasHardware = ['/dev/dri', '/dev/nvidiactl', '/dev/dxg'].some((path) => existsSync(path));

/** What an answer says beside where and how fast it was found. */
function sayings(json: string): object {
  const { seconds, device, adapter, threads, ...rest } = JSON.parse(json);
  return rest;
}

describe.skipIf(gpuMissing)('--device gpu', () => {
  test.each([
    ['rank --method wiedemann', ['ch', '5', '5', '2'], '65521'],
    ['rank --method wiedemann --block 2', ['ch', '4', '4', '2'], '3'], // GF(3^k): views of k coordinates
    ['rank --method wiedemann --block 2', ['kneser', '6', '2'], '2147483629'],
    ['rank --formula classical', ['mk', '9', '3'], '65521'],
    ['minpoly', ['trefethen', '60'], '65521'],
    ['minpoly', ['trefethen', '60'], '5'],
    ['det --method wiedemann', ['trefethen', '60'], '2147483647'],
    ['det --method wiedemann', ['pg', '7'], '7'],
    ['det --method hybrid', ['trefethen', '60'], '65521'],
    ['det --method hybrid', ['trefethen', '60'], '2'],
  ])('%s of %j mod %s: every word as the CPU says it', async (verb, words, p) => {
    const input = generated(...words);
    const ask = (device: string) =>
      run([...verb.split(' '), '-p', p, '--seed', '11', '--json', '--device', device], { input });
    const [cpu, gpu] = [await ask('cpu'), await ask('gpu')];
    expect(gpu).toMatchObject({ code: 0, stderr: '' });
    expect(sayings(gpu.stdout)).toEqual(sayings(cpu.stdout));
    expect(JSON.parse(gpu.stdout)).toMatchObject({ device: 'gpu', adapter: expect.stringMatching(/\w/) });
    expect(JSON.parse(cpu.stdout)).not.toHaveProperty('adapter');
  });

  test.each(['hybrid', 'wiedemann', 'auto'])('solve --method %s: the solution of the CPU', async (method) => {
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpu-'));
    const b = join(folder, 'b');
    writeFileSync(b, '1 2\n'.repeat(60));
    const input = generated('trefethen', '60');
    const ask = (device: string) =>
      run(['solve', '-', b, '-p', '65521', '--method', method, '--device', device], { input });
    const [cpu, gpu] = [await ask('cpu'), await ask('gpu')];
    expect(cpu).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(\d+ \d+\n){60}$/) });
    expect(gpu).toMatchObject({ code: 0, stdout: cpu.stdout });
    rmSync(folder, { recursive: true });
  });

  test('solve -p 0: the fractions that the CPU finds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpu-'));
    const b = join(folder, 'b');
    writeFileSync(b, '1\n'.repeat(60));
    const input = generated('trefethen', '60');
    const ask = (...device: string[]) => run(['solve', '-', b, '-p', '0', '--json', ...device], { input });
    const [cpu, gpu] = [await ask(), await ask('--device', 'gpu')];
    expect(gpu).toMatchObject({ code: 0, stderr: '' });
    const { solution, method, device, adapter } = JSON.parse(gpu.stdout);
    expect({ method, device, adapter }).toEqual({ method: 'numeric', device: 'gpu', adapter: expect.any(String) });
    expect(solution).toEqual(JSON.parse(cpu.stdout).solution);
    rmSync(folder, { recursive: true });
  });

  test('the line for a person names the adapter', async () => {
    const { stderr } = await run(['rank', '-p', '7', '--device', 'gpu'], { input: ONE });
    expect(stderr).toMatch(/ s on \S.* and 1 thread {3}seed \d+\n$/);
  });

  test('elimination says why threads take the dense rows', async () => {
    const words = ['rank', '-p', '65521', '--method', 'elimination', '--explain', '--device', 'gpu'];
    const { stdout, stderr } = await run(words, { input: generated('trefethen', '300') });
    expect(stdout).toBe('300\n');
    expect(stderr).toMatch(/^dense elimination of .* full, by threads: .* \(software\) is slower$/m);
  });

  test('the method is chosen by what is there, and --explain says so', async () => {
    const words = ['rank', '-p', '65521', '--explain', '--json', '--device', 'gpu'];
    const { stdout, stderr } = await run(words, { input: generated('ch', '6', '6', '4') });
    expect(JSON.parse(stdout)).toMatchObject({ rank: 3390, method: 'sparse-elimination', device: 'gpu' });
    expect(stderr).toMatch(/^elimination: .* s by elimination, .* by block Wiedemann, with .*oftware/m);
  });

  test('auto does not take a GPU in software', async () => {
    const { stdout } = await run(['rank', '-p', '65521', '--json'], { input: generated('ch', '5', '5', '3') });
    expect(JSON.parse(stdout).device).toBe('cpu');
  });

  test('an engine answers on it again and again, is cancelled, and ends', async () => {
    const engine = createEngine({ device: 'gpu' });
    const matrix = SparseMatrix.fromTriplets(3, 3, [
      [0, 0, 1],
      [1, 1, 2],
      [2, 2, 2],
    ]);
    const rank = (mod: number): Promise<Outcome<number>> => engine.rank(matrix, { mod, method: 'wiedemann' });
    expect((await rank(65521)).value).toBe(3);
    expect((await rank(2)).value).toBe(1);
    const n = 4000;
    const large = SparseMatrix.fromTriplets(
      n,
      n,
      Array.from({ length: n }, (_, i) => [i, (i * 7) % n, 1 + (i % 5)] as const),
    );
    const controller = new AbortController();
    const cancelled = engine.rank(large, {
      mod: 65521,
      method: 'wiedemann',
      signal: controller.signal,
      onProgress: ({ phase }) => {
        if (phase === 'sequence') controller.abort(new RangeError('enough'));
      },
    });
    await expect(cancelled).rejects.toThrow(new RangeError('enough'));
    expect(await rank(101)).toMatchObject({ value: 3, device: 'gpu' });
    await engine.dispose();
  });
});

describe.skipIf(gpuMissing)('a cancelled run on a GPU', () => {
  test('ends though its stream stands still', async () => {
    const engine = createEngine();
    const controller = new AbortController();
    async function* standing(): AsyncGenerator<Uint8Array> {
      yield new TextEncoder().encode('8 8 M\n1 1 1\n');
      await new Promise(() => {});
    }
    // The GPU is opened before the matrix is read.
    const run = engine.rank(standing(), { mod: 65521, gpus: 2, signal: controller.signal });
    setTimeout(() => controller.abort(new RangeError('enough')), 2000);
    await expect(run).rejects.toThrow(new RangeError('enough'));
    const patience = new Promise((resolve) => setTimeout(resolve, 150_000, 'still there').unref());
    expect(await Promise.race([engine.dispose(), patience])).toBeUndefined();
  });
});

describe.skipIf(gpuMissing)('a rank by --device gpu where the GPU may be hardware', () => {
  // The driver of the tests on a machine that shows a GPU, of which the driver might be another one.
  const shown = `
    import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const { existsSync } = fs;
    fs.existsSync = (path) => path === '/dev/nvidiactl' || existsSync(path);
    syncBuiltinESMExports();`;
  const nodeOptions = ['--import', `data:text/javascript,${encodeURIComponent(shown)}`];
  const env = { ...NO_DRIVER, VK_ADD_DRIVER_FILES: process.env['VK_ICD_FILENAMES'] };
  const words = ['rank', '-p', '65521', '--device', 'gpu', '--explain', '--json'];

  test('is by threads if they should be quicker, and says so', async () => {
    const { code, stdout, stderr } = await run(words, { input: generated('trefethen', '300'), nodeOptions, env });
    expect(code).toBe(0);
    const { rank, device, adapter } = JSON.parse(stdout);
    expect({ rank, device, adapter }).toEqual({ rank: 300, device: 'cpu', adapter: undefined });
    expect(stderr).toMatch(/^by threads: what is left should take [\d.]+ s there, [\d.]+ s on a GPU behind 0.7 s/m);
    expect(stderr).toMatch(/^a GPU was found in [\d.]+ s beside the run, and not opened$/m);
  });

  test('has no answer by threads without a GPU', async () => {
    const none = { ...env, VK_ADD_DRIVER_FILES: '/none.json', VK_ICD_FILENAMES: '/none.json' };
    const { code, stdout, stderr } = await run(words, { input: generated('trefethen', '300'), nodeOptions, env: none });
    expect([code, stdout]).toEqual([69, '']);
    expect(stderr).toMatch(/^rank: device gpu: no adapter was found$/m);
  });

  test('is by the GPU if a method is named', async () => {
    const named = [...words, '--method', 'elimination'];
    const { stdout, stderr } = await run(named, { input: generated('trefethen', '300'), nodeOptions, env });
    expect(JSON.parse(stdout)).toMatchObject({ rank: 300, device: 'gpu', adapter: expect.stringMatching(/\w/) });
    expect(stderr).toMatch(/: opened in [\d.]+ s$/m);
  });
});

describe('where there is no GPU', () => {
  test.skipIf(hasHardware)('exit 69 and one line; auto takes the CPU', async () => {
    const asked = await run(['rank', '-p', '7', '--device', 'gpu'], { input: ONE, env: NO_DRIVER });
    expect(asked).toEqual({
      code: 69,
      stdout: '',
      stderr: 'rank: device gpu: this machine shows no GPU and names no Vulkan driver\n',
    });
    expect(await run(['rank', '-p', '7', '--quiet'], { input: ONE, env: NO_DRIVER })).toMatchObject({ stdout: '1\n' });
  });

  test('without the package the line says which one to install', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-bare-'));
    try {
      cpSync(join(ROOT, 'dist/bin'), join(folder, 'dist/bin'), { recursive: true });
      cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
      mkdirSync(join(folder, 'node_modules'));
      for (const name of readdirSync(join(ROOT, 'node_modules'))) {
        if (name !== 'webgpu') symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
      }
      const cli = join(folder, 'dist/bin/cli.js');
      const env = { VK_ICD_FILENAMES: 'any.json' };
      const { code, stderr } = await run(['rank', '-p', '7', '--device', 'gpu'], { input: ONE, env, cli });
      expect(code).toBe(69);
      expect(stderr).toBe(
        'rank: device gpu: the package webgpu is not there; install it with: npm install webgpu@0.6\n',
      );
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('the class of the error crosses threads', () => {
    expect(new DeviceError('x')).toMatchObject({ name: 'DeviceError' });
  });
});
