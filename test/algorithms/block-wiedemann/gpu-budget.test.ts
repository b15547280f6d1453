/** A matrix that a GPU's budget does not hold: read piece by piece, to the answers of one that it holds. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rankOfMatrix, transposeOperator } from '../../../algorithms/block-wiedemann/rank.js';
import type { RunContext } from '../../../algorithms/block-wiedemann/run-context.js';
import { determinantOfMatrix } from '../../../algorithms/determinant.js';
import { minpolyOfMatrix } from '../../../algorithms/minpoly.js';
import { rankBy } from '../../../algorithms/rank.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import { MemoryError } from '../../../kernels/errors/memory-error.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import type { GpuDevice } from '../../../kernels/gpu/device.js';
import { type ResidueMatrix, SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, limitedGpu } from '../../gpu.js';
import { matrixOf } from '../../kernels/executors/cases.js';

const P = 65521;
const FIELD = WordPrime.of(P);

/** A with the double of row i behind it. */
function withTwice(a: ResidueMatrix, i: number): ResidueMatrix {
  const [begin, end] = [a.rowPtr[i]!, a.rowPtr[i + 1]!];
  const join = (x: Uint32Array, y: Iterable<number>): Uint32Array => Uint32Array.of(...x, ...y);
  return {
    rows: a.rows + 1,
    cols: a.cols,
    rowPtr: join(a.rowPtr, [a.rowPtr.at(-1)! + end - begin]),
    colIdx: join(a.colIdx, a.colIdx.subarray(begin, end)),
    values: join(
      a.values,
      a.values.subarray(begin, end).map((value) => FIELD.add(value, value)),
    ),
  };
}

