/** `--gpus N --run DIR`: each process keeps its columns; whatever ends the run, the same command goes on. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { gpuMissing, SELDOM_POLLS, testGpu } from '../gpu.js';
import { generated } from './generated.js';
import { gpuProcesses, until } from './gpu-processes.js';
import { type Ended, run } from './run.js';

const software = gpuMissing === null && (await testGpu()).software;
if (gpuMissing === null && !software) console.warn('--gpus --run is not tested: these tests are for a GPU in software');

process.env['NODE_OPTIONS'] = SELDOM_POLLS;
const SIZE = 1000;
const RANK = SIZE - 5;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-gpus-'));
  // A permutation with weights, without five of its rows.
  const entries = Array.from({ length: RANK }, (_, i) => `${i + 1} ${((i * 7) % SIZE) + 1} ${1 + (i % 5)}\n`);
  writeFileSync(join(folder, 'a.sms'), `${SIZE} ${SIZE} M\n${entries.join('')}1 2 1\n0 0 0\n`);
  writeFileSync(join(folder, 'ex.sms'), generated('ex', '2')); // of rank 553, and 287 without its pivots
});
afterAll(() => rmSync(folder, { recursive: true }));

const dirOf = (name: string): string => join(folder, name);

function words(name: string, file: string, ...more: string[]): string[] {
  const kept = ['--run', dirOf(name), '--checkpoint-interval', '0'];
  return ['rank', join(folder, file), '-p', '65521', '--block', '4', '--seed', '7', '-q', ...kept, ...more];
}

const piecesOf = (name: string, share: string): number =>
  readdirSync(dirOf(name)).filter((each) => each.startsWith(`attempt-1-part-${share}-blocks-`)).length;

const keptOf = (name: string): number[] => ['0000', '0001'].map((share) => piecesOf(name, share));

/**
 * Node's options by which a process with a GPU does `what` once it has kept its first piece, of `share`. It goes on
 * behind that only, so that a busy machine misses no moment.
 */
function withPiece(name: string, what: string): string {
  const text = `
    import fs from 'node:fs';
    const { rename } = fs.promises;
    const wait = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    const isOf = (share) => (file) => file.startsWith('attempt-1-part-' + share + '-blocks-');
    const pieces = (share) => fs.readdirSync(${JSON.stringify(dirOf(name))}).filter(isOf(share)).length;
    let isFirst = true;
    if (process.argv[1]?.endsWith('process.node.js')) {
      fs.promises.rename = async (from, to) => {
        await rename(from, to);
        const share = /part-(\\d+)-blocks-[^/]*$/.exec(to)?.[1];
        if (share === undefined || !isFirst) return;
        isFirst = false;
        ${what}
      };
    }`;
  return `${SELDOM_POLLS} --import data:text/javascript,${encodeURIComponent(text)}`;
}

describe.skipIf(!software)('a kept run of several GPUs', () => {
  test.each([
    ['wiedemann', 'a.sms', [], RANK],
    ['hybrid', 'ex.sms', ['--method', 'hybrid'], 553],
  ])('by %s: one of two dies, stopped on one, and ended on threads', async (name, file, method, rank) => {
    const asked = words(name, file, ...method);
    const ask = async (gpus: string, what: string): Promise<Ended> => {
      const ended = await run([...asked, '--gpus', gpus], { env: { MARK: name, NODE_OPTIONS: withPiece(name, what) } });
      await until(() => gpuProcesses(name).length === 0);
      return ended;
    };
    // One dies when the other has a piece, too.
    const dies = `while (pieces('0000') === 0) wait(20); process.kill(process.pid, 'SIGKILL');`;
    const dead = await ask('2', `if (share === '0001') { ${dies} }`);
    expect(dead).toMatchObject({ code: 69, stdout: '' });
    expect(dead.stderr).toMatch(/^rank: device gpu: process \d of 2 ended: SIGKILL\n$/);
    const first = keptOf(name);

    const stderr = 'rank: stopped at a checkpoint; the same command goes on\n';
    const stopped = await ask('1', "process.kill(process.ppid, 'SIGTERM'); wait(1000);");
    expect(stopped).toEqual({ code: 75, stdout: '', stderr });
    expect(Math.max(...keptOf(name).map((pieces, share) => pieces - first[share]!))).toBeGreaterThan(0);
    const status = JSON.parse((await run(['status', dirOf(name), '--json'])).stdout);
    const phase = expect.stringMatching(/^(sequence|sigmaBasis)$/);
    const progress = { phase, attempt: 1, done: expect.any(Number), total: expect.any(Number) };
    expect(status).toMatchObject({ state: 'stopped', verb: 'rank', progress, damaged: [] });
    expect(status.progress.phase === 'sigmaBasis' || status.progress.done > 0).toBe(true);

    const onThreads = [...method, '--threads', '2', '--json'];
    const { code, stdout } = await run([...words(name, file), ...onThreads]);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { rank, upperBound: rank, device: 'cpu' }]);
  });

  test('a process that is told to end before it catches signals stops the run', async () => {
    const text = `if (process.argv[1]?.endsWith('process.node.js')) process.kill(process.pid, 'SIGTERM');`;
    const env = { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(text)}` };
    const stderr = 'rank: stopped at a checkpoint; the same command goes on\n';
    expect(await run(words('early', 'a.sms', '--gpus', '2'), { env })).toEqual({ code: 75, stdout: '', stderr });
  });
});
