/** Which parts in a queue are begun again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FlowProducer, Queue, Worker } from 'bullmq';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { repeatSlow } from '../../src/clusters/stragglers.js';
import { type Redis, redisMissing, startRedis } from './redis.js';

let folder = '';
let redis: Redis | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-stragglers-'));
  if (redisMissing === null) redis = await startRedis(folder);
});
afterAll(async () => {
  await redis?.end();
  rmSync(folder, { recursive: true });
});

test.skipIf(redisMissing)(
  'a part is slow beside others of the same run, submitted once, and is repeated once',
  async () => {
    const { hostname: host, port } = new URL(redis!.url);
    const connection = { host, port: Number(port) };
    const [queue, producer] = [new Queue('parts', { connection }), new FlowProducer({ connection })];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const worker = new Worker('parts', async ({ data }) => (data.isHeld ? held : undefined), {
      connection,
      concurrency: 4,
    });
    const stage = (data: object) => ({ name: 'stage', queueName: 'parts', data: { directory: '/run', ...data } });
    const submit = (parts: readonly object[]) =>
      producer.add({
        ...stage({ stage: 'generator', isHeld: true }),
        children: parts.map((each, part) => stage({ stage: 'krylov', part, ...each })),
      });
    const until = async (holds: () => Promise<boolean>): Promise<void> => {
      while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    const counts = async () =>
      Promise.all([queue.getCompletedCount(), queue.getActiveCount(), queue.getJobCountByTypes('wait')]);

    expect(await repeatSlow(queue)).toBe(0);
    // One that was made before, in that folder: its generator goes on, and is no part.
    await submit([{}, {}, {}]);
    await until(async () => (await counts()).join() === '3,1,0');
    expect(await repeatSlow(queue)).toBe(0);
    await submit([{ isHeld: true }]);
    await until(async () => (await counts())[1] === 2);
    expect(await repeatSlow(queue)).toBe(0);
    await submit([{ isHeld: true }, {}]);
    await until(async () => (await repeatSlow(queue)) === 1);
    await until(async () => (await counts()).join() === '4,4,0');
    // What repeats it is not repeated, nor is it again.
    const repeats = async () => (await queue.getJobs(['active', 'wait'])).filter(({ id }) => id!.startsWith('again-'));
    expect((await repeats()).length).toBe(1);
    expect(await repeatSlow(queue)).toBe(1);
    expect((await repeats()).map(({ data }) => data)).toEqual([
      { directory: '/run', stage: 'krylov', part: 0, isHeld: true },
    ]);
    release();
    await until(async () => (await counts()).slice(1).join() === '0,0');
    await Promise.all([worker.close(), queue.close(), producer.close()]);
  },
);
