/**
 * Two entries take the memory of two entries, whatever the header says: sizes up to 2^31 − 1, every verb and option.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { share } from '../share.js';
import { run } from './run.js';

const ROOM = 30 * 1024; // kB over the same question about a matrix of three rows
const MERSENNE = `${2n ** 127n - 1n}`;

/** A preload that writes the peak of the process, all threads of it, to stderr: kB. */
const PEAK = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'));`;

interface Shape {
  readonly name: string;
  readonly text: string;
  readonly minpoly: (p: bigint) => string; // of the square ones
}

/** a at (1, 1) and b off the diagonal: x²·(x − 1); two entries across from each other: x·(x² − 3). */
const triangular = (p: bigint): string => `0\n0\n${p - 1n}\n1\n`;
const crossed = (p: bigint): string => `0\n${(((-3n % p) + p) % p).toString()}\n0\n1\n`;
const sms = (rows: number, cols: number, ...entries: string[]): string =>
  `${rows} ${cols} M\n${entries.join('\n')}\n0 0 0\n`;

const TINY = sms(3, 3, '1 1 1', '3 2 3');
const SQUARES: readonly Shape[] = [
  { name: '10^9 x 10^9', text: sms(1e9, 1e9, '1 1 1', '999999999 5 3'), minpoly: triangular },
  { name: '2^31 - 1', text: sms(2 ** 31 - 1, 2 ** 31 - 1, '2147483647 1 1', '1 2147483647 3'), minpoly: crossed },
];
const RECTANGLES = [
  { name: '10^9 x 2', text: sms(1e9, 2, '1 1 1', '999999999 2 3') },
  { name: '2 x 10^9', text: sms(2, 1e9, '1 1 1', '2 999999999 3') },
];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'wiedemann-hypersparse-'));
  writeFileSync(join(folder, 'peak.mjs'), PEAK);
});
afterAll(() => rm(folder, { recursive: true }));

/** Of a question about `text`: in a file of that name, or on standard input, which a thread of its own answers. */
async function measured(
  [verb, ...options]: readonly string[],
  text: string,
  file?: string,
): Promise<{ said: object; peak: number }> {
  const nodeOptions = ['--import', join(folder, 'peak.mjs')];
  const path = file === undefined ? [] : [join(folder, file)];
  for (const name of path) writeFileSync(name, text);
  const asked = [verb!, ...path, ...options];
  const { code, stdout, stderr } = await run(asked, { input: file === undefined ? text : '', nodeOptions });
  const [, rest, peak] = /^(.*)peak (\d+)\n$/s.exec(stderr)!;
  return { said: { code, stdout, stderr: rest }, peak: Number(peak) };
}

const tiny = new Map<string, Promise<number>>();

/** The peak of the same question about the matrix of three rows. */
function tinyPeak(args: readonly string[], isFile: boolean): Promise<number> {
  const key = `${isFile} ${args.join(' ')}`;
  const peak = tiny.get(key) ?? measured(args, TINY, isFile ? 'tiny.sms' : undefined).then((found) => found.peak);
  tiny.set(key, peak);
  return peak;
}

async function expectSmall(args: readonly string[], text: string, stdout: string, file?: string): Promise<void> {
  const [least, { said, peak }] = await Promise.all([tinyPeak(args, file !== undefined), measured(args, text, file)]);
  expect(said).toEqual({ code: 0, stdout, stderr: '' });
  expect(peak).toBeLessThan(least + ROOM);
}

const EVERYWHERE = [['65521'], ['0'], ['2'], ['2147483647'], [MERSENNE]];
const ONCE = [
  ['65521', '--method', 'elimination'],
  ['65521', '--method', 'hybrid'],
  ['65521', '--method', 'wiedemann'],
  ['65521', '--device', 'reference'],
  ['65521', '--formula', 'classical'],
  ['65521', '--block', '2'],
  ['0', '--at-least', '1'],
  ['0', '--device', 'reference'],
  ['65521', '--no-verify'],
  ['65521', '--max-memory', '20M'],
];

// Of each shape a half of the questions, of another one the other half.
describe.each([...SQUARES, ...RECTANGLES].map((shape, at) => ({ ...shape, at })))('$name', ({ text, at }) => {
  test.each(share(EVERYWHERE, at, 2))('rank mod %s', async (mod) => {
    await expectSmall(['rank', '-q', '-p', mod!], text, '2\n');
  });
});

describe.each(SQUARES.map((shape, at) => ({ ...shape, at })))('$name', ({ text, minpoly, at }) => {
  test.each(share(ONCE, at, 2))('rank -p %s %s %s', async (mod, ...options) => {
    await expectSmall(['rank', '-q', '-p', mod!, ...options], text, '2\n', 'large.sms');
  });

  test.each(share([['65521'], ['2'], ['65521', '--device', 'reference'], [MERSENNE]], at, 2))(
    'minpoly and det mod %s %s %s',
    async (mod, ...options) => {
      const p = BigInt(mod!);
      await expectSmall(['minpoly', '-q', '-p', mod!, ...options], text, minpoly(p), 'large.sms');
      await expectSmall(['det', '-q', '-p', mod!, ...options], text, '0\n', 'large.sms');
    },
  );

  test('det over Z', () => expectSmall(['det', '-q', '-p', '0'], text, '0\n', 'large.sms'));

  test('info', async () => {
    const { said, peak } = await measured(['info', '-p', '65521'], text);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    expect(peak).toBeLessThan((await tinyPeak(['info', '-p', '65521'], false)) + ROOM);
  });
});

test.each([
  ['nullspace', 3, 2e7],
  ['nullspace', 2e7, 3],
  ['solve', 2e7, 3],
])('%s of %i x %i is one line', async (verb, rows, cols) => {
  const file = join(folder, 'longer.sms');
  writeFileSync(file, sms(rows, cols, '1 1 1', '3 2 3'));
  const asked = [verb, file, ...(verb === 'solve' ? ['-'] : []), '-p', '65521', '-q'];
  const line = 'a matrix of 2 entries: expected at most 16777216 rows and columns, got 20000000: leave empty ones out';
  const ended = await run(asked, { input: sms(rows, 1, '1 1 1') });
  expect(ended).toEqual({ code: 70, stdout: '', stderr: `${verb}: ${line}\n` });
});

// Vectors are as long as the sides: what does not fit is said before any are made.
describe.each(RECTANGLES)('$name', ({ text }) => {
  test.each([
    ['65521', ['--max-memory', '1024M']],
    [MERSENNE, []], // the heap is too small
    ['0', []],
  ])('nullspace and solve mod %s are one line', async (mod, options) => {
    const file = join(folder, 'sides.sms');
    writeFileSync(file, text);
    const kernels = [['nullspace'], ['nullspace', '--left'], ['nullspace', '--vectors', '1']];
    for (const [verb, ...words] of [['solve', '-'], ...(mod === '0' ? [] : kernels)]) {
      const { code, stdout, stderr } = await run([verb!, file, ...words, '-p', mod, ...options], { input: text });
      const what = verb === 'solve' ? '\\d+ right sides and solutions' : 'vectors';
      const line = new RegExp(`^${verb}: ${what} take about \\d+ MB, allowed are \\d+\n$`);
      expect([code, stdout, stderr]).toEqual([70, '', expect.stringMatching(line)]);
    }
  });
});
