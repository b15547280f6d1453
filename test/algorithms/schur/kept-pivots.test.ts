/** A kept run has the pivots that it began with, which are fewer on a GPU, and goes on with them on any device. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { rankBy } from '../../../algorithms/rank.js';
import type { RankResult } from '../../../algorithms/rank-result.js';
import { generate } from '../../../data/families.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { fakeGpu } from '../../gpu.js';
import { MemoryStore } from '../block-wiedemann/memory-store.js';
import { contextOn } from '../methods/context.js';

let team: Team;
beforeAll(async () => {
  team = await Team.create(1);
});
afterAll(() => team.dispose());

const { rows, cols, ...entries } = generate('random', [3000, 3000, 12, 65521, 1]);
const matrix = SparseMatrix.fromTriplets(rows, cols, entries).residues(65521);

/** Its answer, null where it ends at one of its first checkpoints, and the steps that it makes. */
async function run(store: MemoryStore, device: 'gpu' | 'cpu', most = Number.POSITIVE_INFINITY, remarks: string[] = []) {
  const cpu = new CpuExecutor(WordPrime.of(65521), team);
  // For whoever asks which device it is; the vectors are on threads.
  const there = { name: 'gpu', gpu: fakeGpu(), columnRank: undefined };
  const executor: Executor = device === 'gpu' ? Object.assign(Object.create(cpu), there) : cpu;
  const steps: number[] = [];
  const stops = async (): Promise<boolean> => steps.length >= most;
  const remark = (line: string): void => void remarks.push(line);
  const checkpoint = new Checkpoint(store, 'run', { interval: 0, stops, remark });
  const onProgress = ({ phase, done }: { phase: string; done: number }): void => {
    if (phase === 'sequence') steps.push(done);
  };
  try {
    const answer: RankResult = await rankBy('hybrid', { ...contextOn(cpu), executor, checkpoint, onProgress }, matrix);
    return { answer, steps };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { answer: null, steps };
  } finally {
    cpu.dispose();
  }
}

const pivotsOf = ({ explanation }: RankResult): string | undefined =>
  explanation.find((line) => line.includes('structural pivots of'));

test('begun on a GPU, goes on by threads; begun by threads, goes on there', async () => {
  const [gpu, cpu] = [await run(new MemoryStore(), 'gpu'), await run(new MemoryStore(), 'cpu')];
  expect(gpu.answer!.explanation).toContainEqual(
    expect.stringMatching(/^\d+ of 1526 pivots are given up: \d+ deep in/),
  );
  expect(pivotsOf(gpu.answer!)).not.toBe(pivotsOf(cpu.answer!));
  for (const [first, then, whole] of [
    ['gpu', 'cpu', gpu],
    ['cpu', 'gpu', cpu],
  ] as const) {
    const store = new MemoryStore();
    const remarks: string[] = [];
    const begun = await run(store, first, 3, remarks);
    expect(begun.answer).toBe(null);
    const { answer, steps } = await run(store, then, Number.POSITIVE_INFINITY, remarks);
    expect(answer).toMatchObject({ rank: 3000, lowerBound: 3000 });
    expect(pivotsOf(answer!)).toBe(pivotsOf(whole.answer!));
    expect(remarks).toEqual([]);
    // No step twice: it goes on where it was ended.
    expect(steps[0]).toBeGreaterThan(begun.steps.at(-1)!);
  }
});
