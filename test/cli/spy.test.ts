/** `spy`: braille on stdout, figures in files that are whole or stay as they were. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { afterAll, describe, expect, test } from 'vitest';
import { type Ended, limited, run } from './run.js';

const FOLDER = mkdtempSync(join(tmpdir(), 'wiedemann-spy-'));
afterAll(() => rmSync(FOLDER, { recursive: true }));
const at = (name: string): string => join(FOLDER, name);

const SMALL = '5 3 M\n1 1 1\n1 2 -1\n2 2 -1\n5 1 7\n5 3 1\n3 3 0\n0 0 0\n';
const [BLUE, RED, BLACK] = [
  [0, 114, 178],
  [213, 94, 0],
  [34, 34, 34],
];

const spy = (words: readonly string[], input = SMALL): Promise<Ended> => run(['spy', ...words], { input });

/** The pixels of a PNG as [red, green, blue][]. */
function pixelsOf(path: string): { width: number; height: number; at: (x: number, y: number) => number[] } {
  const { width, height, data, channels } = decode(readFileSync(path));
  expect(channels).toBe(3);
  return { width, height, at: (x, y) => [...data.slice(3 * (y * width + x), 3 * (y * width + x) + 3)] };
}

describe('in a terminal', () => {
  test('the pattern stands in a frame, plain where nobody watches', async () => {
    expect(await spy([])).toEqual({
      code: 0,
      stdout: [
        '<stdin>: 5 x 3, 5 entries   +1: 2   -1: 2   other: 1',
        '┌──┐',
        '│⠙⠀│',
        '│⠁⠁│',
        '└──┘',
        'row lengths      min 1   median 2   mean 1.7   max 2   empty rows: 2',
        'column lengths   min 1   median 2   mean 1.7   max 2   empty columns: 0',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test('a large one has 80 characters a line, in proportion', async () => {
    const lines = (await spy([], '2000 1000 M\n1 1 1\n2000 1000 1\n0 0 0\n')).stdout.split('\n');
    const frame = lines.filter((line) => /^[┌│└]/.test(line));
    expect(frame.length).toBe(42);
    expect(new Set(frame.map((line) => line.length))).toEqual(new Set([42]));
    const wide = (await spy([], '100 100000 M\n1 1 1\n0 0 0\n')).stdout.split('\n');
    expect(wide[1]!.length).toBe(80);
    expect(wide.filter((line) => line.startsWith('│')).length).toBe(4);
    const asked = (await spy(['--size', '20x8'], '2000 1000 M\n1 1 1\n0 0 0\n')).stdout.split('\n');
    expect(asked.slice(1, 5).map((line) => line.length)).toEqual([12, 12, 12, 12]);
  });

  test('a prime says what is +1 and -1', async () => {
    expect((await spy(['-', '2'])).stdout).toContain('+1: 5   -1: 0   other: 0');
    expect((await spy(['-p', '3', '--json'])).stdout).toContain(
      '"values":{"plusOne":3,"minusOne":2,"zero":1,"other":0}',
    );
  });

  test('0 x n, one entry, and two in 10^9 x 10^9 are matrices, too', async () => {
    expect((await spy([], '0 5 M\n0 0 0\n')).stdout).toContain('┌───┐\n└───┘\n');
    expect((await spy([], '1 1 M\n1 1 1\n0 0 0\n')).stdout).toContain('┌─┐\n│⠁│\n└─┘\n');
    const far = '1000000000 1000000000 M\n1 1 1\n700000000 300000000 -1\n0 0 0\n';
    const { stdout } = await spy([], far);
    expect(stdout).toContain('│⠁⠀');
    expect(stdout).toContain('empty rows: 999999998');
    for (const words of [[], ['-p', '65521']]) {
      expect(await spy([...words, '-o', at('far.png')], far)).toEqual({ code: 0, stdout: '', stderr: '' });
      expect(pixelsOf(at('far.png')).height).toBeGreaterThan(600);
    }
  });
});

describe('in a file', () => {
  test('--bare is the pattern alone, each entry a square of its colour', async () => {
    expect(await spy(['-o', at('bare.png'), '--bare', '--size', '30x50'])).toEqual({ code: 0, stdout: '', stderr: '' });
    const png = pixelsOf(at('bare.png'));
    expect([png.width, png.height]).toEqual([30, 50]);
    const centres = Array.from({ length: 5 }, (_, i) => [0, 1, 2].map((j) => png.at(10 * j + 5, 10 * i + 5)));
    const none = [255, 255, 255];
    expect(centres).toEqual([
      [BLUE, RED, none],
      [none, RED, none],
      [none, none, none],
      [none, none, none],
      [BLACK, none, BLUE],
    ]);
    expect([png.at(9, 9), png.at(10, 9), png.at(10, 10)]).toEqual([BLUE, RED, RED]);
  });

  test('a figure has the pattern inside its axes, as PNG and as SVG', async () => {
    await spy(['-o', at('figure.PNG'), '--size', '30x50']);
    const png = pixelsOf(at('figure.PNG'));
    // The frame, and the first entry in it.
    expect([png.at(76, 83), png.at(76, 84), png.at(75, 84)]).toEqual([[110, 110, 110], BLUE, [110, 110, 110]]);
    const { stdout } = await spy(['-o', at('figure.svg'), '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ command: 'spy', nnz: 5, emptyRows: 2, output: at('figure.svg') });
    const svg = readFileSync(at('figure.svg'), 'utf8');
    const texts = Array.from(svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g), ([, text]) => text);
    expect(texts).toContain('&#60;stdin&#62;: 5 x 3, 5 entries');
    for (const part of ['+1 in a row', '-1 in a row', 'other in a row', 'rows by their number of entries', '+1: 2'])
      expect(texts).toContain(part);
    const [, inside] = /href="data:image\/png;base64,([^"]+)"/.exec(svg)!;
    const image = decode(Buffer.from(inside!, 'base64'));
    expect([image.width, image.height]).toEqual([360, 600]);
    expect([...image.data.slice(0, 3)]).toEqual(BLUE);
  });

  test('with a prime or --storage it shows the plan, with the cut where there are two formats', async () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 2 + (i % 3) }, (_, j) => `${i + 1} ${j + 1} 5`),
    );
    const input = `40 9 M\n${rows.flat().join('\n')}\n0 0 0\n`;
    const drawn = async (...words: string[]): Promise<string> => {
      expect(await spy(['-o', at('plan.svg'), ...words], input)).toEqual({ code: 0, stdout: '', stderr: '' });
      return readFileSync(at('plan.svg'), 'utf8');
    };
    expect(await drawn('--storage', 'ell')).toContain('>ell, 2 a row, + csr</text>');
    expect(await drawn('--storage', 'ell')).toContain('Dashed');
    expect(await drawn('-p', '65521')).toMatch(/>(csr-sorted|ell-r)<\/text>/);
    const passing = await drawn();
    expect(passing).not.toContain('csr');
    expect(passing).not.toContain('Dashed');
    // Mod 5 nothing is left.
    expect(await drawn('-p', '5')).not.toContain('in a row');
  });
});

