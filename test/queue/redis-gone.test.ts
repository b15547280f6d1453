/** Redis is gone, and comes back: workers end all the same where they are asked to, and go on where they are not. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlan } from '../../src/clusters/kept-plan.js';
import { RedisCommands } from '../../src/clusters/redis-commands.js';
import { uploadId } from '../../src/clusters/upload.js';
import { UploadedRun } from '../../src/clusters/uploaded-run.js';
import { deficientText } from '../cli/deficient-text.js';
import { type Ended, run } from '../cli/run.js';
import { type Redis, redisMissing, startRedis } from './redis.js';
import { atVectors, isStopped, STOPS_UPLOADED } from './stopping.js';

const [SIZE, RANK] = [3000, 2900];

let folder = '';
let hook = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-gone-'));
  hook = join(folder, 'hook.cjs');
  // Told as the program begins to listen for signals.
  writeFileSync(
    hook,
    `const { isMainThread } = require('node:worker_threads');
     const { writeFileSync } = require('node:fs');
     const tell = (name) => name === 'SIGTERM' && writeFileSync(process.env.LISTENS, '');
     if (isMainThread) process.on('newListener', tell);`,
  );
});
/** Whatever a test that failed has left. */
const left: { end(): unknown }[] = [];
afterAll(async () => {
  for (const each of left) await each.end();
  rmSync(folder, { recursive: true });
});

const soon = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await soon(20);
}

interface Running {
  readonly ended: Promise<Ended>;
  /** Until it takes signals: it has asked Redis for what it asks at its start. */
  listens(): Promise<void>;
  /** Until it has stopped. */
  stops(): Promise<void>;
  signal(name: NodeJS.Signals): void;
}

function start(words: readonly string[], options: readonly string[] = []): Running {
  let kill: (signal: NodeJS.Signals) => void = () => {};
  let number: number | undefined;
  const told = join(folder, `listens-${left.length}`);
  const ended = run(words, {
    nodeOptions: ['--require', hook, ...options],
    env: { LISTENS: told },
    taken: (own, pid) => {
      [kill, number] = [own, pid];
    },
  });
  left.push({ end: () => kill('SIGKILL') });
  return {
    ended,
    listens: () => until(() => existsSync(told)),
    stops: () => until(() => number !== undefined && isStopped(number)),
    signal: (name) => kill(name),
  };
}

async function startOwn(name: string, port?: number, keeps = false): Promise<Redis> {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const redis = await startRedis(own, { port, keeps });
  left.push(redis);
  return redis;
}

const portOf = ({ url }: Redis): number => Number(new URL(url).port);

const submit = (here: string, redis: Redis, ...more: string[]): Running =>
  start(['queue', 'submit', here, '--redis', redis.url, ...more]);

const worker = (redis: Redis, more: readonly string[] = [], options: readonly string[] = []): Running =>
  start(['queue', 'worker', '--redis', redis.url, '--threads', '1', '--checkpoint-interval', '0', ...more], options);

async function planned(name: string): Promise<string> {
  const [file, here] = [join(folder, `${name}.sms`), join(folder, name)];
  writeFileSync(file, deficientText(SIZE, RANK));
  const plan = ['run', 'plan', file, '-p', '2147483629', '--parts', '2', '--block', '6x3', '-o', here, '-q'];
  expect((await run(plan)).code).toBe(0);
  return here;
}

const GONE = /^queue: redis does not answer: .*$/m;

