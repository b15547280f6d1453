/** The dense end of elimination on a GPU: the ranks of the threads, and when it is taken. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eliminationRank } from '../../../algorithms/elimination/elimination-rank.js';
import { type DenseGpu, denseGpu } from '../../../algorithms/elimination/gpu-crossover.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { GpuDevice } from '../../../kernels/gpu/gpu-device.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse-matrix.js';
import { Team } from '../../../kernels/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { planted } from './planted.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

/** 12 entries a row; a tenth of the rows are sums of two others. */
function full(rows: number, cols: number, p: number): ResidueMatrix {
  const random = new CounterRandom(rows + p, 6);
  const entries = Array.from({ length: 12 * rows }, (_, k) => {
    const i = Math.floor(k / 12);
    const from = i % 10 === 9 ? i - 1 - (k % 2) : i;
    const at = 12 * from + (k % 12);
    return [i, random.residueAt(at, cols), 1 + random.residueAt(at + 10 ** 6, p - 1)] as const;
  });
  return SparseMatrix.fromTriplets(rows, cols, entries).residues(p);
}

describe.skipIf(gpuMissing)('a GPU that always takes dense rows', () => {
  let gpu: DenseGpu;
  beforeAll(async () => {
    gpu = { gpu: await testGpu(), reasonForThreads: () => null };
  });

  test.each([3, 65521, 2147483629])('gives the rank of the threads mod %i, and --explain names it', async (p) => {
    const F = WordPrime.of(p);
    for (const [rows, cols] of [
      [700, 600],
      [250, 400],
    ] as const) {
      const matrix = full(rows, cols, p);
      const expected = await eliminationRank(team, F, matrix);
      const { rank, explanation } = await eliminationRank(team, F, matrix, { gpu });
      expect(rank).toBe(expected.rank);
      expect(explanation.join()).toContain(`full, on ${gpu.gpu.name}`);
      expect(expected.explanation.at(-1)).toMatch(/full$/);
    }
  });

  test('on random sparse matrices with planted rank', async () => {
    let dense = 0;
    for (let k = 0; k < 400 && dense < 6; k++) {
      const { name, field, matrix } = planted(k);
      const expected = await eliminationRank(team, field, matrix);
      if (field.p === 2 || !expected.explanation.some((line) => line.startsWith('dense'))) continue;
      expect((await eliminationRank(team, field, matrix, { gpu })).rank, name).toBe(expected.rank);
      dense++;
    }
    expect(dense).toBe(6);
  });
});

describe('where dense rows are eliminated', () => {
  const device = (more: object) =>
    denseGpu({
      name: 'a GPU',
      software: false,
      languageFeatures: new Set(['packed_4x8_integer_dot_product']),
      maxBindingBytes: 2 ** 31,
      ...more,
    } as unknown as GpuDevice);
  const [narrow, wide] = [WordPrime.of(65521), WordPrime.of(2147483629)];

  test('on the GPU from a size on, which grows with the threads', () => {
    const gpu = device({});
    expect(gpu.reasonForThreads(narrow, 10_000, 10_000, 16)).toBe(null);
    expect(gpu.reasonForThreads(narrow, 500, 500, 1)).toBe('they are faster on so few');
    expect(gpu.reasonForThreads(narrow, 3000, 3000, 1)).toBe(null);
    expect(gpu.reasonForThreads(narrow, 3000, 3000, 16)).not.toBe(null);
    expect(gpu.reasonForThreads(wide, 2000, 2000, 1)).toBe(null);
    expect(gpu.reasonForThreads(narrow, 2000, 2000, 1)).not.toBe(null);
  });

  test('by threads for a reason', () => {
    expect(device({}).reasonForThreads(WordPrime.of(2), 10_000, 10_000, 1)).toBe('bits are eliminated there');
    expect(device({ software: true }).reasonForThreads(narrow, 10_000, 10_000, 1)).toBe('a GPU is slower');
    const plain = device({ languageFeatures: new Set() });
    expect(plain.reasonForThreads(narrow, 10_000, 10_000, 1)).toBe('a GPU has no products of bytes');
    expect(device({}).reasonForThreads(narrow, 32_000, 32_000, 1)).toBe(null);
    expect(device({ maxBindingBytes: 2 ** 30 }).reasonForThreads(narrow, 32_000, 32_000, 1)).toBe(
      '1953 MB are more than the 1024 that a GPU takes in one piece',
    );
  });
});
