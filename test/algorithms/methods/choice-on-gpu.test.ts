/** What `auto` takes on a GPU, on several, and the blocks that it has memory for. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { blocksWithRoom, schurBlocks } from '../../../algorithms/methods/feasible.js';
import { wiedemannBytes } from '../../../algorithms/methods/memory-estimate.js';
import { rankBy } from '../../../algorithms/rank.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { Team } from '../../../kernels/threads/team.js';
import { deviceHere } from '../block-wiedemann/device-here.js';
import { likeGpu, residuesOf } from './context.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

describe('the choice on a GPU', () => {
  const SMALL = { maxBindingBytes: 2 ** 12 };

  test.each([
    [
      'few pivots',
      'ex',
      [5],
      4740,
      'hybrid',
      /^hybrid: what the pivots leave should take .* s by block Wiedemann, with a GPU$/,
    ],
    ['many pivots', 'ch', [6, 6, 4], 3390, 'sparse-elimination', /^elimination: what the pivots leave .*, with a GPU$/],
    ['pivots alone', 'ch', [2, 2, 1], 2, 'sparse-elimination', /^elimination: the pivots are all there is$/],
  ] as const)('%s', async (_, family, args, rank, method, why) => {
    const executor = new CpuExecutor(WordPrime.of(2147483629), team);
    const answer = await rankBy('auto', likeGpu(executor), residuesOf(generate(family, [...args]), 2147483629));
    expect(answer).toMatchObject({ rank, lowerBound: rank, upperBound: rank, method });
    expect(
      answer.explanation.some((line) => why.test(line)),
      answer.explanation.join('\n'),
    ).toBe(true);
    executor.dispose();
  });

  test.each([
    ['elimination is quicker', 'ch', [6, 6, 4], 3390, 'hybrid', / take \S+ s by block Wiedemann, with a GPU$/, {}],
    ['no binding for pivots', 'ex', [2], 553, 'block-wiedemann', / on all of the matrix, with a GPU$/, SMALL],
    ['pivots alone', 'ch', [2, 2, 1], 2, 'hybrid', /^hybrid: the pivots are all there is$/, {}],
  ] as const)('several GPUs take no elimination: %s', async (_, family, args, rank, method, why, more) => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const device = deviceHere();
    const context = { ...likeGpu(executor, more), sequenceDevices: [device] };
    const answer = await rankBy('auto', context, residuesOf(generate(family, [...args]), 65521));
    expect(answer).toMatchObject({ rank, lowerBound: rank, upperBound: rank, method });
    expect(
      answer.explanation.find((line) => why.test(line)),
      answer.explanation.join('\n'),
    ).toBeDefined();
    const isOfPivots = method === 'hybrid';
    expect(device.areOfPivots).toEqual(answer.block === null ? [] : [isOfPivots]);
    executor.dispose();
  });

  test('several GPUs take narrower blocks where memory has no room for the usual ones', async () => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const context = { ...likeGpu(executor), sequenceDevices: [deviceHere()] };
    const matrix = residuesOf(generate('random', [800, 800, 20, 65521, 3, 40]), 65521);
    const answer = await rankBy('auto', context, matrix, { maxBytes: 3.2e6 });
    expect(answer).toMatchObject({ rank: 760, upperBound: 760, method: 'block-wiedemann', block: { m: 16, n: 8 } });
    executor.dispose();
  });

  test('blocks as wide as a GPU likes them are taken where memory has room', () => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const context = likeGpu(executor);
    const [rows, cols, nnz] = [1e6, 1e6, 2e7];
    const a = { rows, cols, rowPtr: new Uint32Array(1), colIdx: new Uint32Array(nnz), values: new Uint32Array(0) };
    const matching = { colOf: new Int32Array(0), rowOf: new Int32Array(0), order: new Uint32Array(0), size: 0 };
    const wide = { m: 64, n: 32 };
    const [usual, most] = [undefined, wide].map((block) =>
      wiedemannBytes(executor.field, rows, cols, nnz, { block }),
    ) as [number, number];
    const ofSchur = (maxBytes: number) => schurBlocks(context, { a, matching }, { maxBytes });
    expect([most, most - 1].map(ofSchur)).toEqual([wide, undefined]);
    const kept = { ...context, checkpoint: {} as Checkpoint };
    expect(schurBlocks(kept, { a, matching }, { maxBytes: most })).toEqual(wide);
    // Of the whole matrix they are chosen later, unless these say otherwise.
    const ofWhole = (maxBytes: number) => blocksWithRoom(context, a, { maxBytes });
    expect([most, most - 1, usual].map((bytes) => ofWhole(bytes).block)).toEqual([
      undefined,
      { m: 32, n: 16 },
      { m: 32, n: 16 },
    ]);
    expect(ofWhole(usual - 1)).toMatchObject({ block: { m: 16, n: 8 }, explanation: [expect.any(String)] });
    executor.dispose();
  });

  test('blocks of vectors that do not fit it come in pieces, and columns that do not are refused, and no choice', async () => {
    const executor = new CpuExecutor(WordPrime.of(65521), team);
    const matrix = residuesOf(generate('ex', [2]), 65521); // 560 x 560
    const inPieces = await rankBy('wiedemann', likeGpu(executor, { maxBindingBytes: 2 ** 12 }), matrix);
    expect(inPieces).toMatchObject({ rank: 553, lowerBound: 553, upperBound: 553 });
    expect(inPieces.explanation).toContain('blocks of 8 columns in 4 pieces, since a GPU takes 0.004 MB in one');
    const context = likeGpu(executor, { maxBindingBytes: 2 ** 10 });
    await expect(rankBy('wiedemann', context, matrix)).rejects.toThrow(
      /^method wiedemann: block Wiedemann's vectors: 0\.0022 MB are more than the 0\.00098 that a GPU takes in one piece$/,
    );
    const { method, rank, explanation } = await rankBy('auto', context, matrix);
    expect([method, rank]).toEqual(['sparse-elimination', 553]);
    expect(explanation.join()).toMatch(/ s by elimination, with a GPU; block Wiedemann's vectors: .* in one piece/);
    executor.dispose();
  });
});
