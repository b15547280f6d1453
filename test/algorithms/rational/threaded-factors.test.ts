/** Lifting by factors on threads: their products against A, and systems too large for dense factors alone. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ModularFactors } from '../../../algorithms/rational/context.js';
import { DenseFactors } from '../../../algorithms/rational/dense-factors.js';
import { type IntegerSystem, integerSystems } from '../../../algorithms/rational/integer-system.js';
import { solveRational } from '../../../algorithms/rational/solve.js';
import { ThreadedFactors } from '../../../algorithms/rational/threaded-factors.js';
import { CounterRandom } from '../../../fields/random.js';
import { type Entry, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(async () => {
  await team.dispose();
});

/** Three or so entries a row; the last rows are sums of two others. */
function sparse(rows: number, cols: number, dependent: number, seed: bigint): SparseMatrix {
  const random = new CounterRandom(seed, 0);
  let drawn = 0;
  const draw = (below: number): number => random.residueAt(drawn++, below);
  const lines: Map<number, number>[] = [];
  for (let i = 0; i < rows; i++) {
    const line = new Map<number, number>();
    if (i < rows - dependent) for (let k = 0; k < 3; k++) line.set(draw(cols), draw(9) - 4);
    else
      for (const other of [draw(i), draw(i)])
        for (const [j, value] of lines[other]) line.set(j, (line.get(j) ?? 0) + value);
    lines.push(line);
  }
  const entries = lines.flatMap((line, i) => [...line].map(([j, value]) => [i, j, value] as const));
  return SparseMatrix.fromCoo({
    rows,
    cols,
    rowIdx: Uint32Array.from(entries, ([i]) => i),
    colIdx: Uint32Array.from(entries, ([, j]) => j),
    values: entries.map(([, , value]) => value),
  });
}

function multiply({ rows, cols, rowPtr, colIdx, values }: IntegerSystem, x: Float64Array, p: number, left: boolean) {
  const y = new Array<bigint>(left ? cols : rows).fill(0n);
  for (let i = 0; i < rows; i++) {
    for (let k = rowPtr[i]; k < rowPtr[i + 1]; k++) {
      const [to, from] = left ? [colIdx[k], i] : [i, colIdx[k]];
      y[to] += BigInt(values![k]) * BigInt(x[from]);
    }
  }
  return Float64Array.from(y, (value) => Number(((value % BigInt(p)) + BigInt(p)) % BigInt(p)));
}

describe.each([
  ['on threads', 2147483629],
  ['on threads', 8388617],
  ['dense', 8388617],
] as const)('%s mod %i', (kind, p) => {
  test.each([
    [60, 40, 30],
    [40, 60, 5],
    [50, 50, 0],
    [1, 5, 0],
  ])('%i x %i: A·G·A = A from both sides, several columns at once', async (rows, cols, dependent) => {
    const matrix = sparse(rows, cols, dependent, BigInt(rows));
    const [system] = integerSystems(matrix, [new Array<Entry>(rows).fill(0)]).systems;
    const check = (): void => {};
    const factors: ModularFactors =
      kind === 'dense' ? new DenseFactors(system, p, check) : await ThreadedFactors.of(system, p, team, { check });
    for (const transposed of [false, true, false]) {
      const lines = transposed ? rows : cols;
      const columns = [1n, 2n, 3n].map((seed) => {
        const z = new CounterRandom(seed, 0).fillResidues(new Uint32Array(lines), p);
        return multiply(system, Float64Array.from(z), p, transposed);
      });
      const solved = await factors.apply(columns, transposed);
      expect(solved.map((x) => multiply(system, x, p, transposed))).toEqual(columns);
      expect(solved.map((x) => x.filter((value) => value !== 0).length <= factors.rank)).toEqual([true, true, true]);
    }
    factors.free();
  });
});

describe('systems on threads', () => {
  let asked = 0;
  const context = {
    seed: 3n,
    check: () => {},
    onProgress: () => {},
    team: async () => {
      asked++;
      return team;
    },
  };

  test.each([
    [900, 800, 300],
    [800, 900, 40],
  ])('%i x %i, rows that depend on others: solutions, and a refutation', async (rows, cols, dependent) => {
    const matrix = sparse(rows, cols, dependent, 17n);
    const random = new CounterRandom(18n, 0);
    const images = [0, 1].map((t) => {
      const x = Array.from({ length: cols }, (_, j) => BigInt(random.residueAt(t * cols + j, 2000) - 1000));
      return matrix.multiply(x);
    });
    asked = 0;
    const found = await solveRational(context, matrix, images);
    expect(asked).toBe(1);
    if (found.kind !== 'solved') throw new Error(found.kind);
    for (const [t, { numerators, denominator }] of found.solutions.entries())
      expect(matrix.multiply(numerators)).toEqual(images[t].map((b) => b * denominator));
    const bad = images[0].map((b, i) => (i === rows - 1 ? b + 1n : b));
    const refuted = await solveRational(context, matrix, [images[1], bad]);
    if (refuted.kind !== 'inconsistent') throw new Error(refuted.kind);
    const { certificate, column } = refuted;
    expect(column).toBe(1);
    expect(
      matrix
        .transpose()
        .multiply(certificate)
        .every((value) => value === 0n),
    ).toBe(true);
    expect(certificate.reduce((sum, u, i) => sum + u * bad[i], 0n)).not.toBe(0n);
  });
});
