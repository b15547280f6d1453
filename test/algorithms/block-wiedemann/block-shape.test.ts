/** Shapes of blocks by device: what the header of chooseGpuBlocks says, at its limits. */
import { expect, test } from 'vitest';
import { checkpoints, chooseBlocks, chooseGpuBlocks } from '../../../algorithms/block-wiedemann/block-shape.js';
import { WordPrime } from '../../../fields/word-prime.js';

const BINDS = 2 ** 31 - 4;
const GL7D19 = [1955309, 1911130, 36e6] as const;

test.each([
  ['a matrix of GL7d19s shape', GL7D19, 65521, BINDS, { m: 64, n: 32 }],
  ['fewer entries', [1955309, 1911130, 1.7e7], 65521, BINDS, undefined],
  ['residues of 32 bits', GL7D19, 65537, BINDS, undefined],
  ['an extension', GL7D19, 7, BINDS, undefined],
  ['bits', GL7D19, 2, BINDS, undefined],
  ['a device that binds less than 32 columns', GL7D19, 65521, 2 ** 26, undefined],
  ['few unknowns, which 32 columns are many of', [1e8, 500, 1e8], 65521, BINDS, undefined],
] as const)('%s', (_, [L, N, nnz], p, binds, shape) => {
  expect(chooseGpuBlocks(L, N, nnz, WordPrime.of(p), binds)).toEqual(shape);
});

test('the shape of every device', () => {
  expect([10, 100, 1e6].map((N) => chooseBlocks(N, 1))).toEqual([
    { m: 8, n: 4 },
    { m: 16, n: 8 },
    { m: 32, n: 16 },
  ]);
});

test.each([1, 7, 8, 30, 47, 48, 100, 383, 384, 3763, 51471, 10 ** 6])(
  'looks up to %i: none misses an end by much',
  (bound) => {
    const looks = checkpoints(bound);
    expect(looks).toEqual([...new Set(looks)].sort((a, b) => a - b));
    expect(looks.at(-1)).toBe(bound);
    for (let end = 1; end <= bound; end = Math.ceil(1.01 * end)) {
      const look = looks.find((each) => each >= end)!;
      if (end >= 4096) expect(look).toBeLessThanOrEqual((9 / 8) * end + 1);
      if (end >= 192) expect(look).toBeLessThanOrEqual(1.25 * end + 1);
      if (end >= 24) expect(look).toBeLessThanOrEqual(2 * end + 1);
    }
  },
);
