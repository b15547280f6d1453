/**
 * Threads: the same integers for every number of them, and an error, never a hang, when one dies or traps.
 *
 * Everything comes from dist/: Node 20 starts no worker from TypeScript.
 */

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { CpuExecutor } from '../../../dist/kernels/executors/cpu.js';
import { CONTROL, CONTROL_WORDS, cancel, poison } from '../../../dist/kernels/threads/control-block.js';
import { KernelMemory } from '../../../dist/kernels/threads/memory.js';
import { handle } from '../../../dist/kernels/threads/start-worker.node.js';
import { Team } from '../../../dist/kernels/threads/team.js';
import type { KernelExports } from '../../../dist/kernels/threads/wasm-module.js';
import type { TeamWorkerData } from '../../../dist/kernels/threads/worker.js';
import type { Executor } from '../../../kernels/executor.js';
import { filled, layered } from '../executors/cases.js';
import { everything } from './everything.js';

const WORKER = new URL('../../../dist/kernels/threads/worker.node.js', import.meta.url);

describe.each([65521, 2147483647])('p = %d', (p) => {
  test('1 to 4 threads give the same integers', async () => {
    const field = WordPrime.of(p);
    const alone = await CpuExecutor.create(field);
    const expected = await everything(alone as unknown as Executor);
    alone.dispose();
    for (const threads of [2, 3, 4]) {
      const executor = await CpuExecutor.create(field, { threads });
      expect(executor.threads).toBe(threads);
      const got = await everything(executor as unknown as Executor);
      executor.dispose();
      expect(got.findIndex((value, i) => value !== expected[i])).toBe(-1);
      expect(got.length).toBe(expected.length);
    }
  });
});

/** A row for thread 0 at the end of the memory: thread 1's row lies outside. */
function atTheEdge(memory: KernelMemory): number[] {
  const factors = memory.alloc(64);
  return [memory.memory.buffer.byteLength - 16, 8, factors, 2, 65521];
}

test('a trap in a worker is an error, and the team stays down', async () => {
  const team = await Team.create(2);
  expect(() => team.run('scaleU16', ...atTheEdge(team.memory))).toThrow(/compute thread/);
  expect(() => team.run('scaleU16', 0, 0, 0, 0, 65521)).toThrow(/compute thread/);
  await team.dispose();
});

test('a trap in the calling thread is an error, and the team stays down', async () => {
  const team = await Team.create(2);
  const outside = [team.memory.memory.buffer.byteLength, 8, team.memory.alloc(64), 2, 65521];
  expect(() => team.run('scaleU16', ...outside)).toThrow(/out of bounds/);
  expect(() => team.run('scaleU16', 0, 0, 0, 0, 65521)).toThrow(/compute thread/);
  await team.dispose();
});

test('a worker that dies between two commands is named by the next', async () => {
  const started: Worker[] = [];
  const team = await Team.create(3, new KernelMemory(), (data) => {
    const worker = new Worker(WORKER, { workerData: data });
    started.push(worker);
    return handle(worker);
  });
  team.run('scaleU16', 0, 0, 0, 0, 65521);
  await started[1]!.terminate();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(() => team.run('scaleU16', 0, 0, 0, 0, 65521)).toThrow(/compute thread 2 ended: exit 1/);
  await team.dispose();
});

test.each([
  ['dies', 'TeamError: a compute thread died', (worker: Worker) => void worker.terminate()],
  ['is cancelled', 'CancelledError: cancelled', (_: Worker, memory: WebAssembly.Memory) => cancel(memory)],
])('a team that %s while its caller is blocked ends its run', async (_, expected, act) => {
  const caller = new Worker(new URL('team-in-worker.mjs', import.meta.url));
  const [{ data }] = (await once(caller, 'message')) as [{ data: TeamWorkerData }];
  const compute = new Worker(WORKER, { workerData: data });
  compute.once('exit', () => poison(data.memory)); // what the engine's supervisor does
  await once(compute, 'message');
  caller.postMessage('ready');
  await once(caller, 'message'); // it is blocked from now on
  await new Promise((resolve) => setTimeout(resolve, 100));
  const ended = once(caller, 'message');
  act(compute, data.memory);
  const [{ error }] = (await ended) as [{ error: string }];
  expect(error).toBe(expected);
  await Promise.all([caller.terminate(), compute.terminate()]);
});

test('a team that goes on alone gives the same integers', async () => {
  for (const p of [65521, 2147483647]) {
    const [alone, team] = await Promise.all([1, 3].map((threads) => CpuExecutor.create(WordPrime.of(p), { threads })));
    Object.assign(team.team, { starvation: { until: Number.POSITIVE_INFINITY } });
    expect(await everything(team as unknown as Executor)).toEqual(await everything(alone as unknown as Executor));
    for (const executor of [alone, team]) executor.dispose();
  }
});

