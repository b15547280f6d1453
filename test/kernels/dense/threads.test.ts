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
import { planOf } from '../../../dist/kernels/sparse/plan.js';
import { SparseMatrix, transpose } from '../../../dist/kernels/sparse/sparse-matrix.js';
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

test('and they have all entries of long rows, which other products take by panels of columns', () => {
  const F = WordPrime.of(65521);
  const [cols, long] = [12000, 20];
  const random = new CounterRandom(9n, 1);
  const entries: [number, number, number][] = [];
  // A diagonal of pivots, some with an entry in the last columns, and rows that a product takes by panels of columns.
  for (let j = 0; j + long < cols; j++) {
    entries.push([j, j, 1 + random.residueAt(j, 65000)]);
    if (j % 3 === 0) entries.push([j, cols - long + ((j / 3) % long), 1 + random.residueAt(cols * cols + j, 65000)]);
  }
  for (let i = 0; i < long; i++) {
    for (let j = i; j < cols; j += 25) entries.push([cols - long + i, j, 2 + random.residueAt(i * cols + j, 65000)]);
  }
  const a = SparseMatrix.fromTriplets(cols, cols, entries).residues(F.p);
  const lists = planOf(a, F.p).parts.flatMap(({ formats }) => formats.map(({ kind }) => kind));
  expect(lists).toContain('coo-s');
  const pivotRows = Uint32Array.from({ length: cols - long }, (_, j) => j);
  const depths = Uint32Array.of(0, cols - long);
  const at = transpose(a) as typeof a;
  const lines = new SchurLines(teams[0], F, a, at, { rows: pivotRows, cols: pivotRows, depths });
  const d = new DenseMatrix(teams[0].memory, F, lines.count, lines.length);
  lines.form(0, lines.count, d, 0);
  // S = A22 − A21·A11⁻¹·A12, of the last rows and columns; A11 is diagonal.
  const formed = Array.from({ length: lines.count }, (_, i) => [...d.row(i)].slice(0, long));
  const expected = Array.from({ length: long }, () => new Array<number>(long).fill(0));
  for (let i = 0; i < long; i++) {
    for (let k = a.rowPtr[cols - long + i]; k < a.rowPtr[cols - long + i + 1]; k++) {
      const [column, value] = [a.colIdx[k], a.values[k]];
      const j = column - (cols - long);
      if (j >= 0) expected[i][j] = F.add(expected[i][j], value);
      if (j >= 0 || column % 3 !== 0) continue;
      const at = a.rowPtr[column]; // the pivot, and its one other entry
      const other = a.colIdx[at + 1] - (cols - long);
      const times = F.mul(F.mul(value, F.inv(a.values[at])), a.values[at + 1]);
      expected[i][other] = F.sub(expected[i][other], times);
    }
  }
  expect(expected.flat().filter((v) => v > 0).length).toBeGreaterThan(10);
  expect(formed).toEqual(expected);
  d.release();
  lines.free();
});
