/** Threads start from dist/ only, so everything here comes from there. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SchurLines } from '../../../dist/algorithms/elimination/dense-schur.js';
import { estimatesOver } from '../../../dist/algorithms/methods/costs.js';
import { presolve } from '../../../dist/algorithms/presolve/presolve.js';
import { generate } from '../../../dist/data/families.js';
import { CounterRandom } from '../../../dist/fields/random.js';
import { WordPrime } from '../../../dist/fields/word-prime.js';
import { DenseMatrix } from '../../../dist/kernels/dense/dense-matrix.js';
import { pluq } from '../../../dist/kernels/dense/pluq.js';
import { SparseMatrix } from '../../../dist/kernels/sparse/sparse-matrix.js';
import { Team } from '../../../dist/kernels/threads/team.js';

const THREADS = [1, 2, 3];
let teams: Team[];
beforeAll(async () => {
  teams = await Promise.all(THREADS.map((threads) => Team.create(threads)));
});
afterAll(() => Promise.all(teams.map((team) => team.dispose())));

test.each([2, 65521, 2147483647])('PLUQ is the same to the last residue on any number of threads, mod %i', (p) => {
  const F = WordPrime.of(p);
  const [m, n] = [260, 300];
  const results = teams.map((team) => {
    const random = new CounterRandom(2, 7);
    const a = new DenseMatrix(team.memory, F, m, n);
    for (let i = 0; i < m; i++) a.row(i).set(random.fillResidues(new Uint32Array(n), p, i * n));
    for (let i = 0; i < m; i += 3) a.row(i).set(a.row((i + 100) % m)); // equal rows
    const { rank, pivotRows, pivotCols } = pluq(team, F, a);
    const factors = Array.from({ length: m }, (_, i) => [...a.row(i)]);
    a.release();
    return { rank, pivotRows: [...pivotRows], pivotCols: [...pivotCols], factors };
  });
  expect(results[0].rank).toBeLessThan(m);
  for (const result of results) expect(result).toEqual(results[0]);
});

test.each([7, 2147483629])('and so are the rows of a Schur complement, mod %i', (p) => {
  const F = WordPrime.of(p);
  const { rows, cols, ...triplets } = generate('random', [700, 600, 8, 65521, 5]);
  const { a, at, pivots } = presolve(F, SparseMatrix.fromTriplets(rows, cols, triplets).residues(p), estimatesOver(F));
  const results = teams.map((team) => {
    const lines = new SchurLines(team, F, a, at, pivots);
    const d = new DenseMatrix(team.memory, F, lines.count, lines.length);
    lines.form(0, lines.count, d, 0);
    const entries = Array.from({ length: lines.count }, (_, i) => [...d.row(i)]);
    d.release();
    lines.free();
    return entries;
  });
  expect(results[0].length).toBeGreaterThan(50);
  for (const result of results) expect(result).toEqual(results[0]);
});
