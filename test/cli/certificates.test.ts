/**
 * Certificates of matrices whose header is larger than all memory, texts that are none, what their messages show, and
 * where `verify` reads.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createWriteStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, type Ended, run } from './run.js';

const HUGE = '1000000000 1000000000 M\n1 1 1\n1000000000 1000000000 5\n0 0 0\n';
const SMALL = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n';
const MB = 2 ** 20;

let folder = '';
let [huge, small, certificate] = ['', '', ''];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-certificates-'));
  [huge, small, certificate] = ['huge.sms', 'small.sms', 'small.cert'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(huge, HUGE);
  writeFileSync(small, SMALL);
  await run(['rank', small, '-p', '65521', '--certificate', certificate]);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The run, and the most memory that it had, in bytes. */
async function measured(args: readonly string[], input?: string): Promise<Ended & { bytes: number }> {
  const script = "process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))";
  const nodeOptions = ['--import', `data:text/javascript,${script}`];
  const ended = await run(args, input === undefined ? { nodeOptions } : { nodeOptions, input });
  const [told, peak] = ended.stderr.split('peak ');
  return { ...ended, stderr: told!, bytes: 1024 * Number(peak) };
}

describe('memory follows the entries', () => {
  test.each(['2', '65521', '2147483629'])('of 10^9 x 10^9 with two of them, mod %s', async (p) => {
    const written = join(folder, 'huge.cert');
    const made = await measured(['rank', huge, '-p', p, '-q', '--certificate', written, '--max-memory', '1M']);
    expect(made).toMatchObject({ code: 0, stdout: '2\n', stderr: '' });
    expect(made.bytes).toBeLessThan(250 * MB);
    const verified = await measured(['verify', written, huge, '-q']);
    expect(verified).toMatchObject({ code: 0, stdout: '2\n', stderr: '' });
    expect(verified.bytes).toBeLessThan(250 * MB);
    const other = await measured(['verify', certificate, huge]);
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toMatch(/about a 3 x 4 matrix, this one is 1000000000 x 1000000000\n$/);
    expect(other.bytes).toBeLessThan(250 * MB);
  });

  test('sizes and indices that a certificate states allocate nothing', async () => {
    const text = readFileSync(certificate, 'utf8')
      .replace('"rows": 3', '"rows": 2147483647')
      .replace('"cols": 4', '"cols": 2147483647')
      .replace(/"pivotRows": "[^"]*"/, '"pivotRows": "/v//fwAAAAA="');
    const changed = join(folder, 'stated.cert');
    writeFileSync(changed, text);
    const ended = await measured(['verify', changed], '2147483647 2147483647 M\n1 1 1\n0 0 0\n');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/about another matrix mod 65521\n$/);
    expect(ended.bytes).toBeLessThan(250 * MB);
  });

  test('what a certificate would take beyond --max-memory is refused, and the rank stands', async () => {
    const { stdout: input } = await run(['generate', 'mk', '9', '3']);
    const question = ['rank', '-p', '65521', '-q', '--certificate', join(folder, 'refused.cert'), '--max-memory'];
    const ended = await run([...question, '600K'], { input });
    expect(ended).toMatchObject({ code: 70, stdout: '875\n' });
    expect(ended.stderr).toMatch(/^rank: no certificate: .*takes about [\d.]+ MB, allowed are [\d.]+\n$/);
  });
});

describe('a text that cannot be a certificate is not read to its end', () => {
  const begins = (text: string): string => text.slice(0, text.indexOf('"matrix"'));

  test('an endless device, at once', async () => {
    const ended = await measured(['verify', '/dev/zero', small]);
    expect(ended).toMatchObject({ code: 65, stdout: '' });
    expect(ended.stderr).toMatch(
      /^verify: \/dev\/zero: certificate: format: expected JSON that begins .*, got '(\\x00){60}…'\n$/,
    );
    expect(ended.bytes).toBeLessThan(150 * MB);
  });

  test('a pipe that begins as one and never ends, at the limit', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const child = spawn(process.execPath, [CLI, 'verify', pipe, small]);
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const spaces = new Uint8Array(2 ** 20).fill(32);
    const into = createWriteStream(pipe);
    const closed = new Promise((resolve) => into.on('error', resolve)); // the reader has left
    into.write(begins(readFileSync(certificate, 'utf8')));
    const fill = (): void => {
      while (!into.destroyed && into.write(spaces));
      if (!into.destroyed) into.once('drain', fill);
    };
    fill();
    const code = await new Promise((resolve) => child.on('close', resolve));
    await closed;
    expect({ code, stderr }).toEqual({
      code: 65,
      stderr: `verify: ${pipe}: certificate: expected at most 535822336 bytes, got more\n`,
    });
  });

  test('a file that is too long, before it is read', async () => {
    const long = join(folder, 'long.cert');
    execFileSync('truncate', ['-s', '2G', long]);
    const ended = await measured(['verify', long, small]);
    expect(ended).toMatchObject({ code: 65, stdout: '' });
    expect(ended.stderr).toMatch(/expected at most 535822336 bytes, got more\n$/);
    expect(ended.bytes).toBeLessThan(150 * MB);
  });
});