describe('what cannot be drawn', () => {
  test.each([
    [['-o', 'out.gif'], 2, '--output: expected a name that ends in .svg or .png, got out.gif'],
    [['-o', '-'], 2, '--output: expected a name that ends in .svg or .png, got -'],
    [['--size', '0'], 2, '--size: expected WIDTHxHEIGHT'],
    [['--size', '100x'], 2, '--size: expected WIDTHxHEIGHT'],
    [['--size', '100000'], 2, 'of at most 67108864 pixels, got 100000'],
    [['--bare'], 2, '--bare: expected -o'],
    [['-p', '6'], 2, 'prime'],
    [['--storage', 'none'], 2, 'storage'],
    [['-o', '/nowhere/at/all/out.svg'], 73, 'no such file'],
    [['--max-memory', '1', '-o', 'never.svg'], 70, 'a picture: expected counts of at most'],
  ] as const)('%j ends with %i', async (words, code, message) => {
    const ended = await run(['spy', ...words], { input: SMALL, cwd: FOLDER });
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(message);
    expect(ended.stderr.trim().split('\n').length).toBe(1);
  });

  test('a file stays as it was where the matrix is none, and there is no other', async () => {
    writeFileSync(at('old.svg'), 'before');
    for (const input of ['2 2 M\n1 1 1\n', '2 2 M\n3 1 1\n0 0 0\n', 'nonsense\n']) {
      const ended = await spy(['-o', at('old.svg')], input);
      expect(ended).toMatchObject({ code: 65, stdout: '' });
      expect(ended.stderr).toMatch(/^spy: <stdin>:\d+: expected .*\n$/);
      await spy(['-o', at('new.svg')], input);
    }
    expect(readFileSync(at('old.svg'), 'utf8')).toBe('before');
    expect(existsSync(at('new.svg'))).toBe(false);
    expect(readdirSync(FOLDER).filter((name) => name.includes('partial'))).toEqual([]);
  });

  test('nor is the matrix itself drawn over, nor half a file left on a full disk', async () => {
    writeFileSync(at('matrix.svg'), SMALL);
    const over = await spy([at('matrix.svg'), '-o', at('matrix.svg')]);
    expect(over).toMatchObject({ code: 73, stderr: `spy: --output ${at('matrix.svg')}: the matrix itself\n` });
    expect(readFileSync(at('matrix.svg'), 'utf8')).toBe(SMALL);
    writeFileSync(at('full.png'), 'before');
    // 10 kB hold no noise of 512 x 512 pixels.
    const noise = Array.from(
      { length: 20_000 },
      (_, k) => `${1 + ((k * 7919) % 997)} ${1 + ((k * k) % 991)} ${(k % 3) + 1}`,
    );
    writeFileSync(at('noise.sms'), `1000 1000 M\n${noise.join('\n')}\n0 0 0\n`);
    const full = await limited(20, ['spy', at('noise.sms'), '-o', at('full.png')]);
    expect(full).toMatchObject({ code: 74, stdout: '' });
    expect(readFileSync(at('full.png'), 'utf8')).toBe('before');
  });
});
