/** The verbs on matrices whose answers are known: what is on stdout, what on stderr, and the JSON object. */
import { describe, expect, test } from 'vitest';
import { generated } from './generated.js';
import { SMALL, SQUARE, smallFiles } from './own-files.js';
import { run } from './run.js';

const path = smallFiles();

describe('rank', () => {
  test('of a file, with -p or with the prime as a second word, prints the rank alone', async () => {
    for (const args of [
      ['rank', path('small.sms'), '-p', '65521'],
      ['rank', path('small.sms'), '65521'],
      ['rank', path('small.sms.gz'), '--mod', '65521'],
      ['rank', path('small.sms'), '-p', '2305843009213693951'], // 2^61 - 1: beyond a word
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
    const written = await run(['generate', 'bibd', '12', '5']);
    expect(written.code).toBe(0);
    expect(written.stdout.startsWith('66 792 M\n')).toBe(true);
    for (const [p, rank] of [
      [2, 54],
      [5, 65],
      [65521, 66],
      [2147483629, 66],
    ]) {
      const { code, stdout } = await run(['rank', '-p', `${p}`, '--quiet'], { input: written.stdout });
      expect({ p, code, stdout }).toEqual({ p, code: 0, stdout: `${rank}\n` });
    }
  });

  test('--json prints one object, and nothing else anywhere', async () => {
    const matrix = generated('mk', '9', '3');
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
    const matrix = generated('mk', '9', '3');
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
    const matrix = generated('mk', '9', '3');
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

  test('that pivots are all of needs no threads, and is proved where that is short', async () => {
    for (const [words, rank, errorLog2] of [
      [['7', '7', '3'], 6516, expect.closeTo(-64, 1)],
      [['6', '6', '3'], 1985, null],
    ] as const) {
      const matrix = generated('ch', ...words);
      const { stdout, stderr } = await run(['rank', '-p', '65521', '--json', '--explain'], { input: matrix });
      expect(JSON.parse(stdout)).toMatchObject({ rank, upperBound: rank, errorLog2, threads: 1 });
      expect(stderr.includes('random vectors show that the 22884 x 834 Schur')).toBe(errorLog2 !== null);
    }
  });

  test('--at-least ends with as many pivots, though they are all there is', async () => {
    const matrix = generated('ch', '7', '7', '3');
    const { stdout } = await run(['rank', '-p', '65521', '--at-least', '6000', '--json'], { input: matrix });
    expect(JSON.parse(stdout)).toMatchObject({ lowerBound: 6516, upperBound: null, errorLog2: null, threads: 1 });
  });

  test('--at-least ends with a lower bound that is enough', async () => {
    const matrix = generated('mk', '9', '3');
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
    const matrix = generated(...words.split(' '));
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
    const { code, stdout } = await run(['minpoly', path('square.sms'), '-p', '65521', '--format', format]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  });

  test('minpoly --degree, and the same in JSON without the coefficients', async () => {
    const asked = ['minpoly', path('square.sms'), '-p', '65521', '--degree'];
    expect(await run(asked)).toMatchObject({ code: 0, stdout: '2\n' });
    const { stdout } = await run([...asked, '--json']);
    const { degree, minpoly } = JSON.parse(stdout);
    expect({ degree, minpoly }).toEqual({ degree: 2, minpoly: undefined });
  });

  test.each(['7', '65521', '2147483629', '2305843009213693951'])('det mod %s', async (p) => {
    const { code, stdout } = await run(['det', path('square.sms'), '-p', p, '--quiet']);
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
    const matrix = generated('mk', '9', '3');
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
