/**
 * `--storage`: every format gives the same answers, `info` describes it, and what is no format is refused in a line.
 */
import { describe, expect, test } from 'vitest';
import { createEngine, type RankOptions, rank } from 'wiedemann';
import { FORMAT_NAMES } from '../../kernels/sparse/formats/index.js';
import { share } from '../share.js';
import { run } from './run.js';

// Rows of 0 to 6 entries, of both units and others; det 0 of the second.
const ENTRIES = Array.from({ length: 12 }, (_, i) =>
  Array.from({ length: i % 7 }, (_, t) => `${i + 1} ${1 + ((5 * i + 3 * t) % 12)} ${[1, -1, 5][(i + t) % 3]}`),
).flat();
const GENERAL = `12 12 M\n${ENTRIES.join('\n')}\n0 0 0\n`;
const TRIANGULAR = `8 8 M\n${Array.from({ length: 8 }, (_, i) => `${i + 1} ${i + 1} ${i + 2}`).join('\n')}\n2 1 1\n8 1 -1\n0 0 0\n`;

/** x^8 + 57 x^7 + ... + 88 mod 101 (PARI's minpoly), the constant coefficient first. */
const MINPOLY = '88\n76\n65\n50\n8\n62\n18\n57\n1\n';

const QUESTIONS: [what: string, verb: 'rank' | 'minpoly' | 'det', input: string, options: RankOptions][] = [
  ['rank', 'rank', GENERAL, { mod: 65521, method: 'wiedemann' }],
  ['rank by the classical formula', 'rank', GENERAL, { mod: 65521, formula: 'classical' }],
  ['rank by pivots', 'rank', GENERAL, { mod: 2147483629 }],
  ['rank over Q', 'rank', GENERAL, { mod: 0 }],
  ['minpoly', 'minpoly', TRIANGULAR, { mod: 101 }],
  ['det', 'det', TRIANGULAR, { mod: 2147483629 }],
];

describe.each(['cpu', 'reference'] as const)('on %s', (device) => {
  test.each(QUESTIONS)('%s is the same in every format', async (_, verb, input, options) => {
    const engine = createEngine();
    try {
      const answer = async (storage: RankOptions['storage']) =>
        (await engine[verb](Buffer.from(input), { ...options, seed: 1, device, storage })).value;
      const value = await answer('auto');
      const found = [];
      for (const storage of FORMAT_NAMES) found.push([storage, await answer(storage)]);
      expect(found).toEqual(FORMAT_NAMES.map((storage) => [storage, value]));
    } finally {
      await engine.dispose();
    }
  });
});

// A process a format: each is met by one of both.
test.each(share(FORMAT_NAMES, 0, 2))('the command line takes %s', async (storage) => {
  const asked = ['minpoly', '-p', '101', '--seed', '1', '-q', '--storage', storage];
  expect(await run(asked, { input: TRIANGULAR })).toEqual({ code: 0, stdout: MINPOLY, stderr: '' });
});

test('info describes the plan asked for and its bytes', async () => {
  const bytes = new Set<number>();
  for (const storage of share(FORMAT_NAMES, 1, 2)) {
    const { stdout } = await run(['info', '--json', '--storage', storage], { input: GENERAL });
    const { plan } = JSON.parse(stdout);
    expect(plan.parts.map(({ reason }: { reason: string }) => reason)).toContain(`${storage} was asked for`);
    bytes.add(plan.bytes);
  }
  expect(bytes.size).toBeGreaterThan(3);
});

test('what is no format is refused with those that there are', async () => {
  for (const verb of ['rank', 'minpoly', 'det', 'info']) {
    const { code, stdout, stderr } = await run([verb, '-p', '7', '--storage', 'crs'], { input: TRIANGULAR });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(`${verb}: storage: expected one of auto, ${FORMAT_NAMES.join(', ')}, got 'crs'\n`);
  }
});

test('a storage without room is refused before it is made', async () => {
  const entries = Array.from({ length: 19999 }, (_, i) => [`1 ${i + 2} 3`, `${i + 2} 1 5`]).flat();
  // One row of 19999 entries makes all rows of ELL_R as long.
  const arrow = `20000 20000 M\n${entries.join('\n')}\n0 0 0\n`;
  for (const verb of [['rank', '--method', 'wiedemann'], ['minpoly'], ['det']]) {
    const args = [...verb, '-p', '65521', '-q', '--max-memory', '300M', '--storage', 'ell-r'];
    const { code, stdout, stderr } = await run(args, { input: arrow });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^\w+: storage ell-r takes about \d+ MB beside the matrix, allowed are \d+\n$/);
  }
});

test('--explain says of a storage that it was not used', async () => {
  const asked = ['rank', '-p', '65521', '--explain', '--storage', 'coo'];
  expect((await run(asked, { input: GENERAL })).stderr).toContain('storage coo: not used');
  const used = await run([...asked, '--method', 'wiedemann'], { input: GENERAL });
  expect([used.code, used.stderr.includes('not used')]).toEqual([0, false]);
});

test('an operator takes no storage', async () => {
  const operator = { rows: 2, cols: 2, apply: (x: Uint32Array) => x, applyTransposed: (y: Uint32Array) => y };
  await expect(rank(operator, { mod: 7, storage: 'coo' })).rejects.toThrow(
    'storage coo: expected a matrix, got an operator',
  );
});
