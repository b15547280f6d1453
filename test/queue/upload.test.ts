/** A run that is uploaded to Redis: workers that see neither its folder nor its matrix come to its rank. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis as Client } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPlan } from '../../src/clusters/kept-plan.js';
import { RedisCommands } from '../../src/clusters/redis-commands.js';
import { uploadId } from '../../src/clusters/upload.js';
import { UploadedRun } from '../../src/clusters/uploaded-run.js';
import { deficientText } from '../cli/deficient-text.js';
import { type Ended, run } from '../cli/run.js';
import { type Redis, redisMissing, startRedis } from './redis.js';
import { isStopped, STOPS_UPLOADED } from './stopping.js';

const [SIZE, RANK] = [3000, 2900];

let folder = '';
let redis: Redis | undefined;
let connection = { host: '127.0.0.1', port: 0 };
let client: Client;
let commands: RedisCommands;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-upload-'));
  mkdirSync(join(folder, 'elsewhere'));
  if (redisMissing !== null) return;
  redis = await startRedis(folder);
  connection = { host: '127.0.0.1', port: Number(new URL(redis.url).port) };
  client = new Client(connection);
  commands = await RedisCommands.open(connection);
});
const kills: ((signal: NodeJS.Signals) => void)[] = [];
afterAll(async () => {
  for (const kill of kills) kill('SIGKILL');
  client?.disconnect();
  commands?.close();
  await redis?.end();
  rmSync(folder, { recursive: true });
});

const soon = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await soon();
}

/** A run of three parts, another one for each seed, and, where it is `copied`, what one machine keeps of it. */
async function planned(name: string, seed: string, copied = false) {
  const [file, here, alone] = [`${name}.sms`, name, `${name}-alone`].map((each) => join(folder, each)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, deficientText(SIZE, RANK));
  const plan = (to: string) =>
    run(['run', 'plan', file, '-p', '65521', '--parts', '3', '--block', '6x3', '--seed', seed, '-o', to, '-q']);
  expect((await plan(here)).code).toBe(0);
  if (copied) {
    expect((await plan(alone)).code).toBe(0);
    expect((await run(['run', 'verify', alone, '--threads', '1', '-q'])).stdout).toBe(`${RANK}\n`);
  }
  const uploaded = new UploadedRun(commands, uploadId(await readPlan(here)));
  return { file, here, alone, uploaded };
}

const submit = (here: string, name: string, ...more: string[]): Promise<Ended> =>
  run(['queue', 'submit', here, '--redis', redis!.url, '--name', name, '--upload', ...more]);

/** A worker that has nothing but Redis. */
function worker(name: string, more: readonly string[] = [], nodeOptions: readonly string[] = []) {
  const own = mkdtempSync(join(folder, 'tmp-'));
  const words = ['queue', 'worker', '--redis', redis!.url, '--name', name, '--threads', '1'];
  let kill: (signal: NodeJS.Signals) => void = () => {};
  let number: number | undefined;
  const ended = run([...words, '--checkpoint-interval', '0', ...more], {
    nodeOptions,
    cwd: join(folder, 'elsewhere'),
    env: { TMPDIR: own },
    taken: (killing, pid) => {
      kills.push(killing);
      [kill, number] = [killing, pid];
    },
  });
  return { ended, own, number: () => number, signal: (signal: NodeJS.Signals) => kill(signal) };
}

/** One that has stopped in the middle of a part. */
async function stoppedWorker(name: string, ...more: string[]) {
  const stopping = worker(name, more, STOPS_UPLOADED);
  await until(() => stopping.number() !== undefined && isStopped(stopping.number()!));
  return stopping;
}

