/** Which parts are late, by what they say and by their silence. */
import { expect, test } from 'vitest';
import type { PartStanding } from '../../algorithms/block-wiedemann/part-standings.js';
import { forecastOf, usualPace } from '../../src/clusters/late-parts.js';

const NOW = Date.parse('2026-01-01T12:00:00Z');
const ago = (seconds: number): string => new Date(NOW - 1000 * seconds).toISOString();

/** Of 1000 blocks, by default 250 of them at a tenth of a block a second, a moment ago. */
const standing = (own: Partial<PartStanding> = {}): PartStanding => {
  return { part: 0, done: 250, total: 1000, rate: 0.1, at: ago(0), longest: 60, ...own };
};
const done = (rate: number, longest = 60): PartStanding => standing({ done: 1000, rate, longest });

test('a part usually goes at the median rate of those that are done, and says so in time', () => {
  expect(usualPace([done(1), done(2, 100), done(8), standing()])).toEqual({ rate: 2, silence: 60 });
  expect(usualPace([standing(), done(0)])).toBe(null); // a part that was joined, or said nothing
});

const usual = { rate: 1, silence: 60 };
const forecast = (part: PartStanding, since = NOW - 3_600_000, patience = 300) =>
  forecastOf(part, usual, { since, now: NOW, patience });

test.each<[string, PartStanding, { left: number; isLate: boolean }]>([
  ['ten times slower', standing(), { left: 7500, isLate: true }],
  ['twice as slow', standing({ rate: 0.5 }), { left: 1500, isLate: false }],
  ['ten times slower, but nearly done', standing({ done: 970 }), { left: 300, isLate: false }],
  [
    'as fast, and silent no longer than a checkpoint takes',
    standing({ rate: 1, at: ago(360) }),
    { left: 390, isLate: false },
  ],
  ['as fast, and silent four times as long', standing({ rate: 1, at: ago(1440) }), { left: 2640, isLate: true }],
  ['nearly done, and silent', standing({ rate: 1, done: 999, at: ago(700) }), { left: 340, isLate: true }],
])('%s', (_, part, expected) => {
  const found = forecast(part);
  expect(found).toEqual({ ...expected, left: expect.closeTo(expected.left, 5), instead: 1000 - part.done });
});

test('what was said before a job began counts for its blocks alone, and silence from its start', () => {
  expect(forecast(standing({ at: ago(3000) }), NOW - 30_000)).toEqual({ left: 720, instead: 750, isLate: false });
  expect(forecast(standing({ done: 0, at: null, rate: 0 }), NOW - 3_600_000)).toMatchObject({ isLate: true });
});
