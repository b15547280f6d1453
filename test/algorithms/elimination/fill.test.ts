/** The fill seen on some rows of a Schur complement beside that of all of it. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fillLine, formSparseSchur, percent, SAMPLE, sampleFill } from '../../../algorithms/elimination/fill.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { SchurRows } from '../../../kernels/schur/schur-rows.js';
import { SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

function pivoted(family: string, args: readonly number[], p: number) {
  const { rows, cols, ...entries } = generate(family, args);
  const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
  return { field: WordPrime.of(p), a, structural: structuralPivots(a, transpose(a)) };
}

describe.each([2, 3, 65521, 2147483629])('mod %d', (p) => {
  test.each([
    ['ex', [2]],
    ['random', [900, 800, 3, p, 1]],
    ['ch', [5, 5, 3]], // Schur complements of few entries
  ] as const)('of %s %o', (family, args) => {
    const { field, a, structural } = pivoted(family, args, p);
    const all = formSparseSchur(team, field, a, structural, () => {});
    const share = all.values.length / all.rows / all.cols;
    const whole = sampleFill(team, field, a, structural, a.rows);
    expect(whole).toMatchObject({ share, rows: all.rows, of: all.rows });
    const some = sampleFill(team, field, a, structural);
    expect(some.rows).toBe(Math.min(SAMPLE, all.rows));
    // A row of these has half to twice the entries of the mean: 32 of them err by a tenth or so.
    expect(Math.abs(some.share - share)).toBeLessThanOrEqual(0.4 * share);
    expect(sampleFill(team, field, a, structural).share).toBe(some.share);
  });
});

test('a few rows serve where all would take long, spread as evenly', () => {
  const { field, a, structural } = pivoted('ex', [2], 65521);
  const formed = vi.spyOn(SchurRows.prototype, 'sparse');
  let now = 0;
  let step = 0; // ms of every look at the clock
  vi.spyOn(performance, 'now').mockImplementation(() => (now += step));
  try {
    const all = sampleFill(team, field, a, structural);
    step = 1000;
    const some = sampleFill(team, field, a, structural);
    const rowsOf = (call: number): number[] => [...formed.mock.calls.at(call)![0]];
    const few = rowsOf(-1);
    expect([all.rows, some.rows]).toEqual([SAMPLE, few.length]);
    expect(some.secondsARow).toBe(1 / few.length);
    const apart = SAMPLE / few.length;
    expect(apart).toBeGreaterThanOrEqual(2);
    expect(few).toEqual(rowsOf(-2).filter((_, t) => t % apart === 0));
  } finally {
    vi.restoreAllMocks();
  }
});

test('in words', () => {
  expect(percent(0)).toBe('0 %');
  expect(percent(0.9987)).toBe('100 %');
  expect(fillLine({ share: 0.0123, rows: 32, of: 4240, secondsARow: 1 })).toBe(
    '32 of 4240 rows of the Schur complement are 1.2 % full',
  );
});
