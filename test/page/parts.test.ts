/** The parts of the page that need no browser: command lines, windows and their rasters, pace, samples of families. */
import { describe, expect, test } from 'vitest';
import { FAMILIES, generate } from '../../data/families.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { commandLine } from '../../src/page/command-line.js';
import { SAMPLES } from '../../src/page/family-form.js';
import { fillPanels } from '../../src/page/fill-panels.js';
import type { Asking, Source } from '../../src/page/messages.js';
import { Pace, secondsText } from '../../src/page/pace.js';
import { ProgressSieve } from '../../src/page/progress-sieve.js';
import { refusalOf } from '../../src/page/question-form.js';
import { moveWindow, zoomWindow } from '../../src/page/window.js';
import { windowRaster } from '../../src/page/window-raster.js';
import type { ProgressEvent } from '../../src/questions/options.js';
import { textOf } from '../tracked.js';

const PLAIN: Asking = {
  ...{ question: 'rank', mod: '65521', method: 'auto', device: 'auto', threads: null, storage: 'auto', seed: null },
  ...{ verify: true, certificate: false, left: false, vectors: null, right: null, keep: false },
};
const fileSource = (name: string): Source => ({ kind: 'file', file: new File([], name) });

describe('command lines', () => {
  const FAMILY: Source = { kind: 'family', family: 'bibd', words: ['81', '3'] };
  test.each<[string, Source, Partial<Asking>]>([
    ['npx wiedemann rank a.sms -p 65521', fileSource('a.sms'), {}],
    ['npx wiedemann generate bibd 81 3 | npx wiedemann rank -p 65521', FAMILY, {}],
    [
      "npx wiedemann solve 'it'\\''s A.mtx' B.sms -p 0 --method lifting",
      fileSource("it's A.mtx"),
      { question: 'solve', mod: '0', method: 'lifting', right: new File([], 'B.sms') },
    ],
    [
      'npx wiedemann generate bibd 81 3 | npx wiedemann solve - b.txt -p 7',
      FAMILY,
      { question: 'solve', mod: '7', right: new File([], 'b.txt') },
    ],
    [
      'npx wiedemann nullspace ./-a.sms -p 65521 --method lanczos --left --vectors 3',
      fileSource('-a.sms'),
      { question: 'nullspace', method: 'lanczos', left: true, vectors: 3 },
    ],
    [
      'npx wiedemann rank a.sms -p 65521 --device gpu --threads 2 --storage ell --seed 5 --no-verify --certificate certificate.txt',
      fileSource('a.sms'),
      { device: 'gpu', threads: 2, storage: 'ell', seed: '5', verify: false, certificate: true },
    ],
    ['npx wiedemann minpoly a.sms -p 65521', fileSource('a.sms'), { question: 'minpoly', method: 'hybrid' }],
  ])('%s', (line, source, asking) => {
    expect(commandLine(source, { ...PLAIN, ...asking })).toBe(line);
  });

  test('words that a shell would read otherwise are quoted', () => {
    const words = ['a.sms', 'a b', '$HOME', "'"].map((name) => commandLine(fileSource(name), PLAIN).split(' -p ')[0]);
    expect(words).toEqual(['a.sms', "'a b'", "'$HOME'", "''\\'''"].map((word) => `npx wiedemann rank ${word}`));
  });
});

test('the raster of a window is that of the submatrix', () => {
  const entries = Array.from({ length: 400 }, (_, k) => [(k * 7) % 31, (k * 13) % 47, [1, -1, 5][k % 3]!] as const);
  const unique = [...new Map(entries.map((entry) => [`${entry[0]} ${entry[1]}`, entry])).values()];
  const matrix = SparseMatrix.fromTriplets(31, 47, unique);
  const window = { top: 5, left: 9, rows: 20, cols: 31 };
  const raster = windowRaster(matrix, window, 6, 4, 0n);
  const planes = { '1': raster.plus, '-1': raster.minus, '5': raster.general };
  for (const [value, plane] of Object.entries(planes)) {
    const expected = new Uint32Array(24);
    for (const [i, j, v] of unique) {
      const [y, x] = [i - 5, j - 9];
      if (v !== Number(value) || y < 0 || y >= 20 || x < 0 || x >= 31) continue;
      expected[Math.floor((y * 4) / 20) * 6 + Math.floor((x * 6) / 31)]!++;
    }
    expect(plane).toEqual(expected);
  }
});

