/** Texts of the user's cache directory: where it is, that a text is whole or absent, and errors that are told. */
import * as fs from 'node:fs';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { cacheDirectory, UserStore, userStore } from '../../src/io/user-store.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-store-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));

const HOME = () => '/home/me';

test.each<[platform: string, env: Record<string, string>, home: () => string, folder: string | null]>([
  ['linux', {}, HOME, '/home/me/.cache'],
  ['linux', { XDG_CACHE_HOME: '/var/cache' }, HOME, '/var/cache'],
  ['linux', { XDG_CACHE_HOME: 'relative' }, HOME, '/home/me/.cache'],
  ['linux', { XDG_CACHE_HOME: '' }, HOME, '/home/me/.cache'],
  ['linux', {}, () => '', null],
  ['darwin', {}, HOME, '/home/me/Library/Caches'],
  ['darwin', { XDG_CACHE_HOME: '/var/cache' }, HOME, '/var/cache'],
  ['win32', { LOCALAPPDATA: 'C:\\Users\\me\\AppData\\Local' }, HOME, 'C:\\Users\\me\\AppData\\Local'],
  ['win32', {}, HOME, null],
])('on %s with %o', (platform, env, home, folder) => {
  expect(cacheDirectory(platform, env, home)).toBe(folder);
});

test('a text comes back until it is deleted, and no other file is left', async () => {
  const folder = join(FOLDER, 'new', 'tune-1');
  const store = new UserStore(fs, folder);
  expect(store.isUsed).toBe(false);
  expect(await store.get('cpu x 2')).toBe(null);
  await store.set('cpu x 2', 'one');
  await store.set('cpu x 2', 'two');
  expect([store.isUsed, await store.get('cpu x 2')]).toEqual([true, 'two']);
  expect(readdirSync(folder)).toEqual(['cpu-x-2']);
  await store.delete('cpu x 2');
  await store.delete('cpu x 2');
  expect(await store.get('cpu x 2')).toBe(null);
});

test('many writers at once leave one whole text', async () => {
  const store = new UserStore(fs, join(FOLDER, 'many'));
  const texts = Array.from({ length: 20 }, (_, k) => `${k}`.repeat(10_000));
  await Promise.all(texts.map((text) => store.set('key', text)));
  expect(texts).toContain(await store.get('key'));
  expect(readdirSync(join(FOLDER, 'many'))).toEqual(['key']);
});

test('a folder that cannot be made is an error, and so is a file that cannot be read', async () => {
  writeFileSync(join(FOLDER, 'file'), 'text');
  const store = new UserStore(fs, join(FOLDER, 'file', 'tune-1'));
  await expect(store.set('key', 'text')).rejects.toThrow('ENOTDIR');
  await expect(store.get('key')).rejects.toThrow('ENOTDIR');
  expect(readFileSync(join(FOLDER, 'file'), 'utf8')).toBe('text');
});

test.runIf(process.platform === 'linux')('a folder below /proc is an error at once', async () => {
  await expect(new UserStore(fs, '/proc/none/tune-1').set('key', 'text')).rejects.toThrow(/ENOENT|EACCES|EPERM|EROFS/);
});

test('a program that may not look has no store, or an unused one', () => {
  const forbid = (): never => {
    throw new Error('permission denied');
  };
  expect(userStore('tune-1')).not.toBe(null);
  const env = vi.spyOn(process, 'env', 'get').mockImplementation(forbid);
  expect(userStore('tune-1')).toBe(null);
  env.mockRestore();
  expect(new UserStore({ ...fs, existsSync: forbid } as typeof fs, FOLDER).isUsed).toBe(false);
});
