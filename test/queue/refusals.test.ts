/** What is no run, or no Redis that lets somebody in, is told at once; what is ended by then has taken nothing. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectionOptions, Queue } from 'bullmq';
import { Redis as Client } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DeviceError } from '../../kernels/errors/device-error.js';
import { submit } from '../../src/clusters/bullmq.js';
import { run } from '../cli/run.js';
import { type Redis, redisMissing, startRedis } from './redis.js';

let folder = '';
let redis: Redis | undefined;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-refusals-'));
  if (redisMissing === null) redis = await startRedis(folder);
});
afterAll(async () => {
  await redis?.end();
  rmSync(folder, { recursive: true });
});

/** A run of one small part. */
async function planned(name: string): Promise<string> {
  const [file, here] = [join(folder, `${name}.sms`), join(folder, name)];
  writeFileSync(file, '1 1 M\n1 1 1\n0 0 0\n');
  expect((await run(['run', 'plan', file, '-p', '7', '--parts', '1', '-o', here, '-q'])).code).toBe(0);
  return here;
}

test.skipIf(redisMissing)('refusals: no plan, no Redis', async () => {
  const nowhere = join(folder, 'nowhere');
  const unplanned = `queue: ${nowhere}: expected the folder of a run that is planned in parts\n`;
  expect(await run(['queue', 'submit', nowhere, '--redis', redis!.url])).toEqual({
    code: 2,
    stdout: '',
    stderr: unplanned,
  });
  const unreached = await run(['queue', 'worker', '--redis', 'redis://user:secret@127.0.0.1:1']);
  expect([unreached.code, unreached.stderr]).toEqual([
    69,
    'queue: redis 127.0.0.1:1: expected a Redis: connect ECONNREFUSED 127.0.0.1:1\n',
  ]);
  const wrong = 'queue: --redis: expected redis://HOST:PORT, got no address\n';
  expect(await run(['queue', 'worker', '--redis', 'here'])).toEqual({ code: 2, stdout: '', stderr: wrong });
});

test.skipIf(redisMissing)('a Redis that lets nobody in without its password is told at once', async () => {
  const strict = await startRedis(folder, { password: 'right' });
  const { host } = new URL(strict.url);
  const own = await planned('strict');
  for (const verb of ['worker', 'submit']) {
    for (const [who, why] of [
      ['', 'NOAUTH'],
      [':wrong@', 'WRONGPASS'],
    ]) {
      const words = ['queue', verb, ...(verb === 'submit' ? [own] : []), '--redis', `redis://${who}${host}`];
      const stderr = expect.stringMatching(new RegExp(`^queue: redis ${host}: expected a Redis: ${why} [^\n]*\n$`));
      expect(await run(words)).toEqual({ code: 69, stdout: '', stderr });
    }
  }
  const [here, there] = [join(folder, 'nowhere'), `redis://:right@${host}`];
  expect(await run(['queue', 'submit', here, '--redis', there])).toMatchObject({ code: 2 });
  await strict.end();
});

test.skipIf(redisMissing)(
  'a program that submits to no Redis is told at once, by options and by a client',
  async () => {
    const here = await planned('program');
    const strict = await startRedis(folder, { password: 'right' });
    const port = Number(new URL(strict.url).port);
    const host = '127.0.0.1';
    const client = new Client({ host, port: 1, maxRetriesPerRequest: null }).on('error', () => {});
    const refused = `redis ${host}:1: expected a Redis: connect ECONNREFUSED ${host}:1`;
    const asked: [ConnectionOptions, string | RegExp][] = [
      [{ host, port: 1 }, refused],
      [{ url: `redis://user:secret@${host}:1` }, refused],
      [client, refused],
      [{ port }, new RegExp(`^redis ${host}:${port}: expected a Redis: NOAUTH `)],
      [{ port, password: 'wrong' }, new RegExp(`^redis ${host}:${port}: expected a Redis: WRONGPASS `)],
    ];
    for (const [connection, message] of asked) {
      const error = await submit(here, { connection }).catch((error: unknown) => error);
      expect(error).toBeInstanceOf(DeviceError);
      expect((error as Error).message).toMatch(message);
    }
    client.disconnect();
    await strict.end();
  },
);

test('a Redis that takes no more clients, and closes their connections, is told', async () => {
  const full = createServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .end('-ERR max number of clients reached\r\n'),
  );
  await new Promise<void>((resolve) => full.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(full.address() as AddressInfo).port}`;
  const stderr = `queue: redis ${place}: expected a Redis: it closes the connection\n`;
  for (const words of [['worker'], ['submit', await planned('full')]])
    expect(await run(['queue', ...words, '--redis', `redis://${place}`])).toEqual({ code: 69, stdout: '', stderr });
  await new Promise((resolve) => full.close(resolve));
});

test('so it is to a program that stood still as it was said', async () => {
  let program = 0;
  let connections = 0;
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const full = createServer(async (socket) => {
    socket.on('error', () => {}).resume();
    const isFirst = ++connections === 1;
    if (isFirst) await pause(300); // it bears the silence by then
    if (isFirst) process.kill(program, 'SIGSTOP');
    socket.end('-ERR max number of clients reached\r\n');
    if (isFirst) await pause(1500);
    if (isFirst) process.kill(program, 'SIGCONT');
  });
  await new Promise<void>((resolve) => full.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(full.address() as AddressInfo).port}`;
  const taken = (_: unknown, pid: number): void => {
    program = pid;
  };
  const stderr = `queue: redis ${place}: expected a Redis: it closes the connection\n`;
  expect(await run(['queue', 'worker', '--redis', `redis://${place}`], { taken })).toEqual({
    ...{ code: 69, stdout: '', stderr },
  });
  await new Promise((resolve) => full.close(resolve));
});

test.skipIf(redisMissing)('what SIGTERM ends before it listens for that has taken nothing', async () => {
  const here = await planned('early');
  const where = ['--redis', redis!.url, '--name', 'early'];
  expect((await run(['queue', 'submit', here, ...where, '--no-wait'])).code).toBe(0);
  // Ended as it begins to listen, before Node does.
  const hook = join(folder, 'early.cjs');
  writeFileSync(
    hook,
    "process.prependListener('newListener', (name) => name === 'SIGTERM' && process.kill(process.pid, name));",
  );
  const nodeOptions = ['--require', hook];
  expect(await run(['queue', 'worker', ...where], { nodeOptions })).toEqual({ code: null, stdout: '', stderr: '' });
  const queue = new Queue('early', { connection: { port: Number(new URL(redis!.url).port) } });
  expect(await queue.getJobCounts('wait', 'active')).toEqual({ wait: 1, active: 0 });
  await queue.close();
});
