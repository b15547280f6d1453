/** Where `rank --certificate` writes: whole or not at all, what links point at, and never over the matrix. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, type Ended, limited, run } from './run.js';

const SMALL = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n'; // rank 2

let root = '';
let folder = ''; // of one test
let matrix = '';
let number = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'wiedemann-certificate-'));
});
afterAll(() => rmSync(root, { recursive: true }));

/** A path in a folder of the test's own, which has the matrix in it. */
function own(name: string): string {
  folder = join(root, `${++number}`);
  mkdirSync(folder);
  matrix = join(folder, 'small.sms');
  writeFileSync(matrix, SMALL);
  return join(folder, name);
}

const RANK = ['-p', '65521', '--seed', '5'];

function certify(file: string, ...more: string[]): Promise<Ended> {
  return run(['rank', matrix, ...RANK, '--certificate', file, ...more]);
}

describe('the file', () => {
  test('may have a name as long as names are', async () => {
    const file = own('n'.repeat(250));
    expect(await certify(file)).toMatchObject({ code: 0, stdout: '2\n' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ rank: 2 });
    expect(readdirSync(folder).sort()).toEqual(['n'.repeat(250), 'small.sms']);
  });

  test('keeps its permissions', async () => {
    const file = own('private');
    writeFileSync(file, 'old');
    chmodSync(file, 0o600);
    expect(await certify(file)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is made where a link points that leads nowhere yet, through other links', async () => {
    const link = own('link');
    mkdirSync(join(folder, 'deep'));
    symlinkSync('deep/second', link);
    symlinkSync('../made', join(folder, 'deep', 'second'));
    expect(await certify(link)).toMatchObject({ code: 0, stdout: '2\n' });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, 'deep', 'second')).isSymbolicLink()).toBe(true);
    expect(lstatSync(join(folder, 'made')).isFile()).toBe(true);
  });
});

