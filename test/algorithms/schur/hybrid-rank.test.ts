/** The hybrid against theorems, dense elimination and block Wiedemann; its bounds, and what ends it early. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { workingDegree } from '../../../algorithms/block-wiedemann/extension-degree.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { MethodError } from '../../../algorithms/method-error.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { rankBy } from '../../../algorithms/rank.js';
import { exactRank, type RankResult } from '../../../algorithms/rank-result.js';
import { type HybridContext, hybridRank } from '../../../algorithms/schur/hybrid-rank.js';
import { NaiveEngine } from '../../../algorithms/sigma-basis/naive.js';
import { generate } from '../../../data/families.js';
import { inclusionRank, KNOWN_RANKS } from '../../../data/known-ranks.js';
import { binomial } from '../../../data/subsets.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { rankByElimination } from '../../data/elimination.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { contextOn } from '../methods/context.js';

const PRIMES = [2, 3, 5, 7, 65521 /* last below 2^16 */, 2147483629];
const METHODS = ['elimination', 'hybrid', 'auto'] as const;

type Options = Parameters<typeof rankBy>[3];
type Triplets = ReturnType<typeof generate>;

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

async function rankOf(
  { rows, cols, rowIdx, colIdx, values }: Triplets,
  p: number,
  method: Parameters<typeof rankBy>[0] = 'hybrid',
  options: Options = {},
): Promise<RankResult> {
  const executor = new CpuExecutor(WordPrime.of(p), team);
  try {
    const matrix = SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values }).residues(p);
    return await rankBy(method, contextOn(executor), matrix, options);
  } finally {
    executor.dispose();
  }
}

/** Both bounds at the rank. */
const both = (rank: number): object => ({ rank, lowerBound: rank, upperBound: rank });

describe('known ranks', () => {
  const small = KNOWN_RANKS.filter(({ nnz }) => nnz <= 100_000);
  test.each(small)('$instance at every prime', async ({ family, args, rank, exceptions }) => {
    const matrix = generate(family, args);
    for (const p of PRIMES) {
      const answer = await rankOf(matrix, p);
      expect({ p, ...answer }).toMatchObject({ p, ...both(exceptions[p] ?? rank), method: 'hybrid' });
      expect(answer.errorLog2).toBeLessThanOrEqual(-60);
    }
  });

  test.skipIf(gpuMissing).each([3, 65521, 2147483629])('on a GPU, which takes no samples, mod %d', async (p) => {
    const field = WordPrime.of(p);
    const device = await testGpu();
    for (const { family, args, rank, exceptions } of small.filter(({ nnz }) => nnz <= 1000).slice(0, 4)) {
      const cpu = new CpuExecutor(field, team);
      const executor = await GpuExecutor.create(field, { device });
      const { rows, cols, ...triplets } = generate(family, args);
      const matrix = SparseMatrix.fromTriplets(rows, cols, triplets).residues(p);
      const answer = await rankBy('hybrid', { ...contextOn(cpu), executor }, matrix);
      expect(answer).toMatchObject({ ...both(exceptions[p] ?? rank), method: 'hybrid' });
      expect(answer.explanation.join()).not.toMatch(/random vectors/);
      executor.dispose();
      cpu.dispose();
    }
  });

  const middle = KNOWN_RANKS.filter(({ nnz }) => nnz > 100_000 && nnz <= 900_000);
  test.each(middle)('$instance mod 65521', async ({ family, args, rank }) => {
    const { errorLog2, ...answer } = await rankOf(generate(family, args), 65521);
    expect(answer).toMatchObject(both(rank));
    expect(errorLog2).toBeLessThanOrEqual(-60);
  });

  test.each(KNOWN_RANKS.filter(({ nnz }) => nnz <= 8_000))('$instance by every method', async (known) => {
    const matrix = generate(known.family, known.args);
    for (const p of PRIMES) {
      for (const method of METHODS) {
        const expected = known.exceptions[p] ?? known.rank;
        expect({ p, ...(await rankOf(matrix, p, method)) }).toMatchObject({ p, ...both(expected) });
      }
    }
  });
});

test('inclusion matrices by Wilson’s formula: more than 200 (t, k, v, p)', async () => {
  let count = 0;
  for (let v = 4; v <= 11; v++) {
    for (let k = 2; 2 * k <= v; k++) {
      for (let t = 1; t < k; t++) {
        if (binomial(v, t) * binomial(v, k) > 100_000) continue;
        const matrix = generate('inclusion', [t, k, v]);
        for (const p of [2, 3, 5, 7, 11, 65521]) {
          for (const method of ['hybrid', 'elimination'] as const) {
            const expected = inclusionRank(t, k, v, p);
            expect({ t, k, v, p, asked: method, ...(await rankOf(matrix, p, method)) }).toMatchObject({
              ...{ t, k, v, p, asked: method, method: method === 'hybrid' ? 'hybrid' : 'sparse-elimination' },
              ...both(expected),
            });
            count++;
          }
        }
      }
    }
  }
  expect(count / 2).toBeGreaterThan(200);
});

test('2000 random matrices up to 300 x 300 with planted ranks, by every method', async () => {
  const primes = [2, 3, 7, 101, 65521, 33554393 /* below 2^25, in 32-bit lanes */];
  for (let seed = 0; seed < 2000; seed++) {
    const p = primes[seed % primes.length];
    const rows = 2 + ((seed * 37) % 299);
    const cols = 8 + ((seed * 53) % 293);
    const matrix = generate('random', [rows, cols, 1 + (seed % 4), p, seed, seed % 3 === 0 ? 0 : Math.floor(rows / 3)]);
    const expected = rankByElimination(matrix, p);
    const method = METHODS[seed % 8 === 0 ? 0 : 1 + (seed % 2)];
    expect({ seed, ...(await rankOf(matrix, p, method)) }).toMatchObject({ seed, ...both(expected) });
  }
});