test.skipIf(redisMissing)(
  'a worker ends at a checkpoint without Redis, another goes on through its absence, and so does who submitted',
  async () => {
    let redis = await startOwn('keeps', 0, true);
    const again = (): Promise<Redis> => startOwn('keeps', portOf(redis), true);
    const here = await planned('run');
    const submitted = submit(here, redis);
    const first = worker(redis, ['--lost-after', '2'], atVectors('SIGSTOP', 1));
    await first.stops();
    await redis.end();
    for (const name of ['SIGTERM', 'SIGCONT'] as const) first.signal(name);
    const { code, stderr } = await first.ended;
    expect(code, stderr).toBe(75);
    expect(stderr).toMatch(GONE);
    const refused = stderr.split('\n').filter((line) => line.includes('ECONNREFUSED'));
    expect(refused).toEqual([`queue: connect ECONNREFUSED 127.0.0.1:${portOf(redis)}`]);
    expect(stderr).toMatch(/^queue: stopped at a checkpoint; the same command goes on$/m);
    expect(readdirSync(here).filter((name) => name.startsWith('.'))).toEqual([]);

    redis = await again();
    const second = worker(redis, ['--lost-after', '2'], atVectors('SIGSTOP', 1));
    await second.stops();
    await redis.end();
    second.signal('SIGCONT');
    await soon(500);
    redis = await again();
    expect(await submitted.ended).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    second.signal('SIGTERM');
    expect((await second.ended).code).toBe(0);
    await redis.end();
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a worker of an uploaded run ends without Redis, which has its last checkpoint, and another goes on from there',
  async () => {
    let redis = await startOwn('uploads', 0, true);
    const here = await planned('uploaded');
    const submitted = submit(here, redis, '--upload');
    const first = worker(redis, ['--lost-after', '2'], STOPS_UPLOADED);
    const connection = { host: '127.0.0.1', port: portOf(redis) };
    await first.stops();
    const own = await RedisCommands.open(connection);
    const run = new UploadedRun(own, uploadId(await readPlan(here)));
    const kept = (await run.list()).filter((name) => /part-\d+-/.test(name));
    expect(kept).toEqual(expect.arrayContaining([expect.stringMatching(/part-\d+-vectors/)]));
    own.close();
    await redis.end();
    for (const name of ['SIGTERM', 'SIGCONT'] as const) first.signal(name);
    const { code, stderr } = await first.ended;
    expect(code, stderr).toBe(75);
    expect(stderr).toMatch(GONE);
    redis = await startOwn('uploads', portOf(redis), true);
    const again = await RedisCommands.open(connection);
    expect(await new UploadedRun(again, run.id).list()).toEqual(expect.arrayContaining(kept));
    again.close();
    const second = worker(redis, ['--lost-after', '2']);
    expect(await submitted.ended).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    second.signal('SIGTERM');
    expect((await second.ended).code).toBe(0);
    expect(existsSync(join(here, 'outcome-1.json'))).toBe(true);
    await redis.end();
  },
  320_000,
);

test.skipIf(redisMissing)(
  'what waits for a Redis that answers nothing, or is gone, ends by a signal',
  async () => {
    const redis = await startOwn('hangs');
    const here = await planned('second');
    const submitted = submit(here, redis, '--name', 'own');
    const idle = worker(redis, ['--name', 'other']);
    await Promise.all([submitted.listens(), idle.listens()]);
    redis.hang();
    const late = worker(redis, ['--name', 'other', '-q']);
    await late.listens();
    for (const each of [submitted, idle, late]) each.signal('SIGTERM');
    const [asked, one, other] = await Promise.all([submitted.ended, idle.ended, late.ended]);
    await redis.end();
    expect(asked).toEqual({ code: 143, stdout: '', stderr: expect.stringMatching(/^queue: [^\n]*\n$/) });
    expect(one).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(GONE) });
    expect(other).toEqual({ code: 0, stdout: '', stderr: '' });
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a Redis that comes back without the run is told to who submitted it',
  async () => {
    const redis = await startOwn('empty');
    const here = await planned('third');
    const submitted = submit(here, redis);
    await submitted.listens();
    await redis.end();
    const empty = await startOwn('empty', portOf(redis));
    const lost = `queue: ${here}: the queue has lost its stages: the same command submits them again\n`;
    expect(await submitted.ended).toEqual({ code: 69, stdout: '', stderr: lost });
    await empty.end();
  },
  320_000,
);
