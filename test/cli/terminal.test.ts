/** What a terminal gets: a bar where the cursor moves, and no codes where it does not. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, run } from './run.js';

// script (util-linux) gives a program a terminal of its own and copies what appears there.
const hasScript = /util-linux/.test(spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '');
if (!hasScript) console.warn('what a terminal gets is not tested: there is no script of util-linux');

let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-terminal-'));
  writeFileSync(join(folder, 'matrix.sms'), (await run(['generate', 'mk', '11', '3'])).stdout);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** All that appears on a terminal of that kind while a run of some seconds goes on. */
function shown(term: string): Promise<string> {
  const words = [process.execPath, CLI, 'rank', join(folder, 'matrix.sms'), '2147483629', '--threads', '1'];
  const command = [...words, '--method', 'wiedemann', '--no-color'].map((word) => `'${word}'`).join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn('script', ['-qec', command, '/dev/null'], { env: { ...process.env, TERM: term } });
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
}

describe.skipIf(!hasScript)('a long run', () => {
  test('shows a bar', async () => {
    expect(await shown('xterm')).toContain('\x1b[');
  });

  test('shows the answer alone where TERM is dumb', async () => {
    const text = await shown('dumb');
    expect(text).toMatch(/^5994\r\nrank 5994 of 17325 x 6930 mod 2147483629 .*\r\n$/);
    expect(text).not.toContain('\x1b');
  });
});
