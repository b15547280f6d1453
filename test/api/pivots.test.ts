/** Independent rows and columns: as many as the rank, their submatrix nonsingular, whatever found the rank. */
import { describe, expect, test } from 'vitest';
import { OptionError, rank, SparseMatrix } from 'wiedemann';
import { independentLines } from '../../algorithms/elimination/independent-lines.js';
import { sparseRows } from '../../algorithms/reference/rows.js';
import { eliminateSparse } from '../../algorithms/reference/sparse-elimination.js';
import { generate } from '../../data/families.js';
import { BigPrime } from '../../fields/big-prime.js';
import { WordPrime } from '../../fields/word-prime.js';
import { Team } from '../../kernels/threads/team.js';

function matrixOf(family: string, ...args: number[]): SparseMatrix {
  const { rows, cols, ...entries } = generate(family, args);
  return SparseMatrix.fromTriplets(rows, cols, entries);
}

/** The rank of the submatrix, by the slow twin. */
function rankOf(a: SparseMatrix, rows: Uint32Array, cols: Uint32Array, p: bigint): number {
  const F = new BigPrime(p);
  const sub = a.submatrix(rows, cols).residuesBig(p);
  return eliminateSparse(F, sparseRows(F, sub), cols.length).rank;
}

const CASES: [string, () => SparseMatrix, number | bigint, object][] = [
  ['structural pivots alone', () => matrixOf('bibd', 9, 5), 65521, {}],
  ['a Schur complement mod 65521', () => matrixOf('mk', 7, 2), 65521, {}],
  ['mod 3, by random vectors', () => matrixOf('mk', 7, 2), 3, { method: 'hybrid' }],
  ['mod 2', () => matrixOf('mk', 7, 2), 2, {}],
  ['mod 2147483629, by block Wiedemann', () => matrixOf('mk', 7, 2), 2147483629, { method: 'wiedemann' }],
  ['wider than high', () => matrixOf('mk', 7, 2).transpose(), 3, {}],
  ['without threads', () => matrixOf('mk', 7, 2), 3, { device: 'reference' }],
  ['mod a prime beyond a word', () => matrixOf('mk', 7, 2), 2n ** 61n - 1n, {}],
  ['a lower bound alone', () => matrixOf('mk', 7, 2), 65521, { method: 'wiedemann', verify: false }],
];

describe('pivotRows and pivotCols', () => {
  test.each(CASES)('%s', async (_, make, mod, options) => {
    const a = make();
    const { value, lowerBound, pivotRows, pivotCols } = await rank(a, { mod, ...options, pivots: true, seed: 1 });
    expect([pivotRows!.length, pivotCols!.length]).toEqual([value, value]);
    expect(rankOf(a, pivotRows!, pivotCols!, BigInt(mod))).toBe(value);
    expect([...pivotRows!].sort((x, y) => x - y)).toEqual([...pivotRows!]);
    expect(lowerBound).toBe(value); // whatever found it: the submatrix proves that much
    expect(value).toBe((await rank(a, { mod })).value);
  });

  test('over the rationals', async () => {
    const a = SparseMatrix.fromDense([
      [2, 4, 0],
      ['1/3', '2/3', 0],
      [0, 0, 7],
    ]);
    const { value, pivotRows, pivotCols } = await rank(a, { mod: 0, pivots: true });
    expect([value, pivotRows!.length, pivotCols!.length]).toEqual([2, 2, 2]);
    expect(rankOf(a, pivotRows!, pivotCols!, 2n ** 61n - 1n)).toBe(2);
  });

  test('of a matrix with more lines than entries, by its own numbers', async () => {
    const a = SparseMatrix.fromTriplets(10 ** 9, 10 ** 9, [
      [999_999_999, 7, 1],
      [12, 123_456_789, 5],
    ]);
    const { pivotRows, pivotCols } = await rank(a, { mod: 65521, pivots: true });
    expect([[...pivotRows!], [...pivotCols!]]).toEqual([
      [12, 999_999_999],
      [7, 123_456_789],
    ]);
  });

  test('are not there unless asked for, nor for an operator', async () => {
    const a = matrixOf('mk', 7, 2);
    expect(await rank(a, { mod: 3 })).toMatchObject({ pivotRows: null, pivotCols: null });
    const same = (x: Uint32Array) => x;
    const operator = { rows: 3, cols: 3, apply: same, applyTransposed: same };
    await expect(rank(operator, { mod: 7, pivots: true })).rejects.toThrow(OptionError);
  });

  test('are refused where the Schur complement takes more than is allowed', async () => {
    const team = await Team.create(1);
    const a = matrixOf('mk', 7, 2);
    for (const p of [2, 65521]) {
      const lines = () => independentLines(team, WordPrime.of(p), a.residues(p), 1000, () => {}, 100);
      expect(lines).toThrow(/^pivots: the \d+ x \d+ Schur complement takes about [\d.]+ MB, allowed are/);
    }
    await team.dispose();
  });
});
