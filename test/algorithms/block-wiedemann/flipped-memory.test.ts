/**
 * Bits that flip in WebAssembly's memory and in a GPU's buffers, in runs that check themselves: every one is met or
 * harms nothing, and no wrong rank is called proved or verified.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rankOfMatrix } from '../../../algorithms/block-wiedemann/rank.js';
import type { BasisField } from '../../../algorithms/sigma-basis/order-basis.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import type { ResidueMatrix } from '../../../kernels/sparse/residue-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { skipOf, testGpu } from '../../gpu.js';
import { deficientMatrix } from './deficient-matrix.js';
import { type Flip, momentsOf } from './erring-executor.js';
import { ErringMemory, placesInBuffers, placesInMemory } from './erring-memory.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(2);
});
afterAll(() => team.dispose());

async function executorOf(name: string, p: number, memory: ErringMemory): Promise<Executor> {
  const field = WordPrime.of(p);
  if (name === 'cpu') return memory.watch(new CpuExecutor(field, team), (own) => placesInMemory(team.memory, own));
  const gpu = await testGpu();
  return memory.watch(new GpuExecutor(field, gpu, false, team), (own) => placesInBuffers(gpu, own));
}

async function rankWith(name: string, matrix: ResidueMatrix, p: number, flip: Flip | null) {
  const memory = new ErringMemory(flip);
  const executor = await executorOf(name, p, memory);
  const context = {
    ...{ executor, team, seed: 1n, check: () => {}, onProgress: () => {} },
    orderBasisEngine: (field: BasisField) => memory.engine(executor, team, field),
  };
  try {
    return { result: await rankOfMatrix(context, matrix), counts: memory.counts };
  } finally {
    executor.dispose();
  }
}

describe.each([
  ['cpu', 16, 2, 150, 121],
  ['cpu', 16, 3, 150, 121],
  ['cpu', 16, 65521, 120, 101],
  ['cpu', 16, 2147483629, 120, 120],
  ['gpu', 4, 65521, 60, 47],
  ['gpu', 4, 2147483629, 60, 47],
] as const)('%s, %i moments, mod %i, %i lines of rank %i', (name, usually, p, size, rank) => {
  const moments = momentsOf(usually);
  const matrix = deficientMatrix(size, rank, p);
  beforeEach(skipOf(name));

  test.each(['vectors', 'blocks', 'basis'] as const)('a bit of the %s', async (what) => {
    const whole = await rankWith(name, matrix, p, null);
    expect(whole.result).toMatchObject({ rank, upperBound: rank, attempts: 1, checks: { failed: 0 } });
    expect(whole.counts[what]).toBeGreaterThan(1);
    const random = new CounterRandom(13n, 0);
    let met = 0;
    for (let i = 0; i < moments; i++) {
      const flip = {
        what,
        at: random.residueAt(2 * i, whole.counts[what]),
        word: random.residueAt(2 * i + 1, 2 ** 31),
      };
      const { result } = await rankWith(name, matrix, p, flip);
      expect(result, JSON.stringify(flip)).toMatchObject({ rank, lowerBound: rank, upperBound: rank });
      if (result.checks.failed > 0 || result.attempts > 1) met++;
    }
    // A bit that nothing reads any more harms nothing; most bases are those of checks.
    expect(met).toBeGreaterThan(what === 'basis' ? moments / 10 : moments / 2);
    if (process.env['FLIPS'])
      console.log(`${name}, mod ${p}: ${moments} bits of the ${what}, ${met} met, others harmless`);
  });
});

test.each([2, 3])(
  'a bit of the highest byte of a word of the order basis, which is then no code, mod %i',
  async (p) => {
    const [size, rank] = [150, 121];
    const matrix = deficientMatrix(size, rank, p);
    const random = new CounterRandom(14n, 0);
    const moments = momentsOf(24);
    let met = 0;
    for (let i = 0; i < moments; i++) {
      // The first two bases are those of the generator.
      const flip = { what: 'basis', at: i % 2, word: 4 * random.residueAt(i, 2 ** 29) + 3 } as const;
      const { result } = await rankWith('cpu', matrix, p, flip);
      expect(result, JSON.stringify(flip)).toMatchObject({ rank, lowerBound: rank, upperBound: rank });
      if (result.checks.failed > 0) met++;
    }
    expect(met).toBeGreaterThan(0);
  },
);
