/** `--gpus N`: the answer of one device, whatever becomes of the processes one line, and none of them left behind. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { StoppedError } from '../../algorithms/checkpoint/store.js';
import { WordPrime } from '../../dist/fields/word-prime.js';
import { startGpuProcesses as inBrowser } from '../../dist/src/gpus/processes.browser.js';
import { placesOf } from '../../dist/src/gpus/processes.node.js';
import { RemoteProcess } from '../../dist/src/gpus/remote-process.node.js';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { gpuMissing, testGpu } from '../gpu.js';
import { generated } from './generated.js';
import { gpuProcesses, marked, until } from './gpu-processes.js';
import { type Ended, run } from './run.js';

const software = gpuMissing === null && (await testGpu()).software;
if (gpuMissing === null && !software) console.warn('--gpus is not tested: these tests are for a GPU in software');

/** What an answer says beside where and how fast it was found. */
function sayings(json: string): object {
  const { seconds, device, adapter, threads, ...rest } = JSON.parse(json);
  return rest;
}

/** A run of many short steps, and what is done to it once its processes with a GPU are at work. */
async function disturbed(mark: string, disturb: (kill: (signal: NodeJS.Signals) => void) => void): Promise<Ended> {
  const n = 8000;
  const entries = Array.from({ length: n }, (_, i) => `${i + 1} ${((i * 7) % n) + 1} ${1 + (i % 5)}\n`);
  const input = `${n} ${n} M\n${entries.join('')}0 0 0\n`;
  let kill: (signal: NodeJS.Signals) => void = () => {};
  const taken = (given: typeof kill): void => {
    kill = given;
  };
  const ended = run(['rank', '-p', '65521', '--gpus', '2', '--block', '4'], { input, taken, env: marked(mark) });
  await until(() => gpuProcesses(mark).length === 2);
  await new Promise((resolve) => setTimeout(resolve, 1500));
  disturb(kill);
  return ended;
}

describe.skipIf(!software)('--gpus', () => {
  // Narrow blocks have smaller shaders, which a device in software compiles in every process.
  test.each([
    ['1', ['ch', '4', '4', '1'], '65521', ['--method', 'wiedemann']],
    ['2', ['ch', '4', '4', '2'], '65521', ['--block', '3']],
    ['2', ['mk', '9', '3'], '65521', ['--at-least', '50', '--block', '2']], // ended while the processes are ahead
    ['3', ['ch', '3', '3', '1'], '65521', ['--block', '2']], // more processes than columns
    ['2', ['ch', '4', '4', '2'], '3', ['--block', '2']], // GF(3^k)
    ['2', ['kneser', '5', '2'], '2147483629', ['--block', '5', '--self-checks']],
    ['2', ['ch', '4', '4', '2'], '0', ['--block', '2']], // over Q: two primes, one after another
    // By choice on what pivots leave, of rank 23, and where they are all there is.
    ['2', ['random', '90', '60', '8', '65521', '1'], '65521', []],
    ['1', ['ch', '4', '4', '2'], '65521', []],
    // On what pivots leave: 87 x 402 of rank 17, and 53 x 23.
    ['2', ['mk', '9', '3'], '65521', ['--method', 'hybrid', '--block', '2']],
    ['2', ['random', '90', '60', '8', '3', '1'], '3', ['--method', 'hybrid', '--block', '2']],
    ['1', ['random', '90', '60', '8', '2147483629', '1'], '2147483629', ['--method', 'hybrid', '--block', '5']],
  ])('%s for %j mod %s, %j: every word as one device says it', async (gpus, words, p, options) => {
    const input = generated(...words);
    const ask = (...more: string[]): Promise<Ended> =>
      run(['rank', '-p', p, '--seed', '11', '--json', ...options, ...more], { input });
    // A block is for the matrix itself, where threads say the same; on what pivots leave they have other choices.
    const isWhole = options.includes('wiedemann') || (options.includes('--block') && !options.includes('hybrid'));
    const method = options.includes('--method') ? [] : ['--method', isWhole ? 'wiedemann' : 'hybrid'];
    const one = await ask('--device', isWhole ? 'cpu' : 'gpu', ...method);
    const several = await ask('--gpus', gpus);
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(several).toMatchObject({ code: 0, stderr: '' });
    expect(sayings(several.stdout)).toEqual(sayings(one.stdout));
    const { name } = await testGpu();
    expect(JSON.parse(several.stdout)).toMatchObject({ device: 'gpu', adapter: `${gpus} x ${name}` });
  });

  test.each([
    ['2', 'minpoly', ['ex', '1'], '2', ['--self-checks']], // elements of eight coordinates
    ['3', 'minpoly', ['trefethen', '60'], '7', []],
    ['2', 'minpoly', ['trefethen', '60'], '2147483629', ['--reorder', 'rcm']],
    ['2', 'det', ['ex', '1'], '65521', ['--method', 'wiedemann']], // singular
    ['2', 'det', ['trefethen', '60'], '2', ['--method', 'wiedemann', '--self-checks']],
    ['2', 'det', ['trefethen', '60'], '7', ['--method', 'hybrid']],
    ['1', 'det', ['trefethen', '60'], '2147483629', ['--method', 'hybrid', '--self-checks']],
  ])('%s for %s of %j mod %s, %j: every word as threads say it', async (gpus, verb, words, p, options) => {
    const input = generated(...words);
    const ask = (...more: string[]): Promise<Ended> =>
      run([verb, '-p', p, '--seed', '11', '--json', ...options, ...more], { input });
    const [one, several] = [await ask('--device', 'cpu'), await ask('--gpus', gpus)];
    expect([one, several]).toMatchObject([
      { code: 0, stderr: '' },
      { code: 0, stderr: '' },
    ]);
    expect(sayings(several.stdout)).toEqual(sayings(one.stdout));
    const { name } = await testGpu();
    expect(JSON.parse(several.stdout)).toMatchObject({ device: 'gpu', adapter: `${gpus} x ${name}` });
  });

  test.each([
    ['65521', /\nblock Wiedemann on the implicit \d+ x \d+ Schur complement\ngpus: columns on 2/],
    ['0', /\nthe rest from \d+ primes\ndeterminant .* on 2 x /],
  ])('a determinant mod %s by choice: no elimination', async (p, explained) => {
    const input = generated('trefethen', '30');
    const ask = (...more: string[]): Promise<Ended> => run(['det', '-p', p, '--explain', ...more], { input });
    const [one, several] = [await ask(), await ask('--gpus', '2')];
    expect([several.code, several.stdout]).toEqual([0, one.stdout]);
    expect(several.stderr).toMatch(explained);
  });

  test('a process that dies ends the run with exit 69 and one line', async () => {
    const killed = await disturbed('killed', () => process.kill(gpuProcesses('killed')[0]!, 'SIGKILL'));
    expect(killed).toEqual({ code: 69, stdout: '', stderr: 'rank: device gpu: process 1 of 2 ended: SIGKILL\n' });
    await until(() => gpuProcesses('killed').length === 0);
  });

  test('an interrupt ends the processes too', async () => {
    const { code, ...said } = await disturbed('interrupted', (kill) => kill('SIGINT'));
    expect(said).toEqual({ stdout: '', stderr: 'rank: interrupted\n' });
    // None where the signal itself ends it, since a thread is in a call of the GPU's driver: a shell says 130 of both.
    expect([130, null]).toContain(code);
    await until(() => gpuProcesses('interrupted').length === 0);
  });

  test('no process outlives the program that started it', async () => {
    expect(await disturbed('orphan', (kill) => kill('SIGKILL'))).toMatchObject({ code: null });
    await until(() => gpuProcesses('orphan').length === 0);
  });
});

