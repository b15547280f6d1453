/** Systems by block LU, many at once: A·X = B on every device, corrections where the pattern fills, and refusals. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { BlockSolution, OpenKernels } from '../../../algorithms/block-lu/batch-run.js';
import { blockSystem, solveBlockSystems } from '../../../algorithms/block-lu/systems.js';
import { multiply } from '../../../algorithms/factor/products.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuBlockKernels } from '../../../kernels/block-sparse/cpu-block-kernels.js';
import { GpuBlockKernels } from '../../../kernels/block-sparse/gpu-block-kernels.js';
import { ReferenceBlockKernels } from '../../../kernels/block-sparse/reference-block-kernels.js';
import type { GpuDevice } from '../../../kernels/gpu/device.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, skipOf, testGpu } from '../../gpu.js';
import { arrow, band, bandWith, cycle } from './matrices.js';

const PRIMES = [2, 3, 65521, 65537, 2147483629];

let team: Team;
let gpu: GpuDevice;
beforeAll(async () => {
  team = await Team.create(1);
  if (gpuMissing === null) gpu = await testGpu();
});
afterAll(() => team.dispose());

const DEVICES: Readonly<Record<string, OpenKernels>> = {
  reference: (field, batch) => new ReferenceBlockKernels(field, batch),
  cpu: (field, batch) => new CpuBlockKernels(team, field, batch),
  gpu: (field, batch) => new GpuBlockKernels(gpu, field, batch),
};

interface Given {
  readonly a: SparseMatrix;
  readonly s: number;
}

/** The answers, each compared with B. */
async function solved(device: string, p: number, given: readonly Given[], seed = 7n): Promise<BlockSolution[]> {
  const field = WordPrime.of(p);
  const systems = given.map(({ a, s }, k) =>
    blockSystem(a.residues(p), new CounterRandom(9, k).fillResidues(new Uint32Array(a.rows * s), p), s),
  );
  const found = await solveBlockSystems(DEVICES[device]!, field, systems, seed, () => {});
  for (const [k, { solution, reason }] of found.entries()) {
    const { matrix, rightSides, s } = systems[k]!;
    expect(solution === null).toBe(reason !== null);
    if (solution !== null) expect(multiply(field, matrix, solution, s)).toEqual(rightSides);
  }
  return found;
}

const COMPLETE: readonly Given[] = [
  ...[0, 1, 3, 4, 5, 20, 63].map((n) => ({ a: band(n, 1, n), s: 1 })),
  ...[8, 33, 40].map((n) => ({ a: band(n, 5, n), s: 3 })),
  { a: arrow(50, 1), s: 1 },
  { a: arrow(21, 2), s: 35 }, // more columns than kernels take at a time
  { a: band(10, 2, 3), s: 0 },
];

describe.each(Object.keys(DEVICES))('on %s', (device) => {
  beforeEach(skipOf(device));

  test.each(PRIMES)('patterns without fill are solved in one go, mod %i', async (p) => {
    const found = await solved(device, p, COMPLETE);
    expect(found.map(({ reason }) => reason)).toEqual(COMPLETE.map(() => null));
    for (const { explanation } of found) expect(explanation).toMatch(/ block rows, without fill$/);
  });

  test.each([65521, 2147483629])('little fill is corrected, beside a problem that needs none, mod %i', async (p) => {
    const found = await solved(device, p, [
      { a: cycle(200, 1), s: 2 },
      { a: cycle(131, 2), s: 2 },
      { a: band(24, 1, 3), s: 2 },
    ]);
    expect(found.map(({ reason }) => reason)).toEqual([null, null, null]);
    expect(found.map(({ explanation }) => explanation.replace(/.*, with/, 'with'))).toEqual([
      ...['with fill, corrected', 'with fill, corrected'],
      'without fill',
    ]);
  });

  test('much fill and singular pivot blocks are reasons, and leave the others alone', async () => {
    const reversed = (n: number): SparseMatrix =>
      SparseMatrix.fromTriplets(
        n,
        n,
        Array.from({ length: n }, (_, i) => [i, n - 1 - i, 1]),
      );
    const found = await solved(device, 65521, [
      {
        a: bandWith(
          300,
          6,
          Array.from({ length: 60 }, (_, k) => [5 * k, (113 * k + 7) % 300, 1]),
        ),
        s: 1,
      },
      { a: band(16, 1, 1), s: 1 },
      { a: reversed(64), s: 1 },
      { a: reversed(16), s: 1 }, // invertible as one block of 16
    ]);
    expect(found.map(({ reason }) => reason)).toEqual([
      'the pattern of blocks fills, and a correction of rank 32 does not do',
      null,
      `a pivot block is singular: ${[4, 8, 16, 32].map((b) => `row 0 of blocks of ${b}`).join(', ')}`,
      null,
    ]);
  });
});

test('the same answer for every seed, and for one problem at a time', async () => {
  const given = [cycle(150, 1), cycle(130, 2), band(30, 1, 4)].map((a) => ({ a, s: 1 }));
  const [first, second] = [await solved('cpu', 101, given, 1n), await solved('cpu', 101, given, 2n)];
  const values = (found: readonly BlockSolution[]): unknown => found.map(({ solution }) => solution);
  expect(values(second)).toEqual(values(first));
  const alone = await Promise.all(given.map((_, k) => solved('cpu', 101, given.slice(0, k + 1))));
  expect(alone.map((found) => found.at(-1)!.solution)).toEqual(values(first));
});

test('what is not square, or has no room, is refused', () => {
  const zeros = new Uint32Array(64);
  const wide = SparseMatrix.fromTriplets(2, 3, []).residues(7);
  expect(() => blockSystem(wide, zeros, 1)).toThrow('method block-lu: expected a square matrix, got 2 x 3');
  const large = band(64, 1, 1).residues(7);
  expect(() => blockSystem(large, zeros, 1, 1000)).toThrow(/^method block-lu: block LU takes about .*allowed are/);
});
