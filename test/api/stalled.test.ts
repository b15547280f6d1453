/**
 * Inputs that never come, and questions that are given up while threads start: all settles, and nothing is left open.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEngine, rank, SparseMatrix } from 'wiedemann';
import { CLI } from '../cli/run.js';
import { share } from '../share.js';

let folder = '';
let fifo = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-stalled-'));
  fifo = join(folder, 'pipe');
  execFileSync('mkfifo', [fifo]);
});
afterAll(() => rmSync(folder, { recursive: true }));

const small = SparseMatrix.fromDense([[1]]);

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test('without a writer is given up, and the engine lives on', async () => {
    const engine = createEngine();
    await expect(engine.rank(fifo, { mod: 7, signal: AbortSignal.timeout(300) })).rejects.toThrow(/timeout/);
    expect((await engine.rank(small, { mod: 7 })).value).toBe(1);
    const waiting = expect(engine.rank(fifo, { mod: 7 })).rejects.toThrow(/disposed/);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await engine.dispose();
    await waiting;
    await expect(rank(fifo, { mod: 7, signal: AbortSignal.timeout(200) })).rejects.toThrow(/timeout/);
    expect((await rank(small, { mod: 7 })).value).toBe(1);
  });

  test('whose writer stops in the middle is given up; one that goes on is read', async () => {
    const writer = spawn('sh', ['-c', `{ printf '2 2 M\\n1 1 1\\n'; sleep 30; } > ${fifo}`], { detached: true });
    await expect(rank(fifo, { mod: 7, signal: AbortSignal.timeout(700) })).rejects.toThrow(/timeout/);
    process.kill(-writer.pid!, 'SIGKILL');
    spawn('sh', ['-c', `{ printf '2 2 M\\n1 1 1\\n'; sleep 0.3; printf '2 2 1\\n0 0 0\\n'; } > ${fifo}`]);
    expect((await rank(fifo, { mod: 7 })).value).toBe(2);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('is left by the command line at %s', async (signal, code) => {
    const child = spawn(process.execPath, [CLI, 'rank', fifo, '-p', '7'], { stdio: ['ignore', 'pipe', 'pipe'] });
    setTimeout(() => child.kill(signal), 1500);
    const ended = await new Promise((resolve) => child.on('exit', (...how) => resolve(how)));
    expect([
      [code, null],
      [null, signal],
    ]).toContainEqual(ended);
  });
});

/** What this process has open, but for what comes and goes with timers and sockets. */
function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith('/') && path.includes('wiedemann') ? [path] : /\.js$/.test(path) ? [path] : [];
    } catch {
      return [];
    }
  });
}

test.skipIf(process.platform !== 'linux')(
  'questions that are aborted as threads start leave no file open',
  async () => {
    const before = openFiles().length;
    for (const k of share([...Array(40).keys()], 0, 2)) {
      await rank(small, { mod: 7, method: 'wiedemann', threads: 2, signal: AbortSignal.timeout(30 + k) }).catch(
        () => {},
      );
    }
    expect(openFiles().slice(before)).toEqual([]);
  },
);