describe.skipIf(gpuMissing)('a GPU with a budget', () => {
  let team: Team;
  let gpu: GpuDevice;
  beforeAll(async () => {
    team = await Team.create(1);
    gpu = await limitedGpu({}); // with a memory of its own
  });
  afterAll(() => team.dispose());

  // Short rows of both kinds of entries, and some that are long.
  const matrix = matrixOf(300, 200, P, 'mixed', (i) => (i % 90 === 7 ? 190 : 100 + (i % 40)));

  async function rankOn(executor: CpuExecutor | GpuExecutor) {
    const context = {
      ...{ executor, team, seed: 3n, check() {}, onProgress() {} },
      ...orderBasisEngines(executor, team),
    };
    const { seconds: _, explanation, ...rank } = await rankOfMatrix(context, matrix, { block: { m: 16, n: 8 } });
    return { rank, explanation };
  }

  /** The rank, and the most bytes that buffers took together. */
  async function rankWithin(maxBytes: number) {
    const { memory } = gpu;
    memory.maxBytes = maxBytes;
    memory.watch();
    const executor = new GpuExecutor(FIELD, gpu);
    const before = memory.held;
    try {
      return { ...(await rankOn(executor)), peak: memory.peak - before };
    } finally {
      executor.dispose();
      expect(memory.held).toBe(before);
      memory.maxBytes = Infinity;
    }
  }

  test('products by pieces are those of the whole matrix, in both directions', async () => {
    const [held, streamed] = [0, 1].map(() => new GpuExecutor(FIELD, gpu));
    const whole = new CpuExecutor(FIELD, team);
    const found = [];
    const peaks = [];
    for (const [executor, options] of [
      [whole, {}],
      [held, {}],
      [streamed, { streamBytes: 4_000 }],
    ] as const) {
      gpu.memory.watch();
      const a = executor.operator(matrix, options);
      const [x, y] = [executor.vector(200, 8), executor.vector(300, 8)];
      executor.write(
        x,
        Uint32Array.from({ length: 200 * 8 }, (_, i) => (i * i + 5) % P),
      );
      for (const [alpha, beta] of [
        [1, 0],
        [7, P - 2],
      ] as const) {
        await a.apply(y, x, alpha, beta);
        await a.applyTransposed(x, y, alpha, beta);
      }
      // Rows of odd width begin inside of words: the product is one of copies, which are written back at its end.
      const [u, v] = [executor.view(executor.vector(500, 2), 200, 5), executor.view(executor.vector(750, 2), 300, 5)];
      executor.write(
        u,
        Uint32Array.from({ length: 200 * 5 }, (_, i) => (i * i + 9) % P),
      );
      await a.apply(v, u, 1, 0);
      found.push([await executor.read(x), await executor.read(y), await executor.read(v)]);
      peaks.push(gpu.memory.peak);
      a.free?.();
      executor.dispose();
    }
    expect(found[1]).toEqual(found[0]);
    expect(found[2]).toEqual(found[0]);
    expect(3 * peaks[2]!).toBeLessThan(peaks[1]!);
  });

  test('a second product, of either direction, before the first has ended is refused', async () => {
    const executor = new GpuExecutor(FIELD, gpu);
    const a = executor.operator(matrix, { streamBytes: 4_000 });
    expect([a, transposeOperator(a)].map(({ isStreamed }) => isStreamed)).toEqual([true, true]);
    const [x, y] = [executor.vector(200, 8), executor.vector(300, 8)];
    const [u, v] = [executor.vector(200, 8), executor.vector(300, 8)];
    const words = Uint32Array.from({ length: 200 * 8 }, (_, i) => (i * i + 5) % P);
    executor.write(x, words);
    const first = a.apply(y, x);
    const line = /^a matrix read in pieces: expected one product at a time, got a second before the first ended$/;
    await expect(a.apply(v, u)).rejects.toThrow(line);
    await expect(a.applyTransposed(u, v)).rejects.toThrow(line);
    await first;
    await a.apply(v, x); // one that was refused leaves no trace, and the first has ended
    const found = await executor.read(y);
    expect(await executor.read(v)).toEqual(found);
    expect(found.some((word) => word !== 0)).toBe(true);
    a.free?.();
    executor.dispose();
  });

  test('a third of what it takes answers the same, and too little is refused', async () => {
    const onThreads = await rankOn(new CpuExecutor(FIELD, team));
    expect(onThreads.rank).toMatchObject({ rank: 200, lowerBound: 200 });
    const whole = await rankWithin(1e9);
    const answer = { ...onThreads.rank, checks: { ...onThreads.rank.checks, sequence: expect.any(Number) } };
    expect(whole.rank).toEqual(answer); // a device has intervals of its own
    expect(whole.explanation).toEqual([]);
    const third = Math.floor(whole.peak / 3);
    const within = await rankWithin(third);
    expect(within.rank).toEqual(answer);
    expect(within.explanation).toEqual([
      expect.stringMatching(
        /^the matrix is read to the GPU at every product, in pieces of 0\.0\d+ MB an array: device gpu: [\d.]+ MB needed on/,
      ),
      expect.stringMatching(/^the GPU's buffers took [\d.]+ MB at most$/),
    ]);
    expect(within.peak).toBeLessThanOrEqual(third);
    await expect(rankWithin(20_000)).rejects.toThrow(MemoryError);
  });

  test('auto leaves the pivots where their Schur complement has no room, and takes the matrix itself', async () => {
    const { rows, cols, ...entries } = generate('ex', [2]); // 560 x 560 with 266 pivots
    const ex2 = withTwice(SparseMatrix.fromTriplets(rows, cols, entries).residues(P), 7);
    /** The rank by methods that can keep something: elimination is none of them. */
    const rankOf = async (maxBytes: number) => {
      const executor = new GpuExecutor(FIELD, gpu);
      const phases: string[] = [];
      const onProgress = ({ phase }: { phase: string }): void => {
        if (phases.at(-1) !== phase) phases.push(phase);
      };
      const context = {
        ...{ executor, team, seed: 3n, check() {}, onProgress },
        ...orderBasisEngines(executor, team),
      };
      gpu.memory.maxBytes = maxBytes;
      gpu.memory.watch();
      const before = gpu.memory.held;
      try {
        const { rank, lowerBound, method, explanation } = await rankBy('auto', context, ex2, { mostUnkept: 0 });
        return { rank, lowerBound, method, phases, lines: explanation.join('\n'), peak: gpu.memory.peak - before };
      } finally {
        executor.dispose();
        expect(gpu.memory.held).toBe(before);
        gpu.memory.maxBytes = Infinity;
      }
    };
    expect(await rankOf(Infinity)).toMatchObject({ rank: 553, lowerBound: 553, method: 'hybrid' });
    const { peak, ...roomy } = await rankOf(1e9);
    expect(roomy).toMatchObject({ rank: 553, lowerBound: 553, method: 'hybrid' });
    expect(await rankOf(peak)).toMatchObject({ rank: 553, lowerBound: 553, method: 'hybrid', peak });
    const less = peak - 16; // a buffer's size is a multiple
    const within = await rankOf(less);
    expect(within).toMatchObject({ rank: 553, lowerBound: 553, method: 'block-wiedemann' });
    expect(within.lines).toMatch(/^wiedemann: S has no room: device gpu: [\d.]+ MB needed on .*, allowed are [\d.]+$/m);
    expect(within.lines).toMatch(/^1 rows and 0 columns of 561 x 560 are multiples of others$/m);
    expect(within.phases).toEqual(['pivots', 'sequence', 'verification']); // S was refused before its sequence
    expect(within.peak).toBeLessThanOrEqual(less);
    await expect(rankOf(20_000)).rejects.toThrow(/^device gpu: [\d.]+ MB needed on .*, allowed are 0.02$/);
  });

  describe('of a square matrix', () => {
    const full = matrixOf(200, 200, P, 'mixed', (i) => (i % 60 === 7 ? 190 : 100 + (i % 40)));

    /** The answer as text, and the explanation. */
    type Ask = (context: RunContext) => Promise<{ answer: string; explanation: readonly string[] | undefined }>;

    /** What `ask` says within so many bytes, and the most that buffers took. */
    async function within(maxBytes: number, ask: Ask) {
      const executor = new GpuExecutor(FIELD, gpu);
      const { memory } = gpu;
      memory.maxBytes = maxBytes;
      memory.watch();
      const before = memory.held;
      const context = { executor, team, seed: 3n, check() {}, onProgress() {}, ...orderBasisEngines(executor, team) };
      try {
        return { found: await ask(context), peak: memory.peak - before };
      } finally {
        executor.dispose();
        expect(memory.held).toBe(before);
        memory.maxBytes = Infinity;
      }
    }

    const minpoly: Ask = async (context) => {
      const { coefficients, errorLog2, explanation } = await minpolyOfMatrix(context, full);
      return { answer: `${coefficients} ${errorLog2}`, explanation };
    };
    const det: Ask = async (context) => {
      const { determinant, method, explanation } = await determinantOfMatrix(context, full, { method: 'wiedemann' });
      return { answer: `${determinant} ${method}`, explanation };
    };
    test.each([
      ['minpoly', minpoly],
      ['det', det],
    ])('%s', async (_, ask) => {
      const whole = await within(1e9, ask);
      const less = await within(Math.floor(whole.peak / 2), ask);
      expect(less.found.answer).toEqual(whole.found.answer);
      const line = expect.stringMatching(/^the matrix is read to the GPU at every product, in pieces of/);
      expect(whole.found.explanation).not.toContainEqual(line);
      expect(less.found.explanation).toContainEqual(line);
      expect(less.peak).toBeLessThanOrEqual(whole.peak / 2);
      await expect(within(20_000, ask)).rejects.toThrow(MemoryError);
    });
  });
});
