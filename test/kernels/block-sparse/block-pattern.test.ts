/** Patterns of blocks: what is refused, and fill against elimination of a table of places. */
import { expect, test } from 'vitest';
import { BlockPattern } from '../../../kernels/block-sparse/block-pattern.js';
import { StructureError } from '../../../kernels/errors/structure-error.js';
import { patternOf, patternWhere, randomResidues } from './cases.js';

test.each([
  ['no row pointers', [], []],
  ['a first pointer that is not 0', [1, 1], [0]],
  ['a last pointer that is not the number of blocks', [0, 2], [0]],
  ['a row that ends before it begins', [0, 2, 1, 2], [0, 1]],
  ['a column outside', [0, 1], [1]],
  ['a block stored twice', [0, 2, 2], [1, 1]],
  ['columns that fall', [0, 2, 2], [1, 0]],
])('%s is refused', (_, rowPtr, colIdx) => {
  expect(() => new BlockPattern(Uint32Array.from(rowPtr), Uint32Array.from(colIdx))).toThrow(StructureError);
});

test('find and diagonal name the places, −1 where nothing is stored', () => {
  const pattern = patternOf([[1], [], [0, 2]]);
  expect([pattern.n, pattern.blocks]).toEqual([3, 3]);
  expect(Array.from(pattern.diagonal)).toEqual([-1, -1, 2]);
  expect([pattern.find(0, 1), pattern.find(1, 1), pattern.find(2, 0), pattern.find(2, 1)]).toEqual([0, -1, 1, -1]);
});

test('a pattern holds all fill exactly if elimination of its places adds none', () => {
  const seen = [0, 0];
  for (let trial = 0; trial < 400; trial++) {
    const n = trial % 6;
    const draws = randomResidues(n * n, 3 + (trial % 4), trial);
    const pattern = patternWhere(n, (i, j) => i === j || draws[i * n + j] === 0);
    const table = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => pattern.find(i, j) >= 0));
    for (let k = 0; k < n; k++)
      for (let i = k + 1; i < n; i++)
        for (let j = k + 1; j < n; j++) if (table[i]![k] && table[k]![j]) table[i]![j] = true;
    const holds = table.flat().filter(Boolean).length === pattern.blocks;
    expect(pattern.holdsAllFill()).toBe(holds);
    seen[Number(holds)]!++;
  }
  expect(Math.min(...seen)).toBeGreaterThan(20);
});
