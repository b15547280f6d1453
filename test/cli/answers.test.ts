/** The verbs on matrices whose answers are known: what is on stdout, what on stderr, and the JSON object. */
import { execFileSync } from 'node:child_process';
import { closeSync, lstatSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLI, run } from './run.js';

const SMALL = '3 4 M\n1 1 1\n1 3 -1\n2 1 2\n2 3 -2\n3 4 5\n0 0 0\n'; // row 2 is twice row 1: rank 2
const SQUARE = '3 3 M\n1 1 2\n2 2 2\n3 3 5\n0 0 0\n'; // minimal polynomial (x - 2)(x - 5), determinant 20

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wiedemann-cli-'));
  writeFileSync(join(folder, 'small.sms'), SMALL);
  writeFileSync(join(folder, 'small.sms.gz'), gzipSync(SMALL));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('rank', () => {
  test('of a file, with -p or with the prime as a second word, prints the rank alone', async () => {
    for (const args of [
      ['rank', join(folder, 'small.sms'), '-p', '65521'],
      ['rank', join(folder, 'small.sms'), '65521'],
      ['rank', join(folder, 'small.sms.gz'), '--mod', '65521'],
      ['rank', join(folder, 'small.sms'), '-p', '2305843009213693951'], // 2^61 - 1: beyond a word
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect({ code, stdout }).toEqual({ code: 0, stdout: '2\n' });
      expect(stderr.split('\n')).toHaveLength(2);
      expect(stderr).toMatch(/^rank 2 of 3 x 4 mod \d+ {3}.*seed \d+\n$/);
    }
  });

  test('of standard input, named or not, and quietly', async () => {
    for (const args of [
      ['rank', '-p', '5'],
      ['rank', '-', '-p', '5'],
      ['rank', '-', '5'],
    ]) {
      expect(await run([...args, '--quiet'], { input: SMALL })).toEqual({ code: 0, stdout: '1\n', stderr: '' });
    }
  });

  test('what generate writes, rank reads', async () => {
    const generated = await run(['generate', 'bibd', '12', '5']);
    expect(generated.code).toBe(0);
    expect(generated.stdout.startsWith('66 792 M\n')).toBe(true);
    for (const [p, rank] of [
      [2, 54],
      [5, 65],
      [65521, 66],
      [2147483629, 66],
    ]) {
      const { code, stdout } = await run(['rank', '-p', `${p}`, '--quiet'], { input: generated.stdout });
      expect({ p, code, stdout }).toEqual({ p, code: 0, stdout: `${rank}\n` });
    }
  });

  test('--json prints one object, and nothing else anywhere', async () => {
    const { stdout: matrix } = await run(['generate', 'mk', '9', '3']);
    const words = ['rank', '-p', '3', '--method', 'wiedemann', '--json', '--seed', '17', '--threads', '1'];
    const { code, stdout, stderr } = await run(words, { input: matrix });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const { seconds, block, errorLog2, ...rest } = JSON.parse(stdout);
    expect(rest).toEqual({
      schema: 1,
      command: 'rank',
      rank: 867,
      rows: 945,
      cols: 1260,
      nnz: 3780,
      mod: '3',
      lowerBound: 867,
      upperBound: 867,
      method: 'block-wiedemann',
      device: 'cpu',
      threads: 1,
      seed: '17',
    });
    expect(errorLog2).toBeLessThan(-40);
    expect(block).toHaveLength(2);
    expect(Object.keys(seconds)).toEqual(expect.arrayContaining(['sequence', 'sigmaBasis', 'verification', 'total']));
    expect(stdout.trim()).not.toContain('\n');
  });

  test('--json gives an answer that is proved outright bounds and no error to speak of', async () => {
    const { stdout } = await run(['rank', '-p', '7', '--json'], { input: SQUARE });
    expect(JSON.parse(stdout)).toMatchObject({ rank: 3, lowerBound: 3, upperBound: 3, errorLog2: null });
  });

  test('without verification, or with a block or formula of the caller’s choice, says what it proved', async () => {
    const { stdout: matrix } = await run(['generate', 'mk', '9', '3']);
    const unproved = await run(['rank', '-p', '3', '--method', 'wiedemann', '--no-verify', '--json'], {
      input: matrix,
    });
    expect(JSON.parse(unproved.stdout)).toMatchObject({ lowerBound: 867, upperBound: null, errorLog2: null });
    const block = await run(['rank', '-p', '65521', '--block', '12x5', '--json'], { input: matrix });
    expect(JSON.parse(block.stdout)).toMatchObject({ rank: 875, block: [12, 5] });
    const classical = await run(['rank', '-p', '65521', '--formula', 'classical', '--json'], { input: matrix });
    expect(JSON.parse(classical.stdout)).toMatchObject({ rank: 875 });
    expect(JSON.parse(classical.stdout).seconds).toHaveProperty('interpolation');
  });

  test('by every method, which the JSON object names; auto says why on request', async () => {
    const { stdout: matrix } = await run(['generate', 'mk', '9', '3']);
    for (const [method, name, phases] of [
      ['auto', 'sparse-elimination', ['reading', 'pivots', 'dense', 'total']],
      ['hybrid', 'hybrid', ['reading', 'pivots', 'sampling', 'total']],
      ['elimination', 'sparse-elimination', ['reading', 'pivots', 'schur', 'dense', 'total']],
      ['wiedemann', 'block-wiedemann', ['reading', 'sequence', 'total']],
    ] as const) {
      const { stdout } = await run(['rank', '-p', '3', '--method', method, '--json'], { input: matrix });
      const { seconds, ...rest } = JSON.parse(stdout);
      expect(rest).toMatchObject({ rank: 867, lowerBound: 867, upperBound: 867, method: name });
      expect(Object.keys(seconds)).toEqual(expect.arrayContaining(phases as unknown as string[]));
    }
    const { stdout, stderr } = await run(['rank', '-p', '3', '--explain'], { input: matrix });
    expect(stdout).toBe('867\n');
    expect(stderr).toMatch(
      /^elimination: what the pivots leave.*\n\d+ structural pivots of 945 x 1260 with 3780 entries\n/,
    );
  });

  test('--at-least ends with a lower bound that is enough', async () => {
    const { stdout: matrix } = await run(['generate', 'mk', '9', '3']);
    const { stdout, stderr } = await run(['rank', '-p', '65521', '--at-least', '500'], { input: matrix });
    expect(Number(stdout)).toBeGreaterThanOrEqual(500);
    expect(stderr).toContain('a proved lower bound (a rank of at least 500 was asked for)');
    const more = await run(['rank', '-p', '65521', '--at-least', '876', '--json'], { input: matrix });
    expect(JSON.parse(more.stdout)).toMatchObject({ rank: 875, upperBound: 875 });
  });

  test.each([
    ['bibd 9 5', []],
    ['bibd 12 6', ['--method', 'wiedemann']], // wide enough for columns of the hash to be dealt out to threads
  ])('%s: the same seed gives the same object on 1 and 2 threads and on the reference executor', async (words, how) => {
    const { stdout: matrix } = await run(['generate', ...words.split(' ')]);
    const objects: unknown[] = [];
    for (const where of [
      ['--threads', '1'],
      ['--threads', '2'],
      ['--device', 'reference'],
    ]) {
      const asked = ['rank', '-p', '65521', '--seed', '99', '--json', ...how, ...where];
      const { seconds, threads, device, ...rest } = JSON.parse((await run(asked, { input: matrix })).stdout);
      objects.push(rest);
      expect({ threads, device }).toEqual(
        where[0] === '--device' ? { threads: 1, device: 'reference' } : { threads: Number(where[1]), device: 'cpu' },
      );
    }
    expect(objects[1]).toEqual(objects[0]);
    expect(objects[2]).toEqual(objects[0]);
  });
});

describe('minpoly and det', () => {
  test.each([
    ['coeffs', '10\n65514\n1\n'],
    ['pari', 'Mod(1, 65521)*(x^2 + 65514*x + 10)\n'],
    ['latex', 'x^2 + 65514 x + 10\n'],
  ])('minpoly --format %s', async (format, expected) => {
    const { code, stdout } = await run(['minpoly', '-p', '65521', '--format', format], { input: SQUARE });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  });

  test('minpoly --degree, and the same in JSON without the coefficients', async () => {
    const short = await run(['minpoly', '-p', '65521', '--degree'], { input: SQUARE });
    expect(short).toMatchObject({ code: 0, stdout: '2\n' });
    const { stdout } = await run(['minpoly', '-p', '65521', '--degree', '--json'], { input: SQUARE });
    const { degree, minpoly } = JSON.parse(stdout);
    expect({ degree, minpoly }).toEqual({ degree: 2, minpoly: undefined });
  });

  test.each(['7', '65521', '2147483629', '2305843009213693951'])('det mod %s', async (p) => {
    const { code, stdout } = await run(['det', '-p', p, '--quiet'], { input: SQUARE });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${20n % BigInt(p)}\n` });
  });

  test('minpoly mod a prime beyond a word', async () => {
    const { stdout } = await run(['minpoly', '-p', '2305843009213693951', '--json'], { input: SQUARE });
    expect(JSON.parse(stdout)).toMatchObject({ degree: 2, minpoly: ['10', '2305843009213693944', '1'], upperBound: 2 });
  });
});

describe('a header of 2^31 with a few entries behind it', () => {
  const last = 2 ** 31 - 1;
  // (1,1) = 1 beside a nilpotent part: the minimal polynomial is x^2 (x - 1).
  const input = `${last} ${last} M\n1 1 1\n5 ${last - 1} 3\n${last} 7 2\n0 0 0\n`;

  test.each([
    ['rank', '65521', '3\n'],
    ['rank', '2305843009213693951', '3\n'],
    ['rank', '3', '2\n'],
    ['det', '65521', '0\n'],
    ['minpoly', '7', '0\n0\n6\n1\n'],
    ['minpoly', '2305843009213693951', '0\n0\n2305843009213693950\n1\n'],
  ])('%s mod %s is answered from the entries alone', async (verb, p, expected) => {
    const { code, stdout } = await run([verb, '-p', p, '--quiet'], { input });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  });

  test('rank by the classical formula, and info', async () => {
    const classical = await run(['rank', '-p', '7', '--formula', 'classical', '--quiet'], { input });
    expect(classical).toMatchObject({ code: 0, stdout: '3\n' });
    const info = await run(['info', '--json'], { input });
    expect(JSON.parse(info.stdout)).toMatchObject({
      rows: last,
      plan: { residues: 3, emptyRows: last - 3, emptyCols: last - 3, rowLengths: { rows: 3, max: 1 } },
    });
  });

  test('minpoly gains a factor x from the zero block, and none where there is one already', async () => {
    for (const [entries, expected] of [
      ['', '0\n1\n'], // the zero matrix: x
      ['3 3 2\n', '0\n5\n1\n'], // x (x - 2)
      ['3 4 2\n', '0\n0\n1\n'], // x^2
    ]) {
      const { stdout } = await run(['minpoly', '-p', '7', '--quiet'], { input: `1000 1000 M\n${entries}0 0 0\n` });
      expect(stdout).toBe(expected);
    }
  });
});

describe('info, generate and the program itself', () => {
  test('info says sizes, value classes and the plan', async () => {
    const { stdout: matrix } = await run(['generate', 'mk', '9', '3']);
    const { code, stdout } = await run(['info', '-p', '65521'], { input: matrix });
    expect(code).toBe(0);
    expect(stdout).toContain('945 x 1260');
    expect(stdout).toContain('3780');
    const json = await run(['info', '-p', '65521', '--json'], { input: matrix });
    expect(JSON.parse(json.stdout)).toMatchObject({ schema: 1, command: 'info', rows: 945, cols: 1260, nnz: 3780 });
  });

  test('generate without a family lists them; MatrixMarket on request', async () => {
    const list = await run(['generate']);
    expect(list.code).toBe(0);
    expect(list.stdout).toMatch(/^bibd v k .*\n/);
    const market = await run(['generate', 'trefethen', '5', '--format', 'matrixmarket']);
    expect(market.stdout.startsWith('%%MatrixMarket matrix coordinate integer general\n5 5 ')).toBe(true);
  });

  test('--version and --help go to stdout with exit code 0', async () => {
    expect(await run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    expect(await run(['rank', '--help'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('certificates', () => {
  test('rank writes one, verify checks it', async () => {
    const [matrix, certificate] = [join(folder, 'small.sms'), join(folder, 'small.cert')];
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
    const [matrix, certificate] = [join(folder, 'small.sms'), join(folder, 'small.cert')];
    await run(['rank', matrix, '-p', '65521', '--certificate', certificate]);
    const other = await run(['verify', certificate], { input: SQUARE });
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toBe(`verify: ${certificate}: the certificate is about a 3 x 4 matrix, this one is 3 x 3\n`);
    const cases: [string[], number, RegExp][] = [
      [['verify', matrix, matrix], 65, /^verify: .*small.sms: certificate: format: expected JSON/],
      [['verify', join(folder, 'none'), matrix], 65, /no such file/],
      [['verify', certificate, matrix, '-p', '7'], 1, /it is about the rank mod 65521, not 7/],
      [['verify', certificate, matrix, '--at-least', '3'], 1, /it shows rank 2, not 3 or more/],
      [['verify', folder, matrix], 65, /a directory/],
      [['rank', matrix, '-p', '2305843009213693951', '--certificate', certificate], 2, /a prime below 2\^31/],
      [['rank', matrix, '-p', '5', '--certificate', join(folder, 'none', 'x')], 73, /--certificate/],
      [['rank', matrix, '-p', '5', '--certificate', folder], 73, /--certificate .* directory/],
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
  const [matrix, pipe, link, file] = ['small.sms', 'pipe', 'link', 'pointed-at'].map((name) => join(folder, name));
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
  const [matrix, output, file] = ['small.sms', 'output', 'beside'].map((name) => join(folder, name));
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

describe('over the rationals', () => {
  test('-p 0 is the rank over Q, where small primes see less', async () => {
    const text = '3 3 M\n1 1 6\n2 2 15\n3 3 35\n0 0 0\n';
    for (const [mod, rank] of [
      ['2', 2],
      ['5', 1],
      ['0', 3],
    ] as const) {
      expect((await run(['rank', '-p', mod, '-q'], { input: text })).stdout).toBe(`${rank}\n`);
    }
  });

  test('says what two primes prove: all of it where minors are below them', async () => {
    const large = '3 3 M\n1 1 1000000007\n1 2 1\n2 1 1000000007\n2 2 1\n3 3 999999937\n0 0 0\n';
    for (const [input, claim] of [
      [SMALL, /rank 2 of 3 x 4 over Q {3}proved/],
      [large, /rank 2 of 3 x 3 over Q {3}verified, error below 2\^-4\d/],
    ] as const) {
      const { stdout, stderr } = await run(['rank', '-p', '0', '--explain'], { input });
      expect(stdout).toBe('2\n');
      expect(stderr.match(/^mod \d{10}: rank 2$/gm)).toHaveLength(2);
      expect(stderr).toMatch(claim);
    }
    const { mod, upperBound, errorLog2 } = JSON.parse(
      (await run(['rank', '-p', '0', '--json'], { input: large })).stdout,
    );
    expect({ mod, upperBound }).toEqual({ mod: '0', upperBound: 2 });
    expect(errorLog2).toBeLessThan(-40);
  });

  test('fractions, and entries beyond a word', async () => {
    const text =
      '2 2 R\n1 1 1/3\n1 2 123456789012345678901234567890/7\n2 1 2/3\n2 2 246913578024691357802469135780/7\n0 0 0\n';
    expect((await run(['rank', '-p', '0', '-q'], { input: text })).stdout).toBe('1\n');
  });

  test('is not for minpoly, and without a certificate', async () => {
    for (const args of [
      ['minpoly', '-p', '0'],
      ['rank', '-p', '0', '--certificate', join(folder, 'q.cert')],
    ]) {
      const ended = await run(args, { input: SQUARE });
      expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(/expected a prime.*got 0\n$/);
    }
  });
});

test('a certificate of a lower bound is no certificate of the rank', async () => {
  const [matrix, certificate] = [join(folder, 'small.sms'), join(folder, 'lower.cert')];
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
  const certificate = join(folder, 'mk.cert');
  const { stdout: input } = await run(['generate', 'mk', '9', '3']);
  expect(await run(['rank', '-p', '2', '-q', '--certificate', certificate], { input })).toMatchObject({
    stdout: '875\n',
  });
  expect(await run(['verify', certificate, '-q'], { input })).toMatchObject({ code: 0, stdout: '875\n' });
});
