/** Systems by every method: the X that was chosen, refusals, and what follows where the vectors find nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { multiply, vanishesOn } from '../../../algorithms/factor/products.js';
import { MethodError } from '../../../algorithms/method-error.js';
import type { SolveMethod } from '../../../algorithms/methods/choose-system.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { solve } from '../../../algorithms/solve.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

async function ask(p: number, a: ResidueMatrix, b: Uint32Array, s: number, method: SolveMethod, random = false) {
  const executor = new CpuExecutor(WordPrime.of(p), team);
  const context = {
    ...{ executor, team, seed: 3n, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field: BasisField) => new NaiveEngine(field),
  };
  try {
    return await solve(context, a, b, s, { method, random });
  } finally {
    executor.dispose();
  }
}

/** L·U of sparse unit triangles with a diagonal that is not zero, its columns turned round: nonsingular. */
function nonsingular(n: number, p: number): ResidueMatrix {
  const F = WordPrime.of(p);
  const random = new CounterRandom(BigInt(n), 0);
  let drawn = 0;
  const draw = (below: number): number => random.residueAt(drawn++, below);
  const lower = Array.from(
    { length: n },
    (_, i) => new Map([[i, 1], ...(i > 0 ? [[draw(i), 1 + draw(p - 1)] as const] : [])]),
  );
  const upper = Array.from(
    { length: n },
    (_, i) =>
      new Map([[i, 1 + draw(p - 1)], ...(i + 1 < n ? [[i + 1 + draw(n - i - 1), 1 + draw(p - 1)] as const] : [])]),
  );
  const entries: [number, number, number][] = [];
  lower.forEach((row, i) => {
    const sums = new Map<number, number>();
    for (const [k, x] of row) for (const [j, y] of upper[k]) sums.set(j, F.add(sums.get(j) ?? 0, F.mul(x, y)));
    for (const [j, x] of sums) if (x !== 0) entries.push([i, (3 * j + 1) % n, x]);
  });
  return SparseMatrix.fromTriplets(n, n, entries).residues(p);
}

describe.each([2, 3, 5, 7, 101, 65521, 2147483629])('mod %d', (p) => {
  const F = WordPrime.of(p);

  test.each(['auto', 'hybrid', 'wiedemann', 'elimination'] as const)('%s: the X that was chosen', async (method) => {
    for (const [n, s] of [
      [1, 1],
      [7, 2],
      [100, 1],
      [100, 19], // more right sides than one run takes
      [250, 3],
    ] as const) {
      const a = nonsingular(n, p);
      const x = new CounterRandom(7n, 1).fillResidues(new Uint32Array(n * s), p);
      const found = await ask(p, a, multiply(F, a, x, s), s, method);
      expect(found.solution, `${n} x ${n}`).toEqual(x);
    }
  });

  test('a singular matrix: elimination answers, the vectors alone give a reason', async () => {
    const n = 61; // no multiple of 3: the columns of nonsingular(n)
    const a = nonsingular(n, p);
    // Row 5 becomes row 9.
    const rows = Array.from({ length: n }, (_, i) => (i === 5 ? 9 : i));
    const entries = rows.flatMap((from, i) =>
      Array.from(
        a.colIdx.subarray(a.rowPtr[from], a.rowPtr[from + 1]),
        (j, k) => [i, j, a.values[a.rowPtr[from] + k]] as const,
      ),
    );
    const singular = SparseMatrix.fromTriplets(n, n, entries).residues(p);
    const b = new Uint32Array(n);
    b[9] = 1;
    const found = await ask(p, singular, b, 1, 'auto');
    expect(found.solution).toBeNull();
    expect(vanishesOn(F, found.inconsistent!.certificate, singular)).toBe(true);
    expect(found.inconsistent!.certificate[9]).not.toBe(0);
    b[5] = 1;
    const solved = await ask(p, singular, b, 1, 'auto', true);
    expect(solved.inconsistent).toBeNull();
    expect(multiply(F, singular, solved.solution!, 1)).toEqual(b);
    for (const method of ['hybrid', 'wiedemann'] as const) {
      const none = await ask(p, singular, b, 1, method);
      expect(none).toMatchObject({ solution: null, inconsistent: null });
      expect(none.reason).toContain('may be singular');
    }
  });
});

test('the vectors ask for a square matrix, and for room', async () => {
  const a = SparseMatrix.fromTriplets(2, 3, [[0, 0, 1]]).residues(101);
  for (const method of ['hybrid', 'wiedemann'] as const) {
    await expect(ask(101, a, Uint32Array.of(1, 0), 1, method)).rejects.toThrow(MethodError);
    await expect(ask(101, a, Uint32Array.of(1, 0), 1, method)).rejects.toThrow('square matrix, got 2 x 3');
  }
});
