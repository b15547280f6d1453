/** What --max-memory takes: powers of 1024 unless a B alone says 1000. */
import { expect, test } from 'vitest';
import { byteCount } from '../../src/commands/byte-count.js';
import { run } from './run.js';

test.each([
  ['0', 0],
  ['1234567', 1234567],
  ['500B', 500],
  ['64k', 64 * 2 ** 10],
  ['500M', 500 * 2 ** 20],
  ['2G', 2 * 2 ** 30],
  ['2GiB', 2 * 2 ** 30],
  ['2gib', 2 * 2 ** 30],
  ['2GB', 2e9],
  ['2gb', 2e9],
  ['1.5 GB', 1.5e9],
  ['1.5G', 1.5 * 2 ** 30],
  ['1T', 2 ** 40],
  ['1TB', 1e12],
  ['7KB', 7000],
  ['7KiB', 7168],
])('%s is %i bytes', (text, bytes) => {
  expect(byteCount('--max-memory', text)).toBe(bytes);
});

test.each(['', 'G', '-1', '2iB', '2Gi', '2 x', '1e9', '2GBB', '0x10', '.5G', '2P'])('%j is none', (text) => {
  const line = `--max-memory: expected bytes, such as 500M, 2G (2GiB) or 2GB, got ${text}`;
  expect(() => byteCount('--max-memory', text)).toThrow(line);
});

test('the command line takes GB and GiB, and says what they are', async () => {
  const input = '1 1 M\n1 1 1\n0 0 0\n';
  for (const size of ['2GB', '2GiB']) {
    expect(await run(['rank', '-', '7', '-q', '--max-memory', size], { input })).toMatchObject({
      code: 0,
      stdout: '1\n',
    });
  }
  const { stdout } = await run(['rank', '--help']);
  expect(stdout.replace(/\s+/g, ' ')).toContain('500M, 2G or 2GiB (of 1024), 2GB (of 1000)');
  expect(stdout).toMatch(/-p, --mod <p> .*0/);
});
