/**
 * A team whose threads are still to come: the same integers before and after, and an error where one does not come.
 *
 * Everything comes from dist/: Node 20 starts no worker from TypeScript.
 */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { CpuExecutor } from '../../../dist/kernels/executors/cpu.js';
import { KernelMemory } from '../../../dist/kernels/threads/memory.js';
import { handle } from '../../../dist/kernels/threads/start-worker.node.js';
import { Team } from '../../../dist/kernels/threads/team.js';
import type { TeamWorkerData } from '../../../dist/kernels/threads/worker.js';
import type { Executor } from '../../../kernels/executor.js';
import { everything } from './everything.js';

const WORKER = new URL('../../../dist/kernels/threads/worker.node.js', import.meta.url);

describe('a team whose threads are still to come', () => {
  /** Starts threads once `come` was called. */
  function gate() {
    let come!: () => void;
    const called = new Promise<void>((resolve) => {
      come = resolve;
    });
    const handles: Promise<ReturnType<typeof handle>>[] = [];
    const start = (data: TeamWorkerData) => {
      const started = called.then(() => handle(new Worker(WORKER, { workerData: data })));
      handles.push(started);
      return {
        ready: started.then(({ ready }) => ready),
        onEnd: () => {},
        terminate: async () => (await started).terminate(),
      };
    };
    return { start, come, came: async () => Promise.all((await Promise.all(handles)).map(({ ready }) => ready)) };
  }

  test('gives the same integers before they come and after', async () => {
    for (const p of [65521, 2147483647]) {
      const alone = await CpuExecutor.create(WordPrime.of(p));
      const expected = await everything(alone as unknown as Executor);
      alone.dispose();
      const { start, come, came } = gate();
      const executor = new CpuExecutor(WordPrime.of(p), await Team.begin(3, new KernelMemory(), start), true);
      expect(executor.threads).toBe(3);
      expect(await everything(executor as unknown as Executor)).toEqual(expected);
      come();
      const meanwhile = await everything(executor as unknown as Executor);
      await came();
      expect(meanwhile).toEqual(expected);
      expect(await everything(executor as unknown as Executor)).toEqual(expected);
      executor.dispose();
    }
  });

  test('runs commands on its caller until all are there, and then on all', async () => {
    const { start, come, came } = gate();
    const team = await Team.begin(3, new KernelMemory(), start);
    // What the machine's other work makes the caller wait is not what is tested.
    Object.assign((team as unknown as { starvation: object }).starvation, { lose: () => {} });
    const command = team.command('scaleU16', [0, 0, 0, 0, 65521]);
    const counts: number[] = [];
    const run = (): void => team.go({ ...command, call: (_, threads) => counts.push(threads) });
    for (let i = 0; i < 3; i++) run();
    come();
    await came();
    for (let i = 0; i < 3; i++) run();
    // The first one finds them there when it is done.
    expect(counts).toEqual([1, 1, 1, 1, 3, 3]);
    await team.dispose();
  });

  test('is let go while it comes, and the program waits until it has', async () => {
    const script = fileURLToPath(new URL('team-let-go.mjs', import.meta.url));
    for (const busy of ['0', '60', '200']) {
      const { stdout } = await promisify(execFile)(process.execPath, [script, busy]);
      expect(stdout).toBe('let go\n');
    }
  });

  test('is lost with a thread that does not come', async () => {
    const nowhere = () => ({
      ready: Promise.reject(new Error('no room')),
      onEnd: () => {},
      terminate: async () => {},
    });
    const team = await Team.begin(2, new KernelMemory(), nowhere);
    await new Promise((resolve) => setTimeout(resolve, 0));
    const named = 'compute thread 1 did not start: Error: no room';
    expect(() => team.run('scaleU16', 0, 0, 0, 0, 65521)).toThrow(named);
    await expect(Team.create(2, new KernelMemory(), nowhere)).rejects.toThrow(named);
    await team.dispose();
  });
});