/** That a shell has written there; 0 before. */
const numberIn = (file: string): number => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);

describe('--gpus where it cannot be', () => {
  const ONE = '1 1 M\n1 1 1\n0 0 0\n';
  test.each([
    [['--gpus', '0'], 'gpus: expected an integer from 1 to 64, got 0'],
    [['--gpus', 'two'], '--gpus: expected an integer in decimal digits, got two'],
    [['--gpus', '2', '--device', 'cpu'], "gpus 2: expected device gpu, got 'cpu'"],
    [['--gpus', '2', '--method', 'elimination'], "gpus 2: expected method auto, hybrid, wiedemann, got 'elimination'"],
    [['--gpus', '2', '--formula', 'classical'], "gpus 2: expected formula shifted, got 'classical'"],
    [['--gpus', '2', '-p', '2147483659'], 'gpus: expected a prime below 2^31, got 2147483659'],
    [
      ['--gpus', '2', '--method', 'elimination'],
      "gpus 2: expected method auto, hybrid, wiedemann, got 'elimination'",
      'det',
    ],
    [['--gpus', '2', '-p', '7,11'], '--gpus: expected one matrix and one modulus, got several', 'det'],
    [['--gpus', '2', '--storage', 'csr'], "gpus 2: expected storage auto, got 'csr'", 'minpoly'],
  ])('%j', async (options, line, verb = 'rank') => {
    const { code, stdout, stderr } = await run([verb, '-p', '7', ...options], { input: ONE });
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `${verb}: ${line}\n` });
  });

  test('fewer GPUs than are asked for, and one that cannot be told from another', () => {
    const [a, b, c] = ['0000:06:00.0', '0000:07:00.0', '0000:08:00.0'].map((bus, minor) => ({ bus, minor }));
    const own = (bus: string | null) => ({ name: 'NVIDIA H200', software: false, bus });
    expect(placesOf(3, own(b!.bus), [a!, b!, c!])).toEqual([b!.bus, a!.bus, c!.bus]);
    expect(() => placesOf(4, own(b!.bus), [a!, b!, c!])).toThrow('gpus 4: this machine has 3');
    expect(() => placesOf(2, own(null), [])).toThrow(/^gpus 2: NVIDIA H200 cannot be told from another/);
  });

  const BUS = '0000:07:00.0';
  const says = (message: object): string[] => [
    process.execPath,
    ...['-e', `process.send(${JSON.stringify(message)}); setInterval(() => {}, 1000)`],
  ];
  test.each([
    ['that cannot be started', ['/nowhere/unshare'], 'could not be started: spawn /nowhere/unshare ENOENT'],
    [
      'that may not hide anything',
      ['sh', '-c', 'echo "unshare: not permitted" >&2; exit 1'],
      'ended: unshare: not permitted',
    ],
    ['that ends without a word', ['sh', '-c', 'exit 3'], 'ended: exit 3'],
    ['that fails', [process.execPath, '-e', 'throw new RangeError("too much")'], 'ended: RangeError: too much'],
  ])('a process %s', async (_, command, how) => {
    const made = new RemoteProcess('the process', BUS, command);
    await expect(made.start(undefined as never)).rejects.toThrow(new DeviceError(`device gpu: the process ${how}`));
    await made.end();
  });

  test.each([
    ['another GPU', { kind: 'ready', name: 'NVIDIA', software: false, bus: '0000:06:00.0' }, '0000:06:00.0'],
    ['one that cannot be told', { kind: 'ready', name: 'NVIDIA', software: false, bus: null }, 'NVIDIA'],
    ['one in software', { kind: 'ready', name: 'SwiftShader', software: true, bus: null }, 'SwiftShader'],
  ])('a process that has opened %s', async (_, message, instead) => {
    const made = new RemoteProcess('the process', BUS, says(message));
    const held = made.hold(
      { rows: 0, cols: 0, rowPtr: new Uint32Array(1), colIdx: new Uint32Array(), values: new Uint32Array() },
      WordPrime.of(7),
    );
    await expect(held).rejects.toThrow(`gpus: the process has opened ${instead} instead`);
    await made.end();
  });

  test.each([
    [
      'fails',
      `process.send({ kind: 'failure', error: { name: 'MemoryError', message: 'no room' } })`,
      'the process: no room',
    ],
    ['ends', 'process.exit(3)', 'device gpu: the process ended: exit 3'],
  ])('a process that %s before it has read its matrix', async (_, then, message) => {
    const ready = { kind: 'ready', name: 'NVIDIA', software: false, bus: BUS };
    const code = `process.send(${JSON.stringify(ready)}); process.on('message', () => ${then})`;
    const made = new RemoteProcess('the process', BUS, [process.execPath, '-e', code]);
    const words = new Uint32Array(2 ** 22);
    const held = made.hold(
      { rows: 0, cols: 0, rowPtr: new Uint32Array(1), colIdx: words, values: words },
      WordPrime.of(7),
    );
    await expect(held).rejects.toThrow(message);
    await made.end();
  });

  test('a process that is ended writes no more once that is waited for', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-ended-'));
    const file = join(folder, 'pid');
    const made = new RemoteProcess('the process', BUS, ['sh', '-c', `echo $$ > ${file}; exec sleep 60`]);
    await until(() => numberIn(file) > 0);
    expect(await made.end()).toBeNull();
    expect(() => process.kill(numberIn(file), 0)).toThrow('ESRCH');
    rmSync(folder, { recursive: true });
  });

  test('a process that does not end is not waited for without a limit', async () => {
    // Its end is seen when nobody has its stderr any more.
    const folder = mkdtempSync(join(tmpdir(), 'wiedemann-unended-'));
    const file = join(folder, 'pid');
    const command = ['sh', '-c', `sleep 60 & echo $! > ${file}; exec sleep 60`];
    const made = new RemoteProcess('the process', BUS, command);
    await until(() => numberIn(file) > 0);
    expect(await made.end(0.1)).toMatch(/^gpus: the process \(number \d+\) has not ended 0\.1 s after SIGKILL$/);
    process.kill(numberIn(file), 'SIGKILL');
    expect(await made.end()).toBeNull();
    rmSync(folder, { recursive: true });
  });

  test.each(['SIGTERM', 'SIGUSR1', 'SIGKILL'])('%s before signals are caught', async (signal) => {
    const command = ['sh', '-c', `kill -${signal.slice(3)} $$`];
    const [kept, other] = [true, false].map((isKept) => new RemoteProcess('the process', BUS, command, null, isKept));
    const lost = new DeviceError(`device gpu: the process ended: ${signal}`);
    await expect(other!.start(undefined as never)).rejects.toThrow(lost);
    await expect(kept!.start(undefined as never)).rejects.toThrow(signal === 'SIGKILL' ? lost : new StoppedError());
  });

  test('a page', () => {
    expect(() => inBrowser(2)).toThrow('gpus: a page has one GPU, 2 were asked for');
    expect(new DeviceError('x').name).toBe('DeviceError');
  });
});
