/** Which method `auto` takes: by what it should cost, on what there is, and in what memory. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { denseBytes } from '../../../algorithms/elimination/dense-rows.js';
import { MethodError } from '../../../algorithms/method-error.js';
import { prefer, weighGpu } from '../../../algorithms/methods/choose.js';
import { estimatesOver } from '../../../algorithms/methods/costs.js';
import { feasibleCosts } from '../../../algorithms/methods/feasible.js';
import { samplingBytes, wiedemannBytes } from '../../../algorithms/methods/memory-estimate.js';
import { speedup } from '../../../algorithms/methods/rates.js';
import { presolve } from '../../../algorithms/presolve/presolve.js';
import { rankBy } from '../../../algorithms/rank.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';
import { contextOn, likeGpu, residuesOf, slowed } from './context.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

describe('a run on threads that seems long', () => {
  const residues = residuesOf(generate('ex', [5]), 65521);

  test.each([
    ['moves to a GPU', 'gpu', [/^on the GPU: what is left should take [\d.]+ s there, [\d.]+ s by threads$/]],
    ['stays where there is none', undefined, []],
    ['comes back where that has no room', undefined, [/^on the GPU: /, /^back on threads: device gpu: out of memory$/]],
  ] as const)('%s', async (name, device, lines) => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const there = likeGpu(executor, { languageFeatures: new Set() });
    if (name.startsWith('comes')) {
      const full: Executor['operator'] = () => {
        throw new MemoryError('device gpu: out of memory');
      };
      Object.assign(there.executor, { operator: full });
    }
    let asked = 0;
    const onGpu = async () => {
      asked++;
      return name.startsWith('stays') ? null : there;
    };
    const answer = await rankBy('auto', { ...contextOn(executor), executor: slowed(executor, 5), onGpu }, residues);
    expect([answer.rank, answer.device, asked]).toEqual([4740, device, 1]);
    // On threads a busy machine may make products so slow that elimination is chosen.
    const stays = answer.explanation.some((line) => line.startsWith('block Wiedemann on the implicit'));
    if (device === 'gpu') expect(answer.method).toBe('hybrid');
    else expect(stays || answer.method === 'sparse-elimination', answer.explanation.join('\n')).toBe(true);
    const moves = answer.explanation.filter((line) => /^(on the GPU|back on threads): /.test(line));
    expect(moves).toEqual(lines.map((line) => expect.stringMatching(line)));
    executor.dispose();
  });

  test('goes front by front after few random vectors, where pivots leave little of a matrix of neighbours', async () => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const mesh = residuesOf(generate('delaunay', [20000, 1]), 65521);
    const slow = await rankBy('auto', { ...contextOn(executor), executor: slowed(executor, 5) }, mesh);
    expect(slow).toMatchObject({ rank: 20000, upperBound: 20000, method: 'sparse-elimination' });
    expect(slow.seconds).toHaveProperty('sampling');
    expect(slow.explanation.join('\n')).toMatch(
      /a product with 16 vectors .*\nelimination: by fronts\n\d+ fronts of 20000 x 20000/,
    );
    executor.dispose();
  });

  test('counts a product of 16 threads as a dense elimination of theirs, not as 16 times its time', async () => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const took: [start: number, end: number][] = [];
    const many = Object.assign(Object.create(slowed(executor, 5, took)), { threads: 16 });
    // The products that are timed lie between the random vectors and the next check of the run.
    let isSampled = false;
    let timed: number[][] = [];
    const onProgress: RunContext['onProgress'] = ({ phase, done }) => {
      if (phase !== 'sampling' || done === 0 || isSampled) return;
      isSampled = true;
      took.length = 0;
    };
    const check = () => {
      if (!isSampled || timed.length > 0) return;
      timed = took.map(([start, end], k) => [end - start, (took[k + 1]?.[0] ?? performance.now()) - start]);
    };
    const answer = await rankBy('auto', { ...contextOn(executor), executor: many, check, onProgress }, residues);
    expect(answer.rank).toBe(4740);
    expect(timed.length).toBeGreaterThanOrEqual(3);
    const line = answer.explanation.find((each) => each.startsWith('a product with 16 vectors'));
    const ms = Number(/takes ([\d.]+) ms of one thread/.exec(line!)![1]);
    // The least of them is longer than its substitution, and no longer than until the next one begins.
    const [shortest, longest] = [0, 1].map((side) => Math.min(...timed.map((times) => times[side]!)));
    expect(ms / speedup(16)).toBeGreaterThan(0.95 * shortest!);
    expect(ms / speedup(16)).toBeLessThan(1.05 * longest!);
    executor.dispose();
  });

  test('does not ask for one where it is short', async () => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const onGpu = () => Promise.reject(new Error('not asked for'));
    expect((await rankBy('auto', { ...contextOn(executor), onGpu }, residues)).rank).toBe(4740);
    executor.dispose();
  });
});

test.each([
  ['threads, where they are quicker', {}, {}, false, /^by threads: .* s there, .* behind 0.7 s of its start$/],
  [
    'threads, where the pivots are enough',
    { product: 1 },
    { atLeast: 9 },
    false,
    /^by threads: the pivots are enough$/,
  ],
  ['a GPU, where products are slow', { product: 1 }, {}, true, /^on the GPU: .* s there, .* s by threads$/],
] as const)('the rest is for %s', (_, measurements, options, pays, reason) => {
  const F = WordPrime.of(65521);
  const known = presolve(F, residuesOf(generate('ex', [5]), F.p), estimatesOver(F));
  expect(weighGpu(F, team, known, measurements, options)).toEqual({ pays, reason: expect.stringMatching(reason) });
});

test('threads that share a product badly are no reason for elimination', () => {
  const F = WordPrime.of(65521);
  const known = presolve(F, residuesOf(generate('ex', [5]), F.p), estimatesOver(F));
  const { costs } = feasibleCosts(F, known, {}, {});
  const one = estimatesOver(F).productSeconds(known.a.colIdx.length);
  // 16 threads take as long as 4 would.
  const there = feasibleCosts(F, known, { product: (one / speedup(4)) * speedup(16) }, {});
  expect(prefer({ costs, obstacles: [] }).eliminates).toBe(false);
  expect(prefer(there).eliminates).toBe(false);
});

describe('the choice in little memory', () => {
  const F = WordPrime.of(65521);
  const matrix = residuesOf(generate('ex', [5]), F.p);
  const known = presolve(F, matrix, estimatesOver(F));
  const left = [matrix.rows, matrix.cols].map((lines) => lines - known.matching.size) as [number, number];
  const needs = {
    elimination: denseBytes(F, ...left, false),
    sampling: samplingBytes(F, ...left),
    wiedemann: wiedemannBytes(F, ...left, known.a.colIdx.length),
  };

  test('leaves out what does not fit, though it were the best', () => {
    expect(needs.elimination).toBeGreaterThan(needs.wiedemann);
    const slow = { product: 1e3 };
    expect(feasibleCosts(F, known, slow, {}).obstacles).toEqual([]);
    const { costs, obstacles } = feasibleCosts(F, known, slow, { maxBytes: needs.elimination - 1 });
    expect(Number.isFinite(costs.wiedemann)).toBe(true);
    expect(costs).toMatchObject({ elimination: Number.POSITIVE_INFINITY, sampling: Number.POSITIVE_INFINITY });
    expect(obstacles.map((line) => line.replace(/[\d.]+/g, 'N'))).toEqual([
      'elimination takes about N MB, allowed are N',
      'sampling takes about N MB, allowed are N',
    ]);
    const sparse = { share: 1e-3, rows: 32, of: left[0], secondsARow: 1e-5 };
    const seen = feasibleCosts(F, known, { fill: sparse }, { maxBytes: needs.elimination / 2 });
    expect(Number.isFinite(seen.costs.elimination)).toBe(true);
  });

  test('says so, and answers all the same', async () => {
    const executor = new CpuExecutor(F, team);
    const answer = await rankBy('auto', contextOn(executor), known, { maxBytes: needs.wiedemann });
    expect(answer).toMatchObject({ rank: 4740, method: 'hybrid' });
    expect(answer.explanation[0]).toMatch(
      /s by block Wiedemann; elimination takes about [\d.]+ MB, allowed are [\d.]+; sampl/,
    );
    executor.dispose();
  });

  test('is refused before it begins where nothing fits', async () => {
    const executor = new CpuExecutor(F, team);
    const phases: string[] = [];
    const context = { ...contextOn(executor), onProgress: ({ phase }: { phase: string }) => phases.push(phase) };
    await expect(rankBy('auto', context, matrix, { maxBytes: 2 ** 20 })).rejects.toThrow(
      /^method auto: elimination takes about [\d.]+ MB, .*; sampling takes .*; block Wiedemann takes about [\d.]+ MB, allowed are 1$/,
    );
    expect(phases).toEqual(['pivots']);
    executor.dispose();
  });

  test('refuses no run whose pivots are all there is, or enough', async () => {
    const executor = new CpuExecutor(F, team);
    const rankWithin = (family: string, args: number[], method: 'auto' | 'hybrid' = 'hybrid', atLeast?: number) =>
      rankBy(method, contextOn(executor), residuesOf(generate(family, args), F.p), { maxBytes: 2 ** 16, atLeast });
    for (const method of ['auto', 'hybrid'] as const) {
      const enough = await rankWithin('ch', [7, 7, 3], method, 6000);
      expect(enough).toMatchObject({ lowerBound: 6516, upperBound: null, method: 'hybrid' });
    }
    expect(await rankWithin('ch', [7, 7, 3])).toMatchObject({ rank: 6516, upperBound: 6516, method: 'hybrid' });
    await expect(rankWithin('ex', [5])).rejects.toThrow(
      /^method hybrid: block Wiedemann takes .*, allowed are 0\.063$/,
    );
    executor.dispose();
  });

  test('takes fronts where nothing else fits, and refuses where they do not fit either', async () => {
    const matrix = residuesOf(generate('geometric', [6000, 8, 1]), F.p);
    const executor = new CpuExecutor(F, team);
    const rankWithin = (maxBytes?: number) => rankBy('auto', contextOn(executor), matrix, { maxBytes });
    const { rank } = await rankWithin();
    const answer = await rankWithin(2 ** 21);
    expect(answer).toMatchObject({ rank, upperBound: rank, method: 'sparse-elimination' });
    const [refusals, how] = answer.explanation.slice(-4);
    expect(refusals).toMatch(/^elimination takes .*; sampling takes .*; block Wiedemann takes .*, allowed are 2$/);
    expect(how).toBe('elimination: by fronts');
    await expect(rankWithin(2 ** 17)).rejects.toThrow(/^method auto: elimination takes .*, allowed are 0.13$/);
    executor.dispose();
  });

  test('takes elimination where rows that were looked at are sparse enough', async () => {
    // Without random vectors beforehand, which would show that the pivots are all there is.
    const known = presolve(F, residuesOf(generate('ch', [7, 7, 4]), F.p), estimatesOver(F));
    const executor = new CpuExecutor(F, team);
    const answer = await rankBy('auto', contextOn(executor), known, { maxBytes: 2 ** 21 });
    expect(answer).toMatchObject({ rank: 22884, method: 'sparse-elimination' });
    expect(answer.explanation[0]).toMatch(/rows of the Schur complement are .* full$/);
    executor.dispose();
  });
});

describe('the choice', () => {
  const matrix = generate('random', [300, 300, 3, 65521, 3]);
  test.each([
    ['a small matrix', matrix, {}, 'sparse-elimination', /^elimination: what the pivots leave should take 0/],
    ['pivots that are all there is', generate('ch', [2, 2, 1]), {}, 'hybrid', /^hybrid: the pivots are all there is/],
    ['a dense rest', generate('ex', [5]), {}, 'hybrid', /^hybrid: what the pivots leave/],
    ['a block', matrix, { block: { m: 8, n: 4 } }, 'block-wiedemann', /^wiedemann: a block shape/],
  ] as const)('for %s', async (_, input, options, method, why) => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const answer = await rankBy('auto', contextOn(executor), residuesOf(input, 65521), options);
    executor.dispose();
    expect(answer.method).toBe(method);
    expect(
      answer.explanation.find((line) => why.test(line)),
      answer.explanation.join('\n'),
    ).toBeDefined();
  });

  test('on a device without substitution', async () => {
    const executor = await CpuExecutor.create(WordPrime.of(7));
    const without: Executor = Object.assign(Object.create(executor), { substitution: undefined });
    const residues = residuesOf(generate('random', [100, 100, 3, 7, 3]), 7);
    const context = { ...contextOn(executor), executor: without };
    await expect(rankBy('hybrid', context, residues)).rejects.toThrow(MethodError);
    expect((await rankBy('auto', context, residues)).method).toBe('block-wiedemann');
    executor.dispose();
  });
});