test('a trial file leaves nothing when the program is killed at it', async () => {
  const preload = own('killed.mjs');
  const text = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    fs.fsyncSync = () => process.kill(process.pid, 'SIGKILL');
    syncBuiltinESMExports();`;
  writeFileSync(preload, text);
  const words = ['rank', matrix, ...RANK, '--certificate', join(folder, 'x')];
  const { code } = await run(words, { nodeOptions: ['--import', preload] });
  expect([code, readdirSync(folder).filter((name) => name.includes('partial'))]).toEqual([null, []]);
});

describe('found out before the work: exit 73', () => {
  const refused = async (file: string, why: string): Promise<void> => {
    // A file that is not there would end the run with 65, had it begun.
    const ended = await run(['rank', join(folder, 'no-matrix'), ...RANK, '--certificate', file]);
    expect(ended).toEqual({ code: 73, stdout: '', stderr: `rank: --certificate ${file || "''"}: ${why}\n` });
    expect(readdirSync(folder).filter((name) => name.includes('partial'))).toEqual([]);
  };

  test('a folder, a folder that is not there, a name that is too long, links in a circle', async () => {
    const circle = own('circle');
    symlinkSync('circle', circle);
    await refused(folder, 'a directory');
    await refused(`${folder}/`, 'a directory');
    await refused(join(folder, 'none', 'x'), 'no such file');
    await refused(join(matrix, 'x'), 'no such folder');
    await refused(join(folder, 'n'.repeat(300)), 'the name is too long');
    await refused(circle, 'too many links');
    await refused('', 'a directory');
    const strange = await run(['rank', matrix, ...RANK, '--certificate', join(folder, 'two\nlines', 'x')]);
    expect(strange).toMatchObject({ code: 73, stdout: '' });
    expect(strange.stderr).toMatch(/^rank: --certificate .*two\\x0alines.x: no such file\n$/);
  });

  test('the matrix itself, by whatever name, and as standard input', async () => {
    const link = own('link');
    const hard = join(folder, 'hard');
    symlinkSync('small.sms', link);
    linkSync(matrix, hard);
    for (const file of [matrix, link, hard, `${folder}/./small.sms`]) {
      expect(await certify(file)).toEqual({
        code: 73,
        stdout: '',
        stderr: `rank: --certificate ${file}: the matrix itself\n`,
      });
    }
    const shell = `"$0" "$1" rank -p 7 --certificate "$2" < "$2"`;
    const code = await new Promise((resolve) =>
      spawn('sh', ['-c', shell, process.execPath, CLI, matrix]).on('close', resolve),
    );
    expect(code).toBe(73);
    expect(readFileSync(matrix, 'utf8')).toBe(SMALL);
  });

  // Root may write every file: it becomes nobody, where nobody may run the program.
  const who = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
  const asUser = (words: readonly string[]) =>
    spawnSync(process.execPath, [CLI, ...words], { encoding: 'utf8', ...who });
  const runs = asUser(['--version']).status === 0;
  if (!runs) console.warn('files that may not be written are not tested: root may, and nobody may not run the program');
  test.skipIf(!runs)('what may not be written', () => {
    const file = own('read-only');
    const locked = join(folder, 'locked');
    writeFileSync(file, 'old');
    mkdirSync(locked);
    for (const [path, mode] of [
      [root, 0o755],
      [folder, 0o777],
      [locked, 0o555],
      [file, 0o444],
    ] as const)
      chmodSync(path, mode);
    for (const path of [file, join(locked, 'x')]) {
      const { status, stdout, stderr } = asUser(['rank', matrix, ...RANK, '--certificate', path]);
      const line = `rank: --certificate ${path}: permission denied\n`;
      expect({ status, stdout, stderr }).toEqual({ status: 73, stdout: '', stderr: line });
    }
    expect(readFileSync(file, 'utf8')).toBe('old');
  });

  test('a disk without room for a page', async () => {
    const file = own('certificate');
    writeFileSync(file, 'old');
    const ended = await limited(4, ['rank', matrix, ...RANK, '--certificate', file]);
    const stderr = `rank: --certificate ${file}: larger than files may be\n`;
    expect(ended).toEqual({ code: 73, stdout: '', stderr });
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['certificate', 'small.sms']);
  });
});

describe('found out in the end: exit 74, the rank printed, the old file kept', () => {
  const QUESTION = ['-p', '65521', '--seed', '5', '-q', '--certificate'];

  /** A matrix whose certificate takes more than `bytes`. */
  async function large(bytes: number): Promise<void> {
    writeFileSync(matrix, (await run(['generate', 'bibd', '45', '3'])).stdout);
    const probe = join(folder, 'probe');
    await run(['rank', matrix, ...QUESTION, probe]);
    expect(statSync(probe).size).toBeGreaterThan(bytes);
    rmSync(probe);
  }

  test('a file size limit', async () => {
    const file = own('certificate');
    writeFileSync(file, 'old');
    await large(5120);
    const ended = await limited(10, ['rank', matrix, ...QUESTION, file]);
    const stderr = `rank: --certificate ${file}: larger than files may be\n`;
    expect(ended).toEqual({ code: 74, stdout: '990\n', stderr });
    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual(['certificate', 'small.sms']);
  });

  test('a full disk', async ({ skip }) => {
    const disk = mounted('8k');
    if (disk === null) return skip();
    try {
      own('');
      await large(8192);
      const file = join(disk, 'certificate');
      writeFileSync(file, 'old');
      const ended = await run(['rank', matrix, ...QUESTION, file]);
      // One page is taken by the old file.
      const stderr = `rank: --certificate ${file}: no space left on the disk\n`;
      expect(ended).toEqual({ code: 74, stdout: '990\n', stderr });
      expect(readFileSync(file, 'utf8')).toBe('old');
      expect(readdirSync(disk)).toEqual(['certificate']);
    } finally {
      execFileSync('umount', [disk]);
      rmSync(disk, { recursive: true });
    }
  });

  test.skipIf(!existsSync('/dev/full'))('a device', async () => {
    own('');
    const ended = await certify('/dev/full', '-q');
    const stderr = 'rank: --certificate /dev/full: no space left on the disk\n';
    expect(ended).toEqual({ code: 74, stdout: '2\n', stderr });
  });
});

/** A folder on a disk of that size; null, and why is said, where none can be had. */
function mounted(size: string): string | null {
  const place = mkdtempSync(join(tmpdir(), 'wiedemann-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'none', place], { stdio: 'pipe' });
    return place;
  } catch (error) {
    rmSync(place, { recursive: true });
    console.warn(`a full disk is not tested: ${(error as Error).message.trim().split('\n').at(-1)}`);
    return null;
  }
}

describe('--certificate -', () => {
  test('has standard output to itself; the rank is on stderr', async () => {
    own('');
    const ended = await run(['rank', matrix, ...RANK, '--certificate', '-'], { cwd: folder });
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ rank: 2 });
    expect(ended.stderr).toMatch(/^rank 2 of 3 x 4 mod 65521 {3}proved.*\n$/);
    const file = join(folder, 'beside');
    await certify(file);
    expect(ended.stdout).toBe(readFileSync(file, 'utf8'));
    const quiet = await run(['rank', matrix, ...RANK, '--certificate', '-', '-q'], { cwd: folder });
    expect(quiet).toEqual({ code: 0, stdout: ended.stdout, stderr: '' });
    expect(readdirSync(folder).sort()).toEqual(['beside', 'small.sms']); // no file named -
    // And verify reads it there.
    expect(await run(['verify', '-', matrix, '-q'], { input: ended.stdout })).toEqual({
      code: 0,
      stdout: '2\n',
      stderr: '',
    });
  });

  test('cannot share it with --json', async () => {
    own('');
    const ended = await run(['rank', matrix, ...RANK, '--certificate', '-', '--json']);
    const stderr = 'rank: --certificate -: expected no --json, both would be on standard output\n';
    expect(ended).toEqual({ code: 2, stdout: '', stderr });
  });

  test('on a full disk: exit 74, one line', async () => {
    const output = own('output');
    const fd = openSync(output, 'w');
    try {
      const ended = await limited(0, ['rank', matrix, ...RANK, '--certificate', '-'], fd);
      expect(ended).toEqual({ code: 74, stdout: '', stderr: 'rank: standard output: larger than files may be\n' });
    } finally {
      closeSync(fd);
    }
  });
});
