/** The model of costs: what it assumes of pivots, in which direction it moves, and what a closer look tells it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { costs, costsLeft, estimatesOver, linesBehindPivots } from '../../../algorithms/methods/costs.js';
import { trialSeconds } from '../../../algorithms/methods/measured-rates.js';
import { probe } from '../../../algorithms/methods/probe.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { structuralPivots } from '../../../algorithms/presolve/structural-pivots.js';
import { ExtensionPolyEngine, PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { leastSeconds } from '../../../algorithms/stopwatch.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix, transpose } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

function residues(family: string, args: readonly number[], p: number) {
  const { rows, cols, ...entries } = generate(family, args);
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

function contextOn(executor: CpuExecutor): RunContext {
  return {
    executor,
    team,
    seed: 1n,
    orderBasisEngine: (field) =>
      field instanceof WordPrime ? new PolyEngine(team, field) : new ExtensionPolyEngine(team, field),
    check: () => {},
    onProgress: () => {},
  };
}

test.each([2, 3, 5, 10, 20, 60])('pivots leave of a random matrix of %d a row what the model says', (d) => {
  const a = residues('random', [1500, 1500, d, 65521, 1], 65521);
  const left = a.rows - structuralPivots(a, transpose(a)).matching.size;
  const [rows, cols] = linesBehindPivots(a.rows, a.cols, d / a.cols);
  expect(rows).toBe(cols);
  expect(Math.abs(rows - left)).toBeLessThan(0.15 * a.rows);
  if (d >= 5) expect(rows / left).toBeGreaterThan(0.7);
  if (d >= 5) expect(rows / left).toBeLessThan(1.4);
});

test('fill takes elimination down where there is little of it, and nowhere else', () => {
  const field = WordPrime.of(3);
  const fill = { rows: 32, of: 20000, secondsARow: 1e-5 };
  const blind = costs(field, 20000, 20000, 100000, 5);
  const sparse = costs(field, 20000, 20000, 100000, 5, { fill: { ...fill, share: 1e-4 } });
  const full = costs(field, 20000, 20000, 100000, 5, { fill: { ...fill, share: 0.5 } });
  expect(full).toEqual(blind);
  expect(sparse.elimination).toBeLessThan(blind.elimination / 100);
  expect({ ...sparse, elimination: 0 }).toEqual({ ...blind, elimination: 0 });
});

test('a slow product makes vectors dear, slow rates what rests on them', () => {
  const field = WordPrime.of(65521);
  const at = (known?: object) => costs(field, 5000, 5000, 50000, 1, known);
  expect(at({ product: 1 }).wiedemann).toBeGreaterThan(100 * at().wiedemann);
  const slow = at({ rates: { basis: 2, pluq: 2 } });
  expect(slow.elimination / at().elimination).toBeGreaterThan(1.8);
  expect(slow.sampling / at().sampling).toBeGreaterThan(1.8);
  expect(slow.wiedemann).toBeGreaterThan(at().wiedemann);
  expect(slow.wiedemann).toBeLessThan(2 * at().wiedemann);
});

test.each([2, 3, 65521, 2147483629])('a long run looks at fill and rates first and says so, mod %d', async (p) => {
  const executor = new CpuExecutor(WordPrime.of(p), team);
  const known = presolve(executor.field, residues('ex', [2], p), estimatesOver(executor.field));
  const { costs, explanation, measurements } = await probe(contextOn(executor), team, known, { product: 1e3 });
  expect(explanation[0]).toMatch(/^32 of \d+ rows of the Schur complement are [\d.]+ % full$/);
  expect(measurements).toMatchObject({ product: 1e3, fill: { rows: 32 } });
  expect(costs).toEqual(costsLeft(executor.field, known.a, known.matching.size, measurements));
  // With products that slow nothing but elimination is left, and rates would not change that, unless it has them too.
  expect(explanation.length).toBe(measurements.rates === undefined ? 1 : 2);
  executor.dispose();
});

test('a short one does not', async () => {
  const executor = new CpuExecutor(WordPrime.of(65521), team);
  const known = presolve(executor.field, residues('ex', [2], 65521), estimatesOver(executor.field));
  const { costs, explanation } = await probe(contextOn(executor), team, known, { product: 1e-4 });
  expect(explanation).toEqual([]);
  expect(costs).toEqual(costsLeft(executor.field, known.a, known.matching.size, { product: 1e-4 }));
  executor.dispose();
});

test.each([2, 3, 65521, 2147483629])('trials leave nothing behind in the kernels’ memory, mod %d', async (p) => {
  const executor = new CpuExecutor(WordPrime.of(p), team);
  const before = await trialSeconds(contextOn(executor), team, 0);
  const used = team.memory.peakBytes;
  const { basis, pluq } = await trialSeconds(contextOn(executor), team, 0);
  expect(Math.min(before.basis, before.pluq, basis, pluq)).toBeGreaterThan(0);
  expect(team.memory.peakBytes).toBe(used);
  executor.dispose();
});

test('repeats at least three times, and as often as the budget pays for', async () => {
  let runs = 0;
  const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 2, runs++));
  expect(await leastSeconds(0, pause)).toBeGreaterThan(0.0005);
  expect(runs).toBe(3);
  await leastSeconds(60, pause);
  expect(runs).toBe(23);
});
