/**
 * Disks that are full, file systems in memory of a few pages: whoever writes there stops with one line and its exit
 * code, and leaves nothing half written; with more room the same command goes on, to the same answer.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { deficientText } from '../cli/deficient-text.js';
import { run } from '../cli/run.js';

const RANK = 1150;
const P = ['-p', '65521', '-q'];

const folder = mkdtempSync(join(tmpdir(), 'wiedemann-full-'));
const disk = join(folder, 'disk');
const at = (name: string): string => join(folder, name);
const on = (name: string): string => join(disk, name);

function mount(...words: string[]): void {
  execFileSync('mount', ['-t', 'tmpfs', ...words, 'tmpfs', disk], { stdio: 'pipe' });
}

/** `kilobytes` on the disk from now on. */
const resize = (kilobytes: number): void => mount('-o', `remount,size=${kilobytes}k`);

const unmount = (): void => void execFileSync('umount', [disk], { stdio: 'pipe' });

/** Why none can be mounted here; null where one can. */
function reasonAgainst(): string | null {
  mkdirSync(disk);
  try {
    mount();
    unmount();
    return null;
  } catch (error) {
    return `${(error as Error).message.trim().split('\n').at(-1)}`;
  }
}

const reason = reasonAgainst();
if (reason !== null) console.log(`full disks are not tested, as no file system can be mounted here: ${reason}`);

describe.skipIf(reason !== null)('a full disk', () => {
  beforeAll(async () => {
    writeFileSync(at('a.sms'), deficientText(RANK + 50, RANK));
    writeFileSync(at('ex.sms'), (await run(['generate', 'ex', '2'])).stdout);
    writeFileSync(at('bibd.sms'), (await run(['generate', 'bibd', '45', '3'])).stdout);
    writeFileSync(at('full.sms'), (await run(['generate', 'random', '600', '640', '300', '65521', '1', '20'])).stdout);
    return () => rmSync(folder, { recursive: true });
  });
  beforeEach(() => mount('-o', 'size=64m'));
  afterEach(unmount);

  const rank = { code: 0, stdout: `${RANK}\n`, stderr: '' };

  // From its first page on, all of them below what the run takes.
  test.each([4, 8, 12, 16, 20, 28, 40])('--run, %i kB', async (kilobytes) => {
    resize(kilobytes);
    const words = ['rank', at('a.sms'), ...P, '--block', '2x1', '--run', on('run'), '--checkpoint-interval', '0'];
    const steps = (): number => {
      const names = readdirSync(on('run')).filter((name) => name.includes('-vectors-'));
      return Math.max(
        0,
        ...names.map(
          (name) =>
            JSON.parse(
              readFileSync(on(`run/${name}`))
                .toString()
                .split('\n')[0]!,
            ).steps,
        ),
      );
    };
    let room = kilobytes;
    let stops = 0;
    for (let before = 0; ; room *= 2, stops++) {
      resize(room);
      const ended = await run(words);
      if (ended.code === 0) {
        expect(ended).toEqual(rank);
        break;
      }
      expect(ended).toEqual({ code: 74, stdout: '', stderr: `rank: ${on('run')}: no space left on the disk\n` });
      expect(readdirSync(on('run')).filter((name) => name.startsWith('.'))).toEqual([]);
      const status = await run(['status', on('run'), '--whole']);
      if (readdirSync(on('run')).includes('manifest.json')) expect(status.stdout).not.toContain('damaged');
      expect(steps()).toBeGreaterThanOrEqual(before);
      before = steps();
    }
    expect(stops).toBeGreaterThan(0);
    console.log(`--run with ${kilobytes} kB: ${stops} stops, the rank with ${room} kB`);
  });

  test('run plan and run krylov', async () => {
    const plan = ['run', 'plan', at('a.sms'), '-p', '65521', '--parts', '2', '--block', '4x2', '-o', on('run')];
    const stages = [['krylov', '0'], ['krylov', '1'], ['generator'], ['verify']].map(([stage, part]) => {
      const own = part === undefined ? [] : ['--part', part];
      return ['run', stage!, on('run'), ...own, '-q', '--checkpoint-interval', '0'];
    });
    let stops = 0;
    let last = '';
    let room = 4;
    for (const words of [plan, ...stages]) {
      for (; ; room += 60, stops++) {
        resize(room);
        const { code, stdout, stderr } = await run(words);
        last = stdout;
        if (code === 0) break;
        expect({ code, stdout }).toEqual({ code: 74, stdout: '' });
        expect(stderr).toBe(`run: ${on('run')}: no space left on the disk\n`);
      }
    }
    expect(last).toBe(`${RANK}\n`);
    expect(stops).toBeGreaterThan(3);
    console.log(`in parts: ${stops} stops`);
  });

  test.each([
    ['--output', 'nullspace', 'ex.sms', [...P, '--output']],
    ['--certificate', 'rank', 'bibd.sms', [...P, '--certificate']],
    ['-o', 'spy', 'ex.sms', ['-o']],
  ])('%s of %s', async (option, verb, matrix, words) => {
    const [file, asked] = [on(verb === 'spy' ? 'file.png' : 'file'), [verb, at(matrix), ...words]];
    expect((await run([...asked, at('known.png'), ...(verb === 'spy' ? [] : ['--seed', '1'])])).code).toBe(0);
    const known = readFileSync(at('known.png'));
    const seed = verb === 'spy' ? [] : ['--seed', '1'];
    // Nothing, and all but the last page.
    for (const kilobytes of [4, 4 * Math.floor(known.length / 4096)]) {
      resize(64 * 1024);
      writeFileSync(file, 'old');
      writeFileSync(on('other'), new Uint8Array(4096));
      resize(8 + kilobytes - 4);
      const { code, stderr } = await run([...asked, file, ...seed]);
      expect(stderr).toMatch(/^\w+: [^\n]*: no space left on the disk\n$/);
      expect(stderr).toContain(file);
      expect(code).toBe(kilobytes === 4 ? 73 : 74);
      expect(readFileSync(file, 'utf8')).toBe('old');
      expect(readdirSync(disk).sort()).toEqual([file.split('/').at(-1), 'other']);
    }
    resize(64 * 1024);
    expect((await run([...asked, file, ...seed])).code).toBe(0);
    expect(readFileSync(file).equals(known), option).toBe(true);
  });

  test.each([4, 256, 1024, 2048])('--scratch, %i kB', async (kilobytes) => {
    resize(kilobytes);
    const words = ['rank', at('full.sms'), ...P, '--max-memory', '6500K', '--scratch', disk];
    const stderr = `rank: scratch ${disk}: no space left on the disk\n`;
    expect(await run(words)).toEqual({ code: 74, stdout: '', stderr });
    expect(readdirSync(disk)).toEqual([]);
    resize(64 * 1024);
    expect(await run(words)).toEqual({ code: 0, stdout: '580\n', stderr: '' });
    expect(readdirSync(disk)).toEqual([]);
  });
});
