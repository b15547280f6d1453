/** `rank --certificate` and `verify`: where certificates go, what they hold for, and what is refused. */
import { execFileSync } from 'node:child_process';
import { closeSync, lstatSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { generated } from './generated.js';
import { SMALL, SQUARE, smallFiles } from './own-files.js';
import { CLI, run } from './run.js';

const path = smallFiles();

describe('certificates', () => {
  test('rank writes one, verify checks it', async () => {
    const [matrix, certificate] = [path('small.sms'), path('small.cert')];
    for (const p of ['2', '5', '65521', '2147483629']) {
      const written = await run(['rank', matrix, '-p', p, '--certificate', certificate]);
      expect(written).toMatchObject({ code: 0, stdout: p === '5' ? '1\n' : '2\n' });
      const verified = await run(['verify', certificate, matrix]);
      expect(verified).toMatchObject({ code: 0, stdout: written.stdout });
      expect(verified.stderr).toMatch(/certified, error below 2\^-64 a bound\n$/);
      expect((await run(['verify', certificate, '-q'], { input: SMALL })).stdout).toBe(written.stdout);
      const { rank, upperBound, mod } = JSON.parse((await run(['verify', certificate, matrix, '--json'])).stdout);
      expect({ rank: `${rank}\n`, upperBound, mod }).toEqual({ rank: written.stdout, upperBound: rank, mod: p });
    }
  });

  test('one line and an exit code for what does not hold or cannot be read', async () => {
    const [matrix, certificate] = [path('small.sms'), path('small.cert')];
    await run(['rank', matrix, '-p', '65521', '--certificate', certificate]);
    const other = await run(['verify', certificate], { input: SQUARE });
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toBe(`verify: ${certificate}: the certificate is about a 3 x 4 matrix, this one is 3 x 3\n`);
    const cases: [string[], number, RegExp][] = [
      [['verify', matrix, matrix], 65, /^verify: .*small.sms: certificate: format: expected JSON/],
      [['verify', path('none'), matrix], 65, /no such file/],
      [['verify', certificate, matrix, '-p', '7'], 1, /it is about the rank mod 65521, not 7/],
      [['verify', certificate, matrix, '--at-least', '3'], 1, /it shows rank 2, not 3 or more/],
      [['verify', path('.'), matrix], 65, /a directory/],
      [['rank', matrix, '-p', '2305843009213693951', '--certificate', certificate], 2, /a prime below 2\^31/],
      [['rank', matrix, '-p', '5', '--certificate', path('none/x')], 73, /--certificate/],
      [['rank', matrix, '-p', '5', '--certificate', path('.')], 73, /--certificate .* directory/],
    ];
    for (const [args, code, message] of cases) {
      const ended = await run(args);
      expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code, stdout: '' });
      expect(ended.stderr).toMatch(message);
      expect(ended.stderr.split('\n')).toHaveLength(2);
    }
  });
});

test('a certificate fills a pipe, and goes where a link points: neither is replaced', async () => {
  const [matrix, pipe, link, file] = ['small.sms', 'pipe', 'link', 'pointed-at'].map(path);
  execFileSync('mkfifo', [pipe]);
  writeFileSync(file, 'what was there before');
  symlinkSync(file, link);
  const question = ['rank', matrix, '-p', '65521', '--seed', '5', '-q', '--certificate'];
  const [text, ended] = await Promise.all([readFile(pipe, 'utf8'), run([...question, pipe])]);
  expect(ended).toMatchObject({ code: 0, stdout: '2\n' });
  expect(lstatSync(pipe).isFIFO()).toBe(true);
  expect(await run([...question, link])).toMatchObject({ code: 0, stdout: '2\n' });
  expect(lstatSync(link).isSymbolicLink()).toBe(true);
  expect(JSON.parse(text)).toMatchObject({ rank: 2 });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('a certificate goes behind the rank where the output goes to the same file', async () => {
  const [matrix, output, file] = ['small.sms', 'output', 'beside'].map(path);
  const question = ['rank', matrix, '-p', '65521', '--seed', '5', '-q', '--certificate'];
  await run([...question, file]);
  const fd = openSync(output, 'w');
  try {
    execFileSync(process.execPath, [CLI, ...question, '/dev/stdout'], { stdio: ['ignore', fd, 'inherit'] });
  } finally {
    closeSync(fd);
  }
  expect(readFileSync(output, 'utf8')).toBe(`2\n${readFileSync(file, 'utf8')}`);
});

test('a certificate of a lower bound is no certificate of the rank', async () => {
  const [matrix, certificate] = [path('small.sms'), path('lower.cert')];
  const text = JSON.parse(readFileSync(await made(), 'utf8'));
  writeFileSync(certificate, JSON.stringify({ ...text, upper: null }));
  const refused = await run(['verify', certificate, matrix]);
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(/it shows no more than rank ≥ 2/);
  expect(await run(['verify', certificate, matrix, '--at-least', '1', '-q'])).toMatchObject({ code: 0, stdout: '2\n' });

  async function made(): Promise<string> {
    await run(['rank', matrix, '-p', '65521', '--certificate', certificate]);
    return certificate;
  }
});

test('matrices whose columns have even weight are certified mod 2', async () => {
  const certificate = path('mk.cert');
  const input = generated('mk', '9', '3');
  expect(await run(['rank', '-p', '2', '-q', '--certificate', certificate], { input })).toMatchObject({
    stdout: '875\n',
  });
  expect(await run(['verify', certificate, '-q'], { input })).toMatchObject({ code: 0, stdout: '875\n' });
});
