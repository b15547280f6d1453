/** Ranks far below the columns: one attempt verifies the rank. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlockShape } from '../../../algorithms/block-wiedemann/block-shape.js';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import { PolyEngine } from '../../../algorithms/sigma-basis/pm-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

/** r rows, triangular with ones on the diagonal and a few entries beside it, then sums of two of them each. */
function ofRank(size: number, r: number): SparseMatrix {
  const random = new CounterRandom(3n, 0);
  let at = 0;
  const below = (n: number): number => random.residueAt(at++, n);
  const base = Array.from({ length: r }, (_, i) => [
    [i, 1] as const,
    ...Array.from({ length: 3 }, () => [i + 1 + below(size - i), 1 + below(90)] as const).filter(([j]) => j < size),
  ]);
  const rows = [...base, ...Array.from({ length: size - r }, () => [...base[below(r)], ...base[below(r)]])];
  return SparseMatrix.fromTriplets(
    size,
    size,
    rows.flatMap((row, i) => row.map(([j, value]) => [i, j, value] as const)),
  );
}

/** The rank of a matrix of rank r, by one attempt. */
async function ranked(size: number, r: number, p: number, block?: BlockShape) {
  const field = WordPrime.of(p);
  const orderBasisEngine = () => new PolyEngine(team, field);
  const context = {
    executor: new CpuExecutor(field, team),
    seed: 5n,
    orderBasisEngine,
    check: () => {},
    onProgress: () => {},
  };
  const { rank, upperBound } = await rankOfMatrix(context, ofRank(size, r).residues(p), { block, maxAttempts: 1 });
  return { rank, upperBound };
}

describe('one attempt is enough', () => {
  const SHARES = [0.05, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99];
  test.each([65521, 2147483629])('for ranks from 0.05 N to N mod %i', async (p) => {
    for (const share of SHARES) {
      const r = Math.round(640 * share);
      expect(await ranked(640, r, p), `${r}`).toEqual({ rank: r, upperBound: r });
    }
  });

  test('a rank little below full', async () => {
    expect(await ranked(2400, 2350, 65521)).toEqual({ rank: 2350, upperBound: 2350 });
  });

  test.each([
    [1, 4, 800, 0.63],
    [1, 16, 1000, 0.8],
    [2, 8, 900, 0.63],
    [2, 14, 700, 0.65],
    [64, 4, 500, 0.3],
    [5, 3, 300, 0.55],
  ])('with blocks of %i x %i too', async (m, n, size, share) => {
    const r = Math.round(size * share);
    expect(await ranked(size, r, 65521, { m, n })).toEqual({ rank: r, upperBound: r });
  });
});