test.skipIf(redisMissing)(
  'two workers that see nothing of the run, one killed in the middle, come to what one machine keeps',
  async () => {
    const { file, here, alone, uploaded } = await planned('run', '1', true);
    expect(await submit(here, 'run', '--no-wait')).toEqual({ code: 0, stdout: '', stderr: '' });
    for (const path of [file, here]) renameSync(path, `${path}-away`);
    const first = await stoppedWorker('run', '--lost-after', '1');
    const second = worker('run', ['--lost-after', '1']);
    first.signal('SIGKILL');
    expect((await first.ended).code).toBeNull();
    await until(async () => (await uploaded.state()) === 'over');
    second.signal('SIGTERM');
    const { code, stderr } = await second.ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`queue: ${here}: verify: done\n`);
    expect(readdirSync(second.own)).toEqual([]);
    renameSync(`${here}-away`, here);
    // No worker is left, nor the matrix: Redis has the answer.
    expect(await submit(here, 'run')).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    for (const name of ['outcome-1.json', 'answer.json', 'manifest.json', 'way.json'])
      if (existsSync(join(alone, name)))
        expect(readFileSync(join(here, name), 'utf8')).toBe(readFileSync(join(alone, name), 'utf8'));
    expect((await run(['status', here])).stdout).toContain(`ended       rank ${RANK}`);
    expect((await uploaded.list()).filter((name) => name.startsWith('attempt-'))).toEqual([]);
    // Pieces of no array, as who is killed within a write leaves them, go sooner.
    const names = await uploaded.list();
    const versions = await Promise.all(names.map(async (name) => (await uploaded.entry(name))!.version));
    for (const key of await client.keys('wiedemann:*')) {
      const isKept = key.endsWith('}') || versions.some((version) => key.includes(version));
      const life = await client.ttl(key);
      expect(isKept ? life > 86_400 : life > 0 && life < 7200, `${key}: ${life}`).toBe(true);
    }
    expect(await submit(here, 'run', '--json')).toMatchObject({ code: 0, stderr: '' });
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a worker ended by SIGTERM leaves its stage to the next; a run that is submitted again is uploaded once',
  async () => {
    const { file, here, uploaded } = await planned('term', '2');
    const ranks = [submit(here, 'term')];
    const first = await stoppedWorker('term');
    for (const signal of ['SIGTERM', 'SIGCONT'] as const) first.signal(signal);
    const { code, stderr } = await first.ended;
    expect(code, stderr).toBe(75);
    expect(readdirSync(first.own)).toEqual([]);
    const versions = async () => Promise.all([':matrix', 'manifest.json'].map((name) => uploaded.entry(name)));
    const before = await versions();
    const kept = (await uploaded.list()).filter((name) => name.startsWith('attempt-')).length;
    expect(kept).toBeGreaterThan(0);
    rmSync(file);
    ranks.push(submit(here, 'term'));
    await until(async () => (await client.keys('bull:term:*')).filter((key) => /:[0-9a-f-]{36}$/.test(key)).length > 5);
    expect(await versions()).toEqual(before);
    const second = worker('term', ['--lost-after', '1']);
    const rank = { code: 0, stdout: `${RANK}\n`, stderr: '' };
    expect(await Promise.all(ranks)).toEqual([rank, rank]);
    second.signal('SIGTERM');
    expect((await second.ended).code).toBe(0);
  },
  320_000,
);

test.skipIf(redisMissing)(
  'a Redis without room is told in one line, and the same command goes on once it has room',
  async () => {
    const { here } = await planned('room', '3');
    const goesOn = 'with a larger `maxmemory`, `wiedemann queue submit` goes on';
    const line = (where: string): string =>
      `queue: ${where}redis 127.0.0.1:${connection.port}: its memory is full: ${goesOn}\n`;
    const [fill, empty] = ['1mb', '0'].map((bytes) => () => client.config('SET', 'maxmemory', bytes));
    await fill!();
    expect(await submit(here, 'room')).toEqual({ code: 69, stdout: '', stderr: line('') });
    await empty!();
    const asked = submit(here, 'room');
    const own = await stoppedWorker('room', '--lost-after', '1');
    await fill!();
    own.signal('SIGCONT');
    expect(await asked).toEqual({ code: 69, stdout: '', stderr: line(`${here}: `) });
    await empty!();
    expect(await submit(here, 'room')).toEqual({ code: 0, stdout: `${RANK}\n`, stderr: '' });
    own.signal('SIGTERM');
    const { code, stderr } = await own.ended;
    expect(code, stderr).toBe(0);
    expect(stderr).toContain(`redis 127.0.0.1:${connection.port}: its memory is full: ${goesOn}\n`);
    expect(stderr).not.toContain('OOM');
  },
  320_000,
);