test('commands whose waits starve are followed by commands on one thread, for a while', async () => {
  const team = await Team.create(2);
  const control = team.memory.i32(0, 1024);
  const command = team.command('scaleU16', [0, 0, 0, 0, 65521]);
  const counts: number[] = [];
  const run = (starved: number): void => {
    team.go({
      ...command,
      call: (_, threads) => {
        counts.push(threads);
        if (threads === 2) Atomics.add(control, CONTROL.starved, starved);
      },
    });
  };
  for (let i = 0; i < 1000; i++) run(3);
  expect(counts[0]).toBe(2);
  expect(counts).toContain(1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  counts.length = 0;
  run(0);
  expect(counts).toEqual([2]);
  await team.dispose();
});

test.each([
  ['waits for most of its time goes on alone', 6, true],
  ['waits for a chunk of every command does not', 1, false],
])('a caller that %s', async (_, lost, goesOnAlone) => {
  const team = await Team.create(2);
  const control = team.memory.i32(0, CONTROL_WORDS);
  const waited = team.memory.f64(4 * CONTROL.lost, 1);
  const counts: number[] = [];
  // What the machine's other work makes the caller wait is not what is tested.
  const { team: exports } = team as unknown as { team: KernelExports };
  const arrivals = (others: number, spin: number): number => {
    const state = exports.awaitArrivals(others, spin);
    waited[0] = lost;
    control[CONTROL.starved] = 1;
    return state;
  };
  Object.assign(team, { team: { ...exports, awaitArrivals: arrivals } });
  const run = (milliseconds: number): void => {
    const command = team.command('scaleU16', [0, 0, 0, 0, 65521]);
    const call = (_: number, threads: number): void => {
      counts.push(threads);
      for (const start = performance.now(); performance.now() - start < milliseconds; );
    };
    team.go({ ...command, call });
  };
  for (let i = 0; i < 20; i++) run(7);
  expect(counts[0]).toBe(2);
  expect(counts.includes(1)).toBe(goesOnAlone);
  await team.dispose();
});

test('whoever sleeps is told that the team is lost, wherever it waits', async () => {
  const memory = new KernelMemory();
  const control = memory.i32(0, CONTROL_WORDS);
  const { generation, arrived, barrierGeneration, event, taken } = CONTROL;
  // @ts-expect-error: not in the library's types of this target
  const wait = (at: number) => Atomics.waitAsync(control, at, 0, 20_000).value as Promise<string>;
  const sleeps = [generation, arrived, barrierGeneration, event, taken, taken + 16 * 255].map(wait);
  poison(memory.memory);
  expect(await Promise.all(sleeps)).toEqual(sleeps.map(() => 'ok'));
});

// A wake that is lost costs up to a second: 80 of them more than the time limit.
test('threads that sleep in a substitution are woken when others have passed', { timeout: 60_000 }, async () => {
  const field = WordPrime.of(65521);
  const t = layered(80, 6000, 65521);
  const results: number[][] = [];
  for (const threads of [1, 3]) {
    const executor = await CpuExecutor.create(field, { threads });
    Object.assign(executor.team, { spin: 0 });
    const [x, v] = [filled(executor as unknown as Executor, 6000, 8, 1), executor.vector(t.cols, 8)];
    const substitution = executor.substitution(t);
    substitution.run(v, x);
    results.push([...executor.read(v)]);
    executor.dispose();
  }
  expect(results[1]!.every((value, i) => value === results[0]![i])).toBe(true);
});

test('a second team works on the memory that the first has left, and the first is over', async () => {
  const memory = new KernelMemory();
  const v = memory.allocZeroed(4096);
  const d = memory.allocZeroed(4096);
  memory.u16(v, 2).fill(7);
  memory.u32(d, 2).fill(0x02000002); // pair(2): 2 and 512
  const first = await Team.create(2, memory);
  first.run('scaleU16', v, 1, d, 2, 65521);
  await first.dispose();
  expect(() => first.run('scaleU16', v, 1, d, 2, 65521)).toThrow('the team has ended');
  const second = await Team.create(2, memory);
  second.run('scaleU16', v, 1, d, 2, 65521);
  await second.dispose();
  expect([...memory.u16(v, 3)]).toEqual([28, 28, 0]);
});

test('thread counts outside 1…256 and unknown kernels are refused', async () => {
  await expect(Team.create(0)).rejects.toThrow('expected an integer from 1 to 256, got 0');
  await expect(Team.create(1.5)).rejects.toThrow('got 1.5');
});

test('a kernel that there is not is an error of the compiler', async () => {
  const team = await Team.create(1);
  // @ts-expect-error: the names are the exports of kernels.as.ts
  expect(() => team.run('scaleU15')).toThrow(TypeError);
});

test('code of the baseline compiler keeps its locals while it sleeps at a barrier', async () => {
  const script = fileURLToPath(new URL('baseline-compiler.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--liftoff-only', script]);
  expect(stdout).toBe('the same\n');
});