describe('what is proved, and when it ends', () => {
  const ch = generate('ch', [6, 6, 4]); // rank 3390; block Wiedemann finds what pivots leave

  test('pivots that are all of a side need no more', async () => {
    const index = Uint32Array.from({ length: 30 }, (_, i) => i);
    const diagonal = { rows: 30, cols: 30, rowIdx: index, colIdx: index, values: new Int32Array(30).fill(-2) };
    const { explanation, ...answer } = await rankOf(diagonal, 65521);
    expect(answer).toMatchObject({ ...both(30), errorLog2: Number.NEGATIVE_INFINITY, block: null });
    expect(explanation.join()).toContain('30 structural pivots of 30 x 30, 1 deep');
  });

  test('a lower bound that is enough ends the run, and is no more than that', async () => {
    for (const method of ['hybrid', 'wiedemann'] as const) {
      const some = await rankOf(ch, 65521, method, { atLeast: 100 });
      expect(some).toMatchObject({ upperBound: null, errorLog2: null, reason: expect.stringMatching(/at least 100/) });
      expect(some.lowerBound).toBeGreaterThanOrEqual(100);
      expect(some.lowerBound).toBeLessThanOrEqual(3390);
      // More than there is: the whole answer.
      expect(await rankOf(ch, 65521, method, { atLeast: 3391 })).toMatchObject(both(3390));
    }
  });

  test('a run that would not fit is refused before it begins', async () => {
    const matrix = generate('ex', [5]);
    for (const method of ['hybrid', 'wiedemann', 'elimination'] as const) {
      const refused = rankOf(matrix, 65521, method, { maxBytes: 2 ** 20 });
      await expect(refused).rejects.toThrow(MethodError);
      await expect(refused).rejects.toThrow(/takes? (about )?[\d.]+ MB.*allowed are 1$/);
      expect(await rankOf(matrix, 65521, method, { maxBytes: 2 ** 30 })).toMatchObject(both(4740));
    }
  });

  test('without verification block Wiedemann’s share is a lower bound', async () => {
    const answer = await rankOf(generate('ex', [5]), 65521, 'hybrid', { verify: false });
    expect(answer).toMatchObject({ upperBound: null, reason: expect.stringContaining('switched off') });
    expect(answer.lowerBound).toBeLessThanOrEqual(4740);
    expect(answer.lowerBound).toBeGreaterThan(4700);
  });

  test('the same seed gives the same answer on the reference executor', async () => {
    const matrix = generate('random', [300, 280, 5, 101, 9, 30]);
    const { rows, cols, rowIdx, colIdx, values } = matrix;
    const executor = new ReferenceExecutor(WordPrime.of(101));
    const context: RunContext = {
      executor,
      seed: 17n,
      orderBasisEngine: (field) => new NaiveEngine(field),
      check: () => {},
      onProgress: () => {},
    };
    const residues = SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values }).residues(101);
    const { seconds: _, ...expected } = await rankBy('hybrid', context, residues);
    const { seconds: __, ...got } = await rankOf(matrix, 101);
    expect(got).toEqual(expected);
  });
});

test('the degree of the working field is known without its tables', () => {
  for (const p of [2, 3, 5, 7, 11, 101, 127, 131, 241, 251, 257, 1021, 1031, 65521, 2147483647]) {
    for (const draw of ['block', 'column'] as const) {
      const working = new WorkingField({ field: WordPrime.of(p) }, draw);
      expect([p, draw, workingDegree(p, draw)]).toEqual([p, draw, working.degree]);
      expect(working.field.order).toBe(BigInt(p) ** BigInt(working.degree));
      expect(working.q).toBeGreaterThanOrEqual(draw === 'block' ? 3 ** 5 : 2 ** 10);
    }
  }
});

test('before block Wiedemann begins a product is timed, and another way is asked for', async () => {
  const { rows, cols, ...entries } = generate('ex', [5]);
  const executor = await CpuExecutor.create(WordPrime.of(65521));
  const context = contextOn(executor) as HybridContext;
  const estimates = estimatesOver(executor.field);
  const residues = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);
  const known = presolve(executor.field, residues, estimates);
  const told: (number | undefined)[] = [];
  const answer = await hybridRank(
    context,
    known,
    estimates,
    {},
    {
      fewSamples: 16,
      reconsider: async (product) => {
        told.push(product);
        return { costs: estimates.costsLeft(known.a, known.matching.size, { product }), explanation: ['looked at'] };
      },
    },
  );
  expect(answer.rank).toBe(4740);
  expect(told).toEqual([expect.any(Number)]);
  expect(told[0]).toBeGreaterThan(0);
  expect(answer.explanation.join()).toMatch(
    /a product with 16 vectors takes .* ms of one thread, 0.74 ms were expected,looked at,block Wiedemann/,
  );
  const found = { ...exactRank(4740), method: 'sparse-elimination', block: null } as const;
  const other: RankResult = { ...found, seconds: { pivots: 1, other: 2 }, explanation: ['another way'] };
  const costs = estimates.costsLeft(known.a, known.matching.size);
  const instead = await hybridRank(
    context,
    known,
    estimates,
    {},
    {
      fewSamples: 16,
      reconsider: async () => ({ answer: other, costs, explanation: ['why'] }),
    },
  );
  expect(instead.explanation.at(-2)).toBe('why');
  expect(instead.explanation.at(-1)).toBe('another way');
  expect(instead.seconds).toMatchObject({ pivots: 1 + known.seconds, other: 2 });
  executor.dispose();
});
