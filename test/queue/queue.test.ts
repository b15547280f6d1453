/** A run through BullMQ on a Redis: of two workers one is killed in the middle, the other goes on to the rank. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { submit } from '../../src/clusters/bullmq.js';
import { readPlan } from '../../src/clusters/kept-plan.js';
import { type Ended, run } from '../cli/run.js';
import { type Redis, redisMissing, startRedis } from './redis.js';
import { atVectors } from './stopping.js';

const [SIZE, RANK] = [3000, 2900];

let folder = '';
let redis: Redis | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-queue-'));
  if (redisMissing === null) redis = await startRedis(folder);
});
afterAll(async () => {
  await redis?.end();
  rmSync(folder, { recursive: true });
});

/** Rows i < RANK are triangular, the others equal to some of them. */
function textOf(): string {
  const row = (i: number): string => {
    const others = [1, 2, 3].map((k) => i + 1 + ((i * 7919 + k * 104729) % (SIZE - i))).filter((j) => j < SIZE);
    return [[i, 1], ...[...new Set(others)].map((j) => [j, 2])].map(([j, value]) => `${j! + 1} ${value}`).join(',');
  };
  const lines = Array.from({ length: SIZE }, (_, i) =>
    row(i < RANK ? i : i - RANK)
      .split(',')
      .map((entry) => `${i + 1} ${entry}\n`)
      .join(''),
  );
  return `${SIZE} ${SIZE} M\n${lines.join('')}0 0 0\n`;
}

const wordsOf = (more: readonly string[]): string[] => [
  ...['queue', 'worker', '--redis', redis!.url, '--threads', '1', '--checkpoint-interval', '0'],
  ...more,
];

/** A worker, ended by a signal once `isTime`. */
function worker(isTime: () => boolean, ...more: string[]): Promise<Ended> {
  let look: NodeJS.Timeout | undefined;
  const taken = (kill: (signal: NodeJS.Signals) => void): void => {
    look = setInterval(() => {
      if (!isTime()) return;
      clearInterval(look);
      kill('SIGTERM');
    }, 5);
  };
  return run(wordsOf(more), { taken }).finally(() => clearInterval(look));
}

/** A worker that ends itself by a signal in the middle of a part. */
const endingWorker = (signal: NodeJS.Signals, ...more: string[]): Promise<Ended> =>
  run(wordsOf(more), { nodeOptions: atVectors(signal, 1) });

