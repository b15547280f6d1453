/** Rows of the matrix on several GPUs: the answers of one device, budgets, and processes that are lost. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, type ProgressEvent, SparseMatrix } from '../../dist/src/index.js';
import { gpuMissing, SELDOM_POLLS, testGpu } from '../gpu.js';
import { endingAt } from './ending-at.js';
import { generated } from './generated.js';
import { gpuProcesses, marked, until } from './gpu-processes.js';
import { type Ended, run } from './run.js';

process.env['NODE_OPTIONS'] = SELDOM_POLLS;

const software = gpuMissing === null && (await testGpu()).software;
if (gpuMissing === null && !software)
  console.warn('rows by --gpus are not tested: the tests are for a GPU in software');

let folder = '';
const path = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpu-rows-'));
  writeFileSync(path('trefethen.sms'), generated('trefethen', '200'));
  writeFileSync(path('b'), Array.from({ length: 200 }, (_, i) => `${i % 17} ${i % 5}\n`).join(''));
  writeFileSync(path('wide.sms'), generated('random', '200', '320', '8', '2', '1'));
  writeFileSync(path('pg.sms'), generated('pg', '7'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.skipIf(!software)('rows on several GPUs', () => {
  test.each(['2', '65521'])('a system mod %s: every word of one device', async (p) => {
    const ask = (...more: string[]): Promise<Ended> =>
      run(['solve', path('trefethen.sms'), path('b'), '-p', p, '-q', '--seed', '3', '--inconsistency', '-', ...more]);
    const one = await ask('--method', 'lanczos', '--device', 'cpu');
    expect(await ask('--gpus', '3')).toEqual(one);
  });

  test.each([
    ['5', 'wiedemann'],
    ['2147483629', 'hybrid'],
  ])('a system mod %s by %s: columns, and the words of one device', async (p, method) => {
    const words = ['solve', path('trefethen.sms'), path('b'), '-p', p, '-q', '--method', method];
    const one = await run([...words, '--device', 'cpu']);
    expect(one.code).toBe(0);
    expect(await run([...words, '--gpus', '2'])).toEqual(one);
  });

  test('kernel vectors mod 7, more GPUs than some matrices have rows for', async () => {
    const words = ['nullspace', path('pg.sms'), '-p', '7', '-q', '--seed', '3', '--vectors', '5'];
    const one = await run([...words, '--method', 'lanczos', '--device', 'cpu']);
    expect(one.code).toBe(0);
    expect(await run([...words, '--gpus', '4'])).toEqual(one);
  });

  test('a basis of the kernel mod 7', async () => {
    const words = ['nullspace', path('pg.sms'), '-p', '7', '-q'];
    const one = await run([...words, '--method', 'lanczos', '--device', 'cpu']);
    expect(one.stdout).toMatch(/^28 57 M\n/); // the rank is 29
    expect(await run([...words, '--gpus', '2'])).toEqual(one);
  });

  test('a kept run goes on from two GPUs to the threads', async () => {
    const words = ['nullspace', path('pg.sms'), '-p', '7', '-q', '--seed', '3', '--vectors', '5'];
    const kept = [...words, '--run', path('kept'), '--checkpoint-interval', '0'];
    const nodeOptions = endingAt('SIGTERM', 12, '-lanczos-');
    expect(await run([...kept, '--gpus', '2'], { nodeOptions })).toMatchObject({ code: 75, stdout: '' });
    const one = await run([...words, '--method', 'lanczos', '--device', 'cpu']);
    expect(await run([...kept, '--device', 'cpu'])).toEqual(one);
  });

  test.each([
    ['block Wiedemann, by name', 'columns', ['--method', 'wiedemann'], 'trefethen.sms', '65521', '-blocks-'],
    ['block Lanczos, by choice', 'rows', [], 'wide.sms', '2', '-lanczos-'],
  ])('a kept system that was begun by %s: GPUs share %s', async (_, shared, method, a, p, files) => {
    const words = ['solve', path(a), path('b'), '-p', p, '--seed', '3', '--explain'];
    const kept = [...words, '--run', path(shared), '--checkpoint-interval', '0'];
    const nodeOptions = endingAt('SIGKILL', 8, files);
    expect((await run([...kept, ...method, '--threads', '1'], { nodeOptions })).code).toBeNull();
    // Without a name it goes on with the method of the run.
    const { code, stdout, stderr } = await run([...kept, '--gpus', '2']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(new RegExp(`^gpus: ${shared} on 2, `, 'm'))]);
    const known = await run([...words.slice(0, -1), '-q', '--method', shared === 'rows' ? 'lanczos' : 'wiedemann']);
    expect([stdout, known.code]).toEqual([known.stdout, 0]);
  });

  test('a kept system whose first start took an elimination: it takes one again', async () => {
    const words = ['solve', path('trefethen.sms'), path('b'), '-p', '65521', '--run', path('short'), '--explain'];
    const nodeOptions = endingAt('SIGKILL', 6, 'way');
    expect((await run(words, { nodeOptions })).code).toBeNull();
    const { code, stdout, stderr } = await run([...words, '--gpus', '2']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^elimination: as before$/m)]);
    expect(stdout).toBe((await run([...words.slice(0, -3), '-q'])).stdout);
  });

  test('a matrix that the budget of one GPU refuses, and two answer', async () => {
    const ask = (...more: string[]): Promise<Ended> =>
      run(['rank', path('trefethen.sms'), '-p', '65521', '--seed', '3', '--explain', ...more]);
    const budget = ['--max-gpu-memory', '45K'];
    const refused = await ask('--gpus', '1', ...budget);
    expect(refused).toMatchObject({ code: 70, stdout: '' });
    expect(refused.stderr).toMatch(/^rank: maxGpuMemory: the matrix takes about [\d.]+ MB, allowed are 0.044\n$/);
    const answered = await ask('--gpus', '2', ...budget);
    expect(answered).toMatchObject({ code: 0, stdout: '200\n' });
    expect(answered.stderr).toMatch(
      /^gpus: rows on 2, about [\d.]+ MB on each: the matrix takes about [\d.]+, allowed are 0.044\n/m,
    );
    const [, ...rows] = /^gpus: of the rows (\d+), (\d+), by the times of products$/m.exec(answered.stderr)!;
    expect(Number(rows[0]) + Number(rows[1])).toBeGreaterThanOrEqual(200);
    expect(answered.stderr).toMatch(/proved .* on 2 x .*SwiftShader/);
    // What pivots leave is on each GPU or on none.
    const byPivots = await ask('--gpus', '2', ...budget, '--method', 'hybrid');
    expect(byPivots).toMatchObject({ code: 70, stdout: '' });
    expect(byPivots.stderr).toMatch(
      /^rank: maxGpuMemory: method hybrid takes about [\d.]+ MB on each GPU, allowed are 0.044; method wiedemann cuts rows\n$/,
    );
    // With room for all of it columns are shared.
    const roomy = await ask('--gpus', '2', '--max-gpu-memory', '20M');
    expect(roomy).toMatchObject({ code: 0, stdout: '200\n' });
    expect(roomy.stderr).toMatch(
      /^gpus: columns on 2, the whole matrix on each: of about [\d.]+ MB 20 are allowed; rows would send every block/m,
    );
    // What a GPU holds is counted, not estimated alone.
    const alone = await ask('--device', 'gpu', '--method', 'wiedemann', ...budget);
    expect(alone).toMatchObject({ code: 70, stdout: '' });
    expect(alone.stderr).toMatch(/^rank: device gpu: [\d.]+ MB needed on .*, allowed are 0.044\n$/);
  });

  test('a kept rank by rows, stopped, goes on by rows, and ends on one thread', async () => {
    const here = path('kept-rank');
    const words = ['rank', path('trefethen.sms'), '-p', '65521', '--block', '2x1', '--seed', '3', '--json'];
    const kept = [...words, '--run', here, '--checkpoint-interval', '0'];
    const done: number[] = [];
    for (const _ of [1, 2]) {
      const nodeOptions = endingAt('SIGTERM', 12, '-blocks-');
      const stopped = await run([...kept, '--gpus', '2', '--max-gpu-memory', '45K'], { nodeOptions });
      expect(stopped).toMatchObject({ code: 75, stdout: '' });
      done.push(JSON.parse(readFileSync(join(here, 'progress.json'), 'utf8')).done);
    }
    expect(done[0]).toBeGreaterThan(0);
    expect(done[1]).toBeGreaterThan(done[0]!);
    // One sequence: GPUs that share columns keep a part each.
    expect(readdirSync(here).filter((name) => name.includes('-part-'))).toEqual([]);
    const { code, stdout } = await run([...kept, '--method', 'wiedemann', '--threads', '1']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { rank: 200, lowerBound: 200, device: 'cpu' }]);
  });

  /** Many short steps. */
  const n = 8000;
  const entries = Array.from({ length: n }, (_, i): [number, number, number] => [i, (i * 7) % n, 1 + (i % 5)]);

  test.each([
    ['nullspace', '-', '--vectors', '1'],
    ['solve', '-', 'ones'],
    ['rank', '-', '--method', 'wiedemann', '--max-gpu-memory', '600K'],
  ])('%s: a process that dies ends the run with exit 69 and one line', async (verb, ...asked) => {
    const lines = entries.map(([i, j, value]) => `${i + 1} ${j + 1} ${value}\n`);
    writeFileSync(path('ones'), '1\n'.repeat(n));
    const words = [
      verb,
      ...asked.map((word) => (word === 'ones' ? path(word) : word)),
      '-p',
      '65521',
      '-q',
      '--gpus',
      '2',
    ];
    let hasEnded = false;
    const input = `${n} ${n} M\n${lines.join('')}0 0 0\n`;
    const ended = run(words, { input, env: marked('rows') }).finally(() => {
      hasEnded = true;
    });
    while (gpuProcesses('rows').length < 2 && !hasEnded) await new Promise((resolve) => setTimeout(resolve, 50));
    process.kill(gpuProcesses('rows')[0]!, 'SIGKILL');
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 69, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^${verb}: device gpu: process \\d of 2 ended: SIGKILL\\n$`));
    await until(() => gpuProcesses('rows').length === 0);
  });

  test('a process that dies between two steps, by the library', async () => {
    Object.assign(process.env, marked('steps'));
    const matrix = SparseMatrix.fromTriplets(n, n, entries);
    let killed: number | undefined;
    const onProgress = ({ phase, done }: ProgressEvent): void => {
      if (phase !== 'sequence' || done === 0 || killed !== undefined) return;
      killed = gpuProcesses('steps')[0]!;
      process.kill(killed, 'SIGKILL');
    };
    const engine = createEngine();
    const asked = engine.nullspace(matrix, { mod: 65521, gpus: 2, vectors: 1, onProgress });
    await expect(asked).rejects.toThrow(/^device gpu: process \d of 2 ended: SIGKILL$/);
    expect(killed).toBeDefined();
    await engine.dispose();
    delete process.env['MARK'];
  });
});

describe('wrong usage', () => {
  const ONE = '1 1 M\n1 1 1\n0 0 0\n';
  test.each([
    [
      ['nullspace', '--gpus', '2', '--method', 'elimination', '--vectors', '1'],
      "gpus 2: expected method lanczos, got 'elimination'",
    ],
    [
      ['solve', '-', 'b', '--gpus', '2', '--max-gpu-memory', '1G', '--method', 'hybrid'],
      "gpus 2: expected method lanczos, got 'hybrid'",
    ],
    [['rank', '--max-gpu-memory', '1G'], "maxGpuMemory: expected device gpu, got 'auto'"],
    [
      ['rank', '--gpus', '1', '--max-gpu-memory', '1X'],
      '--max-gpu-memory: expected bytes, such as 500M, 2G (2GiB) or 2GB, got 1X',
    ],
    [['det', '--max-gpu-memory', '1G'], "maxGpuMemory: expected device gpu, got 'auto'"],
    [
      ['minpoly', '--gpus', '2', '--max-gpu-memory', '1G'],
      'gpus 2: expected no maxGpuMemory: of a minpoly no rows are shared',
    ],
  ])('%j', async (words, line) => {
    const given = words.map((word) => (word === 'b' ? path(word) : word));
    const { code, stdout, stderr } = await run([...given, '-p', '7'], { input: ONE });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(line);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
