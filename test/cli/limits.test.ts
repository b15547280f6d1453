/**
 * What the system refuses, or the host has not: one line and exit code 71 wherever Node itself starts, or an answer.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI } from './run.js';

/** Answered in the program's own thread, and by kernels on threads. */
const SMALL = '3 3 M\n1 1 1\n2 2 1\n3 3 5\n0 0 0\n';
const LARGE = `4000 4000 M\n${Array.from({ length: 4000 }, (_, i) => `${i + 1} ${i + 1} 1\n${i + 1} ${((i * 7) % 4000) + 1} 1\n`).join('')}0 0 0\n`;
const ON_THREADS = ['--threads', '2', '--method', 'wiedemann', '--at-least', '3'];

let folder = '';
let small = '';
let large = '';
let empty = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-limits-'));
  chmodSync(folder, 0o755); // another user reads it
  [small, large, empty] = ['small.sms', 'large.sms', 'empty.cjs'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(small, SMALL);
  writeFileSync(large, LARGE);
  writeFileSync(empty, '');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Node with these words, after `before` in a shell. */
function node(before: string, words: readonly string[], options: { cwd?: string; as?: readonly string[] } = {}): Ended {
  const [program, ...rest] = [
    ...(options.as ?? []),
    'bash',
    '-c',
    `${before} exec "$@"`,
    '-',
    process.execPath,
    ...words,
  ];
  const { NODE_OPTIONS: _, ...env } = process.env;
  return spawnSync(program!, rest, { encoding: 'utf8', timeout: 150_000, env, cwd: options.cwd ?? folder });
}

/** An answer, or one line that says what is refused. */
function expectLine({ status, stdout, stderr }: Ended, line: RegExp): void {
  // Node's own words, not the program's.
  const said = stderr.replace(/^(Warning: disabling flag|node\[\d+\]: pthread_create).*\n/gm, '');
  expect({ status, said }).toEqual({ status: status === 0 ? 0 : 71, said: expect.stringMatching(/^[^\n]+\n$/) });
  if (status === 0) return;
  expect(stdout).toBe('');
  expect(said).toMatch(line);
}

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux)('limits', () => {
  // 1.3 GB: Node starts, V8 has none for a second heap. 3: for heaps, and no memory of WebAssembly. 12.4: for that
  // alone.
  test.each([1_300_000, 1_700_000, 3_000_000, 12_400_000, 12_800_000, 14_000_000])(
    'address space of %i kB',
    (limit) => {
      const before = `ulimit -v ${limit};`;
      const line = /^rank: (no address space for .*\(ulimit -v\)|threads 2: the address space .*)/;
      expectLine(node(before, [CLI, 'rank', small, '-p', '7']), line);
      expectLine(node(before, [CLI, 'rank', large, '-p', '7', ...ON_THREADS]), line);
      expectLine(node(before, [CLI, 'rank', large, '-p', '7', '--at-least', '3']), line);
    },
  );

  test('what would help does', () => {
    const asked = [CLI, 'rank', large, '-p', '7', '--method', 'wiedemann', '--at-least', '3', '-q'];
    const refused = node('ulimit -v 3000000;', asked);
    expect(refused).toMatchObject({ status: 71, stdout: '' });
    expect(refused.stderr).toMatch(/^rank: .*node --disable-wasm-trap-handler takes little, device reference none\n$/);
    expect(node('ulimit -v 3000000;', ['--disable-wasm-trap-handler', ...asked])).toMatchObject({ status: 0 });
    const reference = [CLI, 'rank', small, '-p', '7', '--device', 'reference', '-q'];
    expect(node('ulimit -v 3000000;', reference)).toMatchObject({ status: 0, stdout: '3\n' });
  });

  test('open files', () => {
    let tried = 0;
    for (let limit = 17; limit <= 26; limit++) {
      const before = `ulimit -n ${limit};`;
      if (tried === 0 && node(before, [empty]).status !== 0) continue; // Node itself
      expectLine(node(before, [CLI, 'rank', small, '-p', '7', '--threads', '2']), /^(rank|wiedemann): .*EMFILE/);
      tried++;
    }
    expect(tried).toBeGreaterThan(4);
  });

  const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
  const mayTry =
    isLinux && process.getuid?.() === 0 && spawnSync(nobody[0]!, [...nobody.slice(1), 'test', '-r', CLI]).status === 0;

  test.skipIf(!mayTry)('threads of a user', () => {
    const statuses = new Set<number | null>();
    for (let limit = 6; limit <= 14; limit++) {
      const before = `ulimit -u ${limit};`;
      if (statuses.size === 0 && node(before, [empty], { as: nobody }).status !== 0) continue;
      for (const words of [
        ['rank', small, '-p', '7'],
        ['rank', large, '-p', '7', ...ON_THREADS],
      ]) {
        const ended = node(before, [CLI, ...words], { as: nobody });
        expectLine(ended, /^rank: .*no more threads are allowed \(ulimit -u\)/);
        statuses.add(ended.status);
      }
    }
    expect([...statuses].sort()).toEqual([0, 71]);
  });

  test('a current folder that is gone', () => {
    const gone = (): string => mkdtempSync(join(folder, 'gone-'));
    const rmdir = 'rmdir "$PWD";';
    const ended = node(rmdir, [CLI, 'rank', large, '-p', '7', ...ON_THREADS], { cwd: gone() });
    expect(ended).toMatchObject({ status: 71, stdout: '' });
    expectLine(ended, /^rank: .*the current folder is gone; start the program in another one/);
    expect(node(rmdir, [CLI, 'rank', small, '-p', '7', '-q'], { cwd: gone() })).toMatchObject({
      status: 0,
      stdout: '3\n',
    });
  });
});

describe('a host without', () => {
  test('WebAssembly: what needs none is answered, and device reference named', () => {
    const asked = ['--jitless', CLI, 'rank', large, '-p', '7', '--method', 'wiedemann', '--at-least', '3', '-q'];
    const ended = node('', asked);
    expect(ended).toMatchObject({ status: 71, stdout: '' });
    expectLine(ended, /^rank: there is no WebAssembly here, .*device reference needs none\n$/);
    expect(node('', ['--jitless', CLI, 'rank', small, '-p', '7', '-q'])).toMatchObject({ status: 0, stdout: '3\n' });
    const reference = node('', ['--jitless', CLI, 'rank', large, '-p', '7', '--device', 'reference', '-q']);
    const usual = node('', [CLI, 'rank', large, '-p', '7', '-q']);
    expect(reference).toMatchObject({ status: 0, stdout: usual.stdout });
  });

  test('SharedArrayBuffer: one thread answers, or one line', () => {
    const ended = node('', ['--no-harmony-sharedarraybuffer', CLI, 'rank', large, '-p', '7', ...ON_THREADS]);
    expect(ended.status).toBe(0);
    expect(ended.stderr).toContain('on 1 thread ');
    const hook = join(folder, 'hook.cjs');
    writeFileSync(hook, 'delete globalThis.SharedArrayBuffer;');
    expectLine(
      node('', ['--require', hook, CLI, 'rank', large, '-p', '7', ...ON_THREADS]),
      /^rank: .*there is no SharedArrayBuffer, which a thread needs/,
    );
  });
});
