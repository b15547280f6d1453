/** `--words`: the same answers in floats and integers, and refusals of words that hold no prime or no storage. */
import { expect, test } from 'vitest';
import { createEngine, type QuestionOptions, rank, readMatrix } from 'wiedemann';
import { gpuMissing } from '../gpu.js';
import { run } from './run.js';

type Words = Exclude<QuestionOptions['words'], undefined>;

/** 1 + x on a cycle of 301, an odd number: det 2. The transpose of a row sum stands beside it. */
const N = 301;
const CYCLE = `${N} ${N} M\n${Array.from({ length: N }, (_, i) => `${i + 1} ${i + 1} 1\n${i + 1} ${((i + 1) % N) + 1} 1\n`).join('')}0 0 0\n`;

test.each([
  ['101', ['u16', 'f32', 'f32-balanced', 'f64', 'f64-balanced']],
  ['8179', ['u16', 'f32-balanced', 'f64', 'f64-balanced']],
  ['94906249', ['u32', 'f64', 'f64-balanced']],
  ['2147483629', ['u32']],
])('mod %s by each of %s', async (mod, words) => {
  const engine = createEngine({ threads: 2 });
  const matrix = await readMatrix(new Blob([CYCLE]));
  for (const verb of ['rank', 'det', 'minpoly'] as const) {
    const ask = async (name?: Words): Promise<unknown> => {
      const asked = { mod: BigInt(mod), seed: 1, words: name };
      return (await engine[verb](matrix, verb === 'minpoly' ? asked : { ...asked, method: 'wiedemann' })).value;
    };
    const plain = await ask();
    if (verb !== 'minpoly') expect(plain).toBe(verb === 'rank' ? N : 2n);
    for (const name of words) expect(await ask(name as Words)).toEqual(plain);
  }
  await engine.dispose();
});

test('the command line hands them on', async () => {
  const words = ['rank', '--method', 'wiedemann', '-p', '8179', '-q', '--words', 'f32-balanced'];
  expect(await run(words, { input: CYCLE })).toEqual({ code: 0, stdout: `${N}\n`, stderr: '' });
});

test.skipIf(gpuMissing)('the same on a GPU', async () => {
  const asked = ['rank', '--method', 'wiedemann', '-p', '8179', '--seed', '1', '-q', '--device', 'gpu'];
  const ended = await run([...asked, '--words', 'f32-balanced'], { input: CYCLE });
  expect(ended).toMatchObject({ code: 0, stdout: `${N}\n` });
});

test('another method says that it makes no use of them', async () => {
  const args = ['rank', '-p', '101', '--method', 'elimination', '--words', 'f64', '--explain'];
  expect(await run(args, { input: CYCLE })).toMatchObject({
    ...{ code: 0, stdout: `${N}\n` },
    stderr: expect.stringContaining('words f64: not used, since'),
  });
});

test.each([
  [
    ['-p', '101', '--words', 'f16'],
    "words: expected one of auto, u16, u32, f32, f64, f32-balanced, f64-balanced, got 'f16'",
  ],
  [['-p', '4099', '--words', 'f32'], 'words f32: expected a prime that they hold, got 4099'],
  [['-p', '65521', '--words', 'u32'], 'words u32: expected a prime that they hold, got 65521'],
  [['-p', '2', '--words', 'f64'], 'words f64: expected a prime that they hold, got 2'],
  [['-p', '0', '--words', 'f64'], 'words f64: expected a prime that they hold, got 0'],
  [['-p', '101', '--words', 'f64', '--device', 'gpu'], 'words f64: expected f32 or f32-balanced on a GPU'],
  [['-p', '101', '--words', 'f32', '--device', 'reference'], 'words f32: expected device cpu or gpu, got reference'],
  [
    ['-p', '101', '--words', 'f64', '--storage', 'coo'],
    "words f64: expected storage auto, csr, ell or ell-r, got 'coo'",
  ],
])('%s is refused', async (args, message) => {
  const ended = await run(['rank', ...args], { input: CYCLE });
  expect(ended).toEqual({ code: 2, stdout: '', stderr: `rank: ${message}\n` });
});

test('an operator has no words', async () => {
  const operator = { rows: 2, cols: 2, apply() {}, applyTransposed() {} };
  await expect(rank(operator as never, { mod: 7, words: 'f64' })).rejects.toThrow(
    'words f64: expected a matrix, got an operator',
  );
});