describe('messages show what they quote as it is', () => {
  // Clears the line and writes another, turns the direction of writing, ends the line.
  const PAINT = '\u001b[2K\r\u001b[32mrank 2 certified\u001b[0m\u202e\u2028\u0085\u009b31m';
  const HIDDEN = /(?![ \n])[\p{C}\p{Z}]/u;

  test.each([
    ['format', (t: string) => t.replace('wiedemann-rank-certificate', PAINT)],
    ['a key', (t: string) => t.replace('"layers"', `"${PAINT}"`)],
    ['a value', (t: string) => t.replace(/"seed": "\d+"/, `"seed": "${PAINT}"`)],
    ['garbage', () => PAINT.repeat(1000)],
  ])('of a certificate: %s', async (_, change) => {
    const changed = join(folder, 'painted.cert');
    writeFileSync(changed, change(readFileSync(certificate, 'utf8')));
    await refusedPlainly(['verify', changed, small], 65);
  });

  test('of names of files, matrices and options', async () => {
    const named = join(folder, `name${PAINT}`);
    await refusedPlainly(['verify', named, small], 65);
    await refusedPlainly(['verify', certificate, named], 65);
    await refusedPlainly(['verify', certificate, small, '-p', PAINT], 1);
    writeFileSync(named, readFileSync(certificate));
    await refusedPlainly(['verify', named, huge], 1);
    writeFileSync(named, `3 4 M\n1 1 ${PAINT}\n0 0 0\n`);
    await refusedPlainly(['verify', certificate, named], 65);
    await refusedPlainly(['rank', named, '-p', '65521'], 65);
    writeFileSync(named, '3 4 R\n1 1 1/65521\n0 0 0\n');
    await refusedPlainly(['rank', named, '-p', '65521'], 65);
    await refusedPlainly(['verify', certificate, named], 65);
    await refusedPlainly(['rank', small, '-p', '7', '--certificate', join(named, 'x')], 73);
    writeFileSync(named, SMALL);
    const { stdout, code } = await run(['info', named]);
    expect({ code, shown: stdout.split('\n')[0] }).toMatchObject({ code: 0, shown: expect.stringContaining('x1b[2K') });
    expect(HIDDEN.exec(stdout)).toBeNull();
    await refusedPlainly(['rank', small, '-p', PAINT], 2);
    await refusedPlainly(['rank', small, '-p', '7', '--method', PAINT], 2);
    await refusedPlainly(['rank', small, '-p', '7', `--${PAINT}`], 2);
    await refusedPlainly([PAINT], 2);
  });

  test('an entry of many digits is cut', async () => {
    const long = join(folder, 'long.sms');
    writeFileSync(long, `3 4 R\n1 1 1/${65521n ** 300n}\n0 0 0\n`);
    for (const args of [
      ['rank', long, '-p', '65521'],
      ['verify', certificate, long],
    ]) {
      const ended = await run(args);
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 65, stdout: '' });
      expect(ended.stderr).toContain(`${args[0]}: ${long}: entry (1, 1) = 1/`);
      expect(ended.stderr).toContain('…: expected a denominator prime to 65521');
      expect(ended.stderr.length).toBeLessThan(300);
    }
  });

  async function refusedPlainly(args: readonly string[], code: number): Promise<void> {
    const ended = await run(args);
    expect({ args, code: ended.code, stdout: ended.stdout }).toEqual({ args, code, stdout: '' });
    expect(ended.stderr.split('\n')).toHaveLength(2);
    expect(ended.stderr).toContain('x1b[2K');
    expect(HIDDEN.exec(ended.stderr)).toBeNull();
    expect(ended.stderr.length).toBeLessThan(1500);
  }
});

describe('verify', () => {
  test('of a certificate on standard input wants the matrix as a file', async () => {
    for (const words of [['-'], ['-', '-']]) {
      const ended = await run(['verify', ...words], { input: '{}' });
      const stderr = 'verify: expected a FILE where the certificate is standard input\n';
      expect(ended).toEqual({ code: 2, stdout: '', stderr });
    }
    const wrong = await run(['verify', '-', small], { input: SMALL });
    expect(wrong).toMatchObject({ code: 65, stdout: '' });
  });

  test('takes --no-color; what is not there ends with 65, as for every verb', async () => {
    expect(await run(['verify', certificate, small, '--no-color', '-q'])).toEqual({
      code: 0,
      stdout: '2\n',
      stderr: '',
    });
    const none = join(folder, 'none');
    for (const words of [
      ['verify', none, small],
      ['verify', certificate, none],
      ['rank', none, '7'],
      ['minpoly', none, '7'],
      ['det', none, '7'],
      ['info', none],
    ]) {
      const stderr = `${words[0]}: ${none}: expected a readable file, got no such file\n`;
      expect(await run(words)).toEqual({ code: 65, stdout: '', stderr });
    }
    expect(await run(['verify', folder, small])).toEqual({
      code: 65,
      stdout: '',
      stderr: `verify: ${folder}: expected a readable file, got a directory\n`,
    });
  });
});
