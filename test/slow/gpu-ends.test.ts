/**
 * Runs with a GPU that end at any moment: by a signal that goes on later, by an interrupt, in every phase. Dawn's
 * binding takes a process down that ends a thread too early (kernels/gpu/open-promises.ts): none may end but by its own
 * code.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CounterRandom } from '../../fields/random.js';
import { type Ended, run } from '../cli/run.js';
import { gpuMissing, testGpu } from '../gpu.js';

const software = gpuMissing === null && (await testGpu()).software;

const TURNS = Number(process.env['TURNS'] ?? 40);
const LONGEST = 6000; // ms, of a run with two processes

let folder = '';
let file = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-ends-'));
  file = join(folder, 'a.sms');
  const n = 3000;
  const entries = Array.from({ length: n - 1 }, (_, i) => `${i + 1} ${((i * 7) % n) + 1} ${1 + (i % 5)}\n`);
  writeFileSync(file, `${n} ${n} M\n${entries.join('')}1 2 1\n0 0 0\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const random = new CounterRandom(11n, 0);

/** The run with a signal at a moment of the draw. */
async function endedAt(words: readonly string[], signal: NodeJS.Signals, turn: number): Promise<Ended> {
  const taken = (kill: (signal: NodeJS.Signals) => void): void => {
    setTimeout(() => kill(signal), random.residueAt(turn, LONGEST));
  };
  return run(ask(words), { taken });
}

const ask = (words: readonly string[]): string[] => ['rank', file, '-p', '65521', '--block', '4', '-q', ...words];

const STOPPED = { code: 75, stdout: '', stderr: 'rank: stopped at a checkpoint; the same command goes on\n' };
const OVER = { code: 0, stdout: '2999\n', stderr: '' };

/** A disk that has no more room for arrays whose names have `name`, also that of the processes with a GPU. */
function fullFor(name: string): Record<string, string> {
  const text = `
    import fs from 'node:fs';
    const { open } = fs.promises;
    fs.promises.open = async (path, ...more) => {
      if (/\\.writing-.*${name}/.test(path)) throw Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' });
      return open(path, ...more);
    };`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(text)}` };
}

describe.skipIf(!software)('a full disk', () => {
  test('no room for what one of two processes keeps: exit 74 and one line, and the run goes on', async () => {
    const dir = join(folder, 'full');
    const words = ask(['--gpus', '2', '--run', dir, '--checkpoint-interval', '0']);
    const stderr = `rank: process 2 of 2: ${dir}: no space left on the disk\n`;
    expect(await run(words, { env: fullFor('-part-0001-') })).toEqual({ code: 74, stdout: '', stderr });
    expect(await run(words)).toEqual(OVER);
  }, 120_000);
});

describe.skipIf(!software)(`${TURNS} ends each`, () => {
  test.each([
    ['--device gpu --method wiedemann', 'SIGTERM', [STOPPED, { code: null, stdout: '', stderr: '' }]],
    ['--gpus 2', 'SIGTERM', [STOPPED, { code: null, stdout: '', stderr: '' }]],
  ] as const)(
    'a kept run with %s, %s',
    async (device, signal, allowed) => {
      let runs = 0;
      const words = (): string[] => {
        const kept = ['--run', join(folder, `run${device.replaceAll(' ', '')}-${runs}`), '--checkpoint-interval', '1'];
        return [...device.split(' '), ...kept];
      };
      for (let turn = 0; turn < TURNS; turn++) {
        const ended = await endedAt(words(), signal, turn);
        expect([...allowed, OVER]).toContainEqual(ended);
        if (ended.code === 0) runs++;
      }
      // However slow the machine is: what was ended goes on to the answer.
      expect(await run(ask(words()))).toEqual(OVER);
    },
    LONGEST * TURNS * 4,
  );

  test.each([
    ['--device gpu --method wiedemann', 'SIGINT', 130, 'interrupted'],
    ['--device gpu --method wiedemann', 'SIGTERM', 143, 'terminated'],
    ['--gpus 2', 'SIGINT', 130, 'interrupted'],
  ] as const)(
    '%s, %s',
    async (device, signal, code, how) => {
      for (let turn = 0; turn < TURNS; turn++) {
        const ended = await endedAt(device.split(' '), signal, 1000 + turn);
        const stderr = `rank: ${how}\n`;
        const early = { code: null, stdout: '', stderr: '' }; // before signals are caught
        const busy = { code: null, stdout: '', stderr }; // in a kernel of the CPU for long
        expect([{ code, stdout: '', stderr }, early, busy, OVER]).toContainEqual(ended);
      }
    },
    LONGEST * TURNS * 4,
  );
});
