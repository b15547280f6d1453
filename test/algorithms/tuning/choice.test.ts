/** What measured products speak for: a gain of 5 % or more at block Wiedemann's width, on as few threads as keep it. */
import { expect, test } from 'vitest';
import { chooseStorage, chooseThreads } from '../../../algorithms/tuning/choice.js';
import type { Storage } from '../../../algorithms/tuning/formats.js';
import { ENOUGH } from '../../../algorithms/tuning/halving.js';

const NEVER = Number.POSITIVE_INFINITY;

test.each<[why: string, products: readonly [Storage, number, number][], storage: Storage]>([
  [
    '5.1 % faster',
    [
      ['ell', 16, 0.949],
      ['auto', 16, 1],
    ],
    'ell',
  ],
  [
    '4.9 % faster',
    [
      ['ell', 16, 0.951],
      ['auto', 16, 1],
    ],
    'auto',
  ],
  [
    'faster at another width',
    [
      ['ell', 8, 0.1],
      ['auto', 16, 1],
      ['csr', 16, 1.1],
    ],
    'auto',
  ],
  [
    'the choice itself is fastest',
    [
      ['auto', 16, 1],
      ['csr', 16, 1.1],
    ],
    'auto',
  ],
  [
    'the choice itself was not timed',
    [
      ['sliced-ell', 16, 1],
      ['auto', 16, NEVER],
    ],
    'auto',
  ],
  [
    'nothing was timed',
    [
      ['sliced-ell', 16, NEVER],
      ['auto', 16, NEVER],
    ],
    'auto',
  ],
  ['none at that width', [['sliced-ell', 8, 1]], 'auto'],
])('storage: %s', (_, products, storage) => {
  const timed = products.map(([storage, width, seconds]) => ({
    storage,
    width,
    seconds,
    repeats: Number.isFinite(seconds) ? ENOUGH : 0,
  }));
  expect(chooseStorage(timed, 16)).toBe(storage);
});

test('nothing takes the place of the choice without a last round that both were in', () => {
  const chosen = (ell: number, auto: number) =>
    chooseStorage(
      [
        { storage: 'ell', width: 16, seconds: 0.5, repeats: ell },
        { storage: 'auto', width: 16, seconds: 1, repeats: auto },
      ],
      16,
    );
  expect(chosen(ENOUGH, ENOUGH)).toBe('ell');
  expect(chosen(ENOUGH - 1, ENOUGH)).toBe('auto');
  expect(chosen(ENOUGH, ENOUGH - 1)).toBe('auto');
});

test.each<[why: string, seconds: readonly [threads: number, number][], threads: number]>([
  [
    'each gains',
    [
      [4, 1],
      [1, 3.8],
      [2, 2],
    ],
    4,
  ],
  [
    'the last ones gain 4 %',
    [
      [16, 0.96],
      [1, 3],
      [2, 1.7],
      [4, 1],
      [8, 1.02],
    ],
    4,
  ],
  [
    'more are slower',
    [
      [4, 1.3],
      [1, 1],
      [2, 0.9],
    ],
    2,
  ],
  ['one was there', [[1, 1]], 1],
  [
    'none was timed',
    [
      [4, NEVER],
      [1, NEVER],
    ],
    4,
  ],
  [
    'fewer were not timed',
    [
      [4, 1],
      [1, NEVER],
      [2, NEVER],
    ],
    4,
  ],
])('threads: %s', (_, seconds, threads) => {
  const product = { storage: 'auto', width: 16, repeats: 1 } as const;
  expect(chooseThreads(seconds.map(([threads, seconds]) => ({ ...product, threads, seconds })))).toBe(threads);
});
