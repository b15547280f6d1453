/**
 * Searches for nested dissections without a limit, in this process, beside the seconds that the rule expects.
 *
 *   npm run bench -- dissections [--rounds N]
 *
 * Processor time on one thread, the least of N rounds (default 3) after one that is not counted. One JSON line a
 * pattern.
 */
import { parseArgs } from 'node:util';
import { report } from './report.mjs';

const DIST = new URL('../../dist/', import.meta.url);

const { values: options } = parseArgs({
  args: process.argv.slice(3),
  options: { rounds: { type: 'string', default: '3' } },
});
const rounds = Number(options.rounds);
if (!(rounds >= 1)) throw new Error(`--rounds: expected at least 1, got ${options.rounds}`);

const [{ dissect, searchSeconds }, { generate }, { SparseMatrix, transpose }] = await Promise.all(
  ['algorithms/elimination/dissection.js', 'data/families.js', 'kernels/sparse/sparse-matrix.js'].map(
    (path) => import(new URL(path, DIST).href),
  ),
);

const PATTERNS = [
  ['tridiagonal', () => lattice(1_000_000, 1, 1)],
  ['band of 11', () => lattice(200_000, 1, 5)],
  ['band of 41', () => lattice(100_000, 1, 20)],
  ['grid of 300 x 300', () => lattice(300, 300, 1)],
  ['grid of 1000 x 1000', () => lattice(1000, 1000, 1)],
  ['geometric, degree 12', () => generate('geometric', [100_000, 12, 1])],
];

/** The points of a width x height lattice, each with those at most `reach` away on a line of the lattice. */
function lattice(width, height, reach) {
  const [rowIdx, colIdx] = [[], []];
  const add = (x, y, i) => {
    if (x < 0 || y < 0 || x >= width || y >= height) return;
    rowIdx.push(i);
    colIdx.push(y * width + x);
  };
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)];
    for (let t = -reach; t <= reach; t++) {
      add(x + t, y, i);
      if (t !== 0) add(x, y + t, i);
    }
  }
  const n = width * height;
  const [rows, columns] = [rowIdx, colIdx].map((list) => Uint32Array.from(list));
  return { rows: n, cols: n, rowIdx: rows, colIdx: columns, values: new Int32Array(rows.length).fill(1) };
}

function timed(a, at) {
  const used = process.cpuUsage();
  const { fronts } = dissect(a, at, () => false);
  const { user, system } = process.cpuUsage(used);
  return { fronts: fronts.length, seconds: (user + system) / 1e6 };
}

for (const [pattern, make] of PATTERNS) {
  const { rows, cols, ...entries } = make();
  const a = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);
  const at = transpose(a);
  const [{ fronts }, ...runs] = Array.from({ length: rounds + 1 }, () => timed(a, at));
  const cpuSeconds = Math.min(...runs.map(({ seconds }) => seconds));
  const [took, told] = [cpuSeconds, searchSeconds(a)].map((seconds) => Number(seconds.toPrecision(3)));
  report({ bench: 'dissections', pattern, rows, entries: a.colIdx.length, fronts, cpuSeconds: took, byRule: told });
}
