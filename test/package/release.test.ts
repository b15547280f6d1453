/** The release script on a repository of its own, whose tests are one line. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';

const RELEASE = fileURLToPath(new URL('../../scripts/release.mjs', import.meta.url));
const CHANGELOG = '# Changelog\n\n## 1.1.0 — unreleased\n\n- A change.\n\n## 1.0.0 — 2020-01-01\n\n- The first.\n';

let folder: string;
const git = (...words: string[]): string => execFileSync('git', words, { cwd: folder, encoding: 'utf8' }).trim();
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const commit = (name: string, text: string): void => {
  writeFileSync(join(folder, name), text);
  git('add', '.');
  git('commit', '--quiet', '--message', name);
};
/** package.json of 1.0.0, whose tests are `program`. */
const manifest = (program: string): string =>
  `${JSON.stringify({ name: 'small', version: '1.0.0', files: ['index.js'], scripts: { test: program } }, null, 2)}\n`;

function release(...words: string[]): { readonly status: number | null; readonly line: string; readonly told: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RELEASE, ...words], {
    cwd: folder,
    encoding: 'utf8',
  });
  return {
    status,
    line: stderr
      .split('\n')
      .filter((line) => line.startsWith('release: '))
      .join('\n'),
    told: stdout,
  };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-release-'));
  git('init', '--quiet');
  git('config', 'user.email', 'test@example.org');
  git('config', 'user.name', 'test');
  writeFileSync(join(folder, 'index.js'), 'export {};\n');
  writeFileSync(join(folder, '.gitignore'), '*.tgz\ntesting\n');
  writeFileSync(
    join(folder, 'package-lock.json'),
    `${JSON.stringify({ name: 'small', version: '1.0.0', lockfileVersion: 3, packages: { '': { name: 'small', version: '1.0.0' } } })}\n`,
  );
  writeFileSync(join(folder, 'CHANGELOG.md'), CHANGELOG);
  mkdirSync(join(folder, 'src/questions'), { recursive: true });
  writeFileSync(join(folder, 'src/questions/version.ts'), "export const VERSION = '1.0.0';\n");
  commit('package.json', manifest('node -e 0'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a version is written, tested, packed and tagged', () => {
  const { status, line, told } = release('1.1.0');
  expect([status, line]).toEqual([0, '']);
  expect(told).toMatch(/^ +\d+ {2}index\.js$/m);
  expect(told).toMatch(/^small-1\.1\.0\.tgz: 2 files, \d+ bytes, \d+ unpacked$/m);
  expect(git('tag', '--points-at', 'HEAD')).toBe('v1.1.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(JSON.parse(read('package.json')).version).toBe('1.1.0');
  expect(JSON.parse(read('package-lock.json')).version).toBe('1.1.0');
  expect(read('src/questions/version.ts')).toBe("export const VERSION = '1.1.0';\n");
  expect(read('CHANGELOG.md')).toMatch(/^## 1\.1\.0 — \d{4}-\d\d-\d\d$/m);
  expect(existsSync(join(folder, 'small-1.1.0.tgz'))).toBe(true);
});

test('a dry run tells the same and keeps nothing', () => {
  const head = git('rev-parse', 'HEAD');
  const { status, told } = release('1.1.0', '--dry-run');
  expect(status).toBe(0);
  expect(told).toMatch(/^small-1\.1\.0\.tgz: 2 files/m);
  expect(told).toContain('nothing kept: a dry run');
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([head, '', '']);
  expect(existsSync(join(folder, 'small-1.1.0.tgz'))).toBe(false);
});

test.each<[string, () => void, readonly string[], RegExp]>([
  ['no version', () => {}, [], /^release: expected a version such as 1\.2\.3, got none$/],
  ['a word', () => {}, ['next'], /^release: expected a version such as 1\.2\.3, got next$/],
  ['an unknown option', () => {}, ['1.1.0', '--force'], /^release: Unknown option '--force'/],
  [
    'a tree with changes',
    () => writeFileSync(join(folder, 'new.js'), ''),
    ['1.1.0'],
    /clean tree, got changes: \?\? new\.js$/,
  ],
  [
    'a version without changes',
    () => {},
    ['1.2.0'],
    /^release: CHANGELOG\.md: expected changes below '## 1\.2\.0 — unreleased', got none$/,
  ],
  ['a version that is out', () => git('tag', 'v1.1.0'), ['1.1.0'], /^release: the tag v1\.1\.0 is there already$/],
  [
    'tests that fail',
    () => commit('package.json', manifest('node -e "process.exit(1)"')),
    ['1.1.0'],
    /^release: npm test failed$/,
  ],
])('%s is refused in one line, and nothing is left', (_, arrange, words, expected) => {
  arrange();
  const [head, status] = [git('rev-parse', 'HEAD'), git('status', '--porcelain')];
  const refused = release(...words);
  expect(refused.status).toBe(1);
  expect(refused.line).toMatch(expected);
  expect([git('rev-parse', 'HEAD'), git('status', '--porcelain')]).toEqual([head, status]);
});

/** What a release may change: the branch, the tags, the tree, and the folder's files. */
const state = (): unknown[] => [
  git('rev-parse', 'HEAD'),
  git('tag'),
  git('status', '--porcelain'),
  readdirSync(folder),
];

test.each<[string, () => void, RegExp]>([
  [
    'a commit that a hook refuses',
    () => writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\necho no >&2; exit 1\n', { mode: 0o755 }),
    /^release: git commit .* failed: no$/,
  ],
  [
    'a tag that cannot be made',
    () => {
      mkdirSync(join(folder, '.git/refs/tags'), { recursive: true });
      writeFileSync(join(folder, '.git/refs/tags/v1.1.0.lock'), '');
    },
    /^release: git tag v1\.1\.0 failed: .*v1\.1\.0/,
  ],
  [
    'a folder in the place of the tarball',
    () => mkdirSync(join(folder, 'small-1.1.0.tgz')),
    /^release: small-1\.1\.0\.tgz cannot be written: E[A-Z_]+$/,
  ],
])('%s leaves neither commit, tag, tarball nor version', (_, arrange, expected) => {
  arrange();
  const before = state();
  const refused = release('1.1.0');
  expect([refused.status, refused.line]).toEqual([1, expect.stringMatching(expected)]);
  expect(state()).toEqual(before);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s while the tests run ends them and leaves nothing', async (signal, code) => {
  const program = `setInterval(() => require('fs').appendFileSync('testing', '.'), 10)`;
  commit('package.json', manifest(`node -e "${program}" && node -e 0`));
  const before = state();
  const testing = new Promise<void>((resolve) => {
    const watcher = watch(folder, () => {
      if (!existsSync(join(folder, 'testing'))) return;
      watcher.close();
      resolve();
    });
  });
  const released = spawn(process.execPath, [RELEASE, '1.1.0'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  released.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  const ended = new Promise((resolve) => released.once('close', resolve));
  await testing;
  expect(JSON.parse(read('package.json')).version).toBe('1.1.0');
  released.kill(signal);
  expect(await ended).toBe(code);
  expect(told).toMatch(new RegExp(`^release: ended by ${signal}$`, 'm'));
  const written = read('testing');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(read('testing')).toBe(written); // nobody writes any more
  rmSync(join(folder, 'testing'));
  expect(state()).toEqual(before);
});