test.skipIf(redisMissing)(
  'a worker killed in the middle, another to the rank',
  async () => {
    const file = join(folder, 'a.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'run');
    const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '3', '--block', '6x3', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    let rank: Ended | undefined;
    const asked = run(['queue', 'submit', here, '--redis', redis!.url]).then((ended) => {
      rank = ended;
    });
    expect(await endingWorker('SIGKILL', '--lost-after', '2', '-q')).toMatchObject({ code: null });
    expect(rank).toBeUndefined();
    // The stage of the killed one is taken over when its silence has lasted; a worker with nothing to do ends at once.
    const { code, stderr } = await worker(() => rank !== undefined, '--lost-after', '2');
    await asked;
    expect(rank).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    expect(code).toBe(0);
    // Behind it may be a part that was repeated, since nobody knew yet that its worker was lost. What lost its lock, as
    // where the machine stood still for two seconds, is done twice.
    const done = new Set(stderr.split('\n').filter((line) => line.endsWith(': done') && !line.includes(': krylov ')));
    expect([...done]).toEqual(['generator', 'verify'].map((stage) => `queue: ${here}: ${stage}: done`));
    expect(stderr).toMatch(/^queue: job .*: its worker was lost$/m);
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a worker ended by SIGTERM leaves its stage to the next',
  async () => {
    const file = join(folder, 'b.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'second');
    const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '2', '--block', '2x2', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    let rank: Ended | undefined;
    const asked = run(['queue', 'submit', here, '--redis', redis!.url, '--name', 'own', '--json']).then((ended) => {
      rank = ended;
    });
    const stopped = { code: 75, stdout: '', stderr: 'queue: stopped at a checkpoint; the same command goes on\n' };
    expect(await endingWorker('SIGTERM', '--name', 'own', '-q')).toEqual(stopped);
    expect(rank).toBeUndefined();
    expect((await worker(() => rank !== undefined, '--name', 'own', '-q')).code).toBe(0);
    await asked;
    expect(rank).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(rank!.stdout)).toMatchObject({ command: 'queue submit', value: RANK, upperBound: RANK });
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a part whose worker lives and is slow is made by another one, too',
  async () => {
    const file = join(folder, 'd.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'fourth');
    const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '3', '--block', '6x3', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    const { blocks } = await readPlan(here);
    let rank: Ended | undefined;
    const asked = run(['queue', 'submit', here, '--redis', redis!.url, '--name', 'slow']).then((ended) => {
      rank = ended;
    });
    // It takes a part, and ends once others have made that.
    const { hostname: host, port } = new URL(redis!.url);
    const parts: number[] = [];
    const areWhole = (part: number): boolean =>
      readdirSync(here).some(
        (name) => name.includes(`part-000${part}-blocks`) && Number(name.split('-').at(-1)) >= blocks,
      );
    const slow: Worker = new Worker(
      'slow',
      async ({ data: { part } }) => {
        void slow.close();
        parts.push(part);
        while (!areWhole(part)) await new Promise((resolve) => setTimeout(resolve, 50));
      },
      { connection: { host, port: Number(port) }, concurrency: 1 },
    );
    while (parts.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
    const { code, stderr } = await worker(() => rank !== undefined, '--name', 'slow', '--lost-after', '1');
    await asked;
    await slow.close();
    expect(rank).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    expect(code).toBe(0);
    // One that lost its lock, as where the machine stood still for a second, is done twice, or behind the slow one's.
    const made = new Set([...stderr.matchAll(/krylov (\d): done$/gm)].map(([, part]) => Number(part)));
    expect([...made].toSorted()).toEqual([0, 1, 2]);
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a part that a worker has in hand is left to it where the run is submitted again',
  async () => {
    const file = join(folder, 'e.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'fifth');
    const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '1', '--block', '2x2', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    const submit = ['queue', 'submit', here, '--redis', redis!.url, '--name', 'twice'];
    const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50));
    const { hostname: host, port } = new URL(redis!.url);
    const connection = { host, port: Number(port) };
    const queue = new Queue('twice', { connection });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isTaken = false;
    const slow: Worker = new Worker(
      'twice',
      async () => {
        void slow.close();
        isTaken = true;
        await held;
      },
      { connection },
    );
    const ranks = [run(submit)];
    while (!isTaken) await soon();
    ranks.push(run(submit));
    let hasEnded = false;
    const other = worker(() => hasEnded, '--name', 'twice', '--lost-after', '1', '-q');
    const made = (): string[] => readdirSync(here).filter((name) => name.includes('part-0000'));
    while (made().length === 0 && (await queue.getDelayedCount()) === 0) await soon();
    expect(made()).toEqual([]);
    release();
    const rank = { code: 0, stdout: `${RANK}\n`, stderr: '' };
    expect(await Promise.all(ranks)).toEqual([rank, rank]);
    hasEnded = true;
    expect((await other).code).toBe(0);
    await Promise.all([slow.close(), queue.close()]);
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a stage that fails for good is told with its line and its exit code',
  async () => {
    const file = join(folder, 'c.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'third');
    const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '2', '--block', '2x2', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    writeFileSync(file, '2 2 M\n1 x 1\n0 0 0\n');
    let rank: Ended | undefined;
    const asked = run(['queue', 'submit', here, '--redis', redis!.url, '--name', 'bad']).then((ended) => {
      rank = ended;
    });
    await worker(() => rank !== undefined, '--name', 'bad', '-q');
    await asked;
    const line = `queue: ${here}: krylov N: ${file}:2: expected 'row column value', got '1 x 1'\n`;
    expect({ ...rank!, stderr: rank!.stderr.replace(/krylov [01]/, 'krylov N') }).toEqual({
      ...{ code: 65, stdout: '', stderr: line },
    });
  },
  320_000,
);

test.skipIf(redisMissing)(
  'the stage that failed for good is told, not one that was made when it was tried again',
  async () => {
    const file = join(folder, 'f.sms');
    writeFileSync(file, textOf());
    const here = join(folder, 'six\nth');
    const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '2', '--block', '2x2', '-o', here, '-q'];
    expect((await run(plan)).code).toBe(0);
    const { hostname: host, port } = new URL(redis!.url);
    const connection = { host, port: Number(port) };
    const submitted = await submit(here, { connection, queue: 'tried' });
    // The second part has no error of its own, as where Redis has no room for it.
    const failing = new Worker(
      'tried',
      async (job) => {
        if (job.data.part === 1) throw new Error('no room');
        if (job.attemptsMade > 0) return {};
        const failure = { name: 'DeviceError', message: 'at first', fields: {} };
        await job.updateData({ ...job.data, failure });
        throw new Error('at first');
      },
      { connection, concurrency: 1 },
    );
    await expect(submitted.answer()).rejects.toThrow(
      new DeviceError(`${join(folder, 'six\\x0ath')}: krylov 1: no room`),
    );
    await Promise.all([failing.close(), submitted.close()]);
  },
  320_000,
);
