/** Which questions share a team, and which one starts another. */
import { expect, test } from 'vitest';
import { cores } from '../../kernels/platform/node.js';
import type { TeamWorkerData } from '../../kernels/threads/worker.js';
import { ThreadPool } from '../../src/worker/thread-pool.js';

/** Threads that never come, and whether they were let go. */
function threadStarts() {
  const data: TeamWorkerData[] = [];
  let dismissed = 0;
  const startThread = (each: TeamWorkerData) => {
    data.push(each);
    return {
      ready: new Promise<void>(() => {}),
      onEnd: () => {},
      terminate: async () => {
        dismissed++;
      },
    };
  };
  return { startThread, started: () => data.length, dismissed: () => dismissed };
}

test('threads that a question wishes are called once, ahead of it, and stay for the next', async () => {
  const { startThread, started, dismissed } = threadStarts();
  const pool = new ThreadPool(startThread);
  pool.callAhead(null);
  pool.callAhead(1);
  pool.callAhead(3);
  const team = await pool.team(3, 0);
  expect(team.threads).toBe(3);
  expect(started()).toBe(2);
  pool.callAhead(3);
  expect(await pool.team(3, 1e9)).toBe(team);
  // Little work, and nobody asked for less.
  expect(await pool.team(null, 0)).toBe(team);
  expect([started(), dismissed()]).toEqual([2, 0]);
});

test('without a wish there are as many threads as the work pays for', async () => {
  const { startThread } = threadStarts();
  const count = async (seconds: number, most?: number): Promise<number> =>
    (await new ThreadPool(startThread).team(null, seconds, 0, most)).threads;
  const all = Math.min(cores(), 32);
  expect(await count(0.01)).toBe(1);
  expect(await count(1)).toBe(Math.min(all, 4));
  expect(await count(11)).toBe(Math.min(all, 8));
  expect(await count(Number.POSITIVE_INFINITY)).toBe(all);
  expect(await count(Number.POSITIVE_INFINITY, 1)).toBe(1);
});

test('another number that is wished ends the team before', async () => {
  const { startThread, started, dismissed } = threadStarts();
  const pool = new ThreadPool(startThread);
  const first = await pool.team(2, 1);
  const second = await pool.team(4, 1);
  expect([second.threads, started(), dismissed()]).toEqual([4, 4, 1]);
  expect(() => first.run('scaleU16', 0, 0, 0, 0, 65521)).toThrow('the team has ended');
  expect((await pool.team(1, 1)).threads).toBe(1);
  expect(dismissed()).toBe(4);
});

test('a team that cannot be had is asked for anew', async () => {
  let refuse = true;
  const { startThread } = threadStarts();
  const pool = new ThreadPool((data) => {
    if (refuse) throw new Error('no room');
    return startThread(data);
  });
  pool.callAhead(2);
  await expect(pool.team(2, 1)).rejects.toThrow('no room');
  refuse = false;
  expect((await pool.team(2, 1)).threads).toBe(2);
});
