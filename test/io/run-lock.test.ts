/** The lock of a run's folder: one process at a time, and the files of those that have ended are in nobody's way. */
import { spawnSync } from 'node:child_process';
import fs, { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Holder, holderOf, RunLock } from '../../src/io/run-lock.js';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-lock-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const locks = (): string[] => readdirSync(folder).filter((name) => name.startsWith('.lock'));

/** The lock of this process as another one would have written it, `age` seconds ago. */
async function leave(change: Partial<Holder>, age = 60): Promise<void> {
  const lock = await RunLock.take(folder);
  const holder = JSON.parse(readFileSync(join(folder, locks()[0]!), 'utf8'));
  await lock.release();
  const path = join(folder, '.lock-other');
  writeFileSync(path, JSON.stringify({ ...holder, ...change }));
  const then = Date.now() / 1000 - age;
  utimesSync(path, then, then);
}

test('a folder that is made has one holder, and none after the release', async () => {
  const inner = join(folder, 'run');
  const lock = await RunLock.take(inner);
  expect(await holderOf(inner)).toMatchObject({ pid: process.pid });
  await expect(RunLock.take(inner)).rejects.toThrow(/run: this process works in it already$/);
  await lock.release();
  expect(await holderOf(inner)).toBeNull();
  await (await RunLock.take(inner)).release();
  expect(readdirSync(inner)).toEqual([]);
});

test('the disk knows the folder by its name before anything is kept there', async () => {
  const { open, mkdir } = fs.promises;
  const [inner, seen] = [join(folder, 'run'), [] as string[]];
  fs.promises.mkdir = (async (path: string) => {
    seen.push(`mkdir ${path}`);
    return mkdir(path);
  }) as never;
  fs.promises.open = (async (path: string, flags: string) => {
    const file = await open(path, flags);
    const sync = file.sync.bind(file);
    file.sync = async () => {
      await sync();
      seen.push(`sync ${realpathSync(path)}`);
    };
    if (flags !== 'r') seen.push(`open ${basename(path).slice(0, 5)}`);
    return file;
  }) as never;
  try {
    await (await RunLock.take(inner)).release();
  } finally {
    Object.assign(fs.promises, { open, mkdir });
  }
  expect(seen).toEqual([`mkdir ${inner}`, `sync ${realpathSync(folder)}`, 'open .lock']);
});

test('of ten that begin at once never two have it', async () => {
  let [most, now, taken] = [0, 0, 0];
  const tries = Array.from({ length: 10 }, async () => {
    const lock = await RunLock.take(folder).catch(() => null);
    if (lock === null) return;
    taken++;
    now++;
    most = Math.max(most, now);
    await new Promise((resolve) => setTimeout(resolve, 20));
    now--;
    await lock.release();
  });
  await Promise.all(tries);
  expect(most).toBeLessThan(2);
  expect(taken + locks().length).toBeLessThanOrEqual(10);
  expect(locks()).toEqual([]);
});

test.each<[string, Partial<Holder>, number?]>([
  ['whose number is free', { pid: spawnSync(process.execPath, ['-e', '']).pid }],
  ['whose number another one has now', { started: 'another time' }],
  ['of a machine that has started again', { boot: 'before' }],
  ['of another machine, silent for long', { host: 'elsewhere', pid: 1 }, 16 * 60],
  ['of another container, silent for long', { space: 'pid:[1]' }, 16 * 60],
])('the lock of a process %s is taken over', async (_, change, age) => {
  await leave(change, age);
  expect(locks()).toEqual(['.lock-other']);
  const lock = await RunLock.take(folder);
  expect(locks()).not.toContain('.lock-other');
  await lock.release();
});

test.each<[string, Partial<Holder>]>([
  ['of another machine', { host: 'elsewhere', pid: 17 }],
  ['of another machine of the same name', { machine: 'another', pid: 17 }],
  ['of another container', { space: 'pid:[1]', pid: 17 }],
])('the lock of a process %s is respected while it is not silent', async (_, change) => {
  await leave(change);
  const holder = { host: '', ...JSON.parse(readFileSync(join(folder, '.lock-other'), 'utf8')) };
  const line = `process 17 on ${holder.host} was at work in it 6\\d s ago; it counts as ended after 15 minutes of silence`;
  await expect(RunLock.take(folder)).rejects.toThrow(new RegExp(line));
  expect(locks()).toEqual(['.lock-other']);
  expect(await holderOf(folder)).toMatchObject({ pid: 17 });
});

test('a file without its text belongs to somebody who begins, or to nobody', async () => {
  writeFileSync(join(folder, '.lock-torn'), '');
  await expect(RunLock.take(folder)).rejects.toThrow('another process begins to work in it');
  const then = Date.now() / 1000 - 60;
  utimesSync(join(folder, '.lock-torn'), then, then);
  await (await RunLock.take(folder)).release();
  expect(locks()).toEqual([]);
});

test("a process that ends before its file has its text is in nobody's way, and what it left goes", async () => {
  const { open } = fs.promises;
  fs.promises.open = (async (path: string, flags: string) => {
    const file = await open(path, flags);
    if (flags === 'wx') file.write = (() => new Promise(() => {})) as never;
    return file;
  }) as never;
  let ended: Promise<RunLock>;
  try {
    ended = RunLock.take(folder);
    for (let wait = 0; locks().length === 0 && wait < 1000; wait++) await new Promise((go) => setTimeout(go, 5));
  } finally {
    Object.assign(fs.promises, { open });
  }
  expect(ended).toBeInstanceOf(Promise);
  const [left] = locks();
  await (await RunLock.take(folder)).release();
  expect(locks()).toEqual([left]);
  const then = Date.now() / 1000 - 60;
  utimesSync(join(folder, left!), then, then);
  await (await RunLock.take(folder)).release();
  expect(locks()).toEqual([]);
});