test('windows stay inside, and zooming back shows the whole', () => {
  const sizes = { rows: 100, cols: 1000 };
  const whole = { top: 0, left: 0, ...sizes };
  expect(zoomWindow(whole, sizes, 2, 0, 1)).toEqual({ top: 50, left: 0, rows: 50, cols: 500 });
  expect(moveWindow(zoomWindow(whole, sizes, 2, 0, 1), sizes, 1, -0.5)).toEqual({
    ...{ top: 25, left: 500, rows: 50, cols: 500 },
  });
  expect(zoomWindow({ top: 3, left: 990, rows: 8, cols: 8 }, sizes, 1e9, 1, 1).rows).toBe(8);
  expect(zoomWindow({ top: 90, left: 990, rows: 8, cols: 8 }, sizes, 1e-9, 0.3, 0.9)).toEqual(whole);
  expect(zoomWindow({ top: 0, left: 0, rows: 0, cols: 3 }, { rows: 0, cols: 3 }, 2, 0.5, 0.5)).toEqual({
    ...{ top: 0, left: 0, rows: 0, cols: 3 },
  });
});

test('row fill shows the cut of a format that has one', () => {
  const entries = [0, 1, 2, 3].flatMap((i) => Array.from({ length: i === 3 ? 9 : 2 }, (_, j) => [i, j, 1] as const));
  const matrix = SparseMatrix.fromTriplets(4, 12, entries);
  const [panel, ...others] = fillPanels(matrix, { mod: '65521', storage: 'ell', height: 4 });
  expect(others).toEqual([]);
  expect(panel).toMatchObject({ classes: [0], cut: { at: 2, between: 'formats' }, storage: 'ell, 2 a row, + csr' });
  // Plain data: a worker sends it.
  expect(structuredClone(panel)).toEqual(panel);
  expect([...panel!.longest]).toEqual([2, 2, 2, 9]);
  expect(fillPanels(matrix, { mod: '0', storage: 'auto', height: 4 })[0]!.cut).toBe(null);
});

describe('progress', () => {
  test('the time left is by the pace of the phase alone', () => {
    const pace = new Pace();
    const at = (phase: string, done: number, now: number): number | null => {
      const event = { phase, done, total: 100 };
      pace.take(event, now);
      return pace.left(event, now);
    };
    expect(at('pivots', 0, 0)).toBe(null);
    expect(at('sequence', 10, 9000)).toBe(null);
    expect(at('sequence', 30, 11_000)).toBe(7); // 10 steps a second, 70 to go
  });

  test('seconds are told in two units at most', () => {
    expect([0.01, 1.26, 59.7, 185, 7800].map(secondsText)).toEqual([
      ...['0.010 s', '1.3 s', '1 min 0 s', '3 min 5 s', '2 h 10 min'],
    ]);
  });

  test('of many events the first and the last of a phase pass', () => {
    const passed: ProgressEvent[] = [];
    let now = 0;
    const sieve = new ProgressSieve(
      (event) => passed.push(event),
      () => now,
    );
    for (let done = 0; done <= 200; done++, now++) sieve.take({ phase: 'sequence', done, total: 200 });
    sieve.take({ phase: 'verification', done: 0, total: 1 });
    sieve.flush();
    expect(passed.map(({ phase, done }) => `${phase} ${done}`)).toEqual([
      ...['sequence 0', 'sequence 100', 'sequence 200', 'verification 0'],
    ]);
  });
});

test.each([
  ['65521', 'rank', null],
  ['65520', 'rank', '65520 is not prime.'],
  ['0', 'solve', null],
  ['0', 'minpoly', 'Expected a prime: over Q there are rank, determinant and systems.'],
  ['x', 'rank', 'Expected a prime.'],
  [`${2n ** 127n - 1n}`, 'rank', null],
  ['9'.repeat(401), 'rank', 'Expected a prime of at most 400 digits.'],
] as const)('p = %s for %s', (mod, question, refusal) => {
  expect(refusalOf(mod, question)).toBe(refusal);
});

test('the sample of each family is a matrix that is drawn at once', () => {
  expect(Object.keys(SAMPLES)).toEqual(FAMILIES.map(({ name }) => name));
  for (const [family, words] of Object.entries(SAMPLES)) {
    const { values } = generate(family, words);
    expect(values.length, family).toBeGreaterThan(100);
    expect(values.length, family).toBeLessThan(2_000_000);
  }
});

test('the policy of the page is that of `wiedemann serve`, but for frames, which no page can forbid by itself', () => {
  const page = /Content-Security-Policy" content="([^"]*)"/.exec(textOf('src/page/index.html'))![1]!;
  const source = textOf('src/commands/serve.ts');
  const list = Array.from(
    /const POLICY = \[([\s\S]*?)\]\.join/.exec(source)![1]!.matchAll(/"([^"]*)"/g),
    ([, rule]) => rule!,
  );
  expect(list).toContain("frame-ancestors 'none'");
  expect(page.split('; ')).toEqual(list.filter((rule) => !rule.startsWith('frame-ancestors')));
});
