/** Block Lanczos that is ended and goes on: the same answer, wherever it ends and whatever multiplies. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { Checkpoint } from '../../../algorithms/checkpoint/checkpoint.js';
import { seal, unseal } from '../../../algorithms/checkpoint/sealed.js';
import { StoppedError } from '../../../algorithms/checkpoint/store.js';
import { multiply } from '../../../algorithms/factor/products.js';
import { lanczosBasis } from '../../../algorithms/lanczos/reduced-basis.js';
import { randomKernel, solveByLanczos } from '../../../algorithms/lanczos/systems.js';
import { orderBasisEngines } from '../../../algorithms/sigma-basis/create.js';
import { random } from '../../../data/families/random.js';
import { CounterRandom } from '../../../fields/random.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Executor } from '../../../kernels/executor.js';
import { CpuExecutor } from '../../../kernels/executors/cpu.js';
import { GpuExecutor } from '../../../kernels/executors/gpu.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SparseMatrix } from '../../../kernels/sparse/sparse-matrix.js';
import { Team } from '../../../kernels/threads/team.js';
import { gpuMissing, testGpu } from '../../gpu.js';
import { DAMAGES, MemoryStore } from '../block-wiedemann/memory-store.js';

const teams: Team[] = [];
beforeAll(async () => {
  for (const threads of [1, 2]) teams.push(await Team.create(threads));
  // A clock that moves when it is read: runs are asked whether they are to end at every step.
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 1000));
});
afterAll(async () => {
  vi.restoreAllMocks();
  for (const team of teams) await team.dispose();
});

type Question = 'system' | 'refutation' | 'vectors' | 'basis';

const [ROWS, COLS, RANK, SIDES] = [150, 170, 140, 3];

function matrixOf(p: number): SparseMatrix {
  const triplets = random(ROWS, COLS, 5, p, 6, ROWS - RANK);
  return SparseMatrix.fromTriplets(ROWS, COLS, triplets);
}

async function executorOn(p: number, device: number | 'gpu'): Promise<Executor> {
  const field = WordPrime.of(p);
  if (device === 'gpu') return GpuExecutor.create(field, { device: await testGpu() });
  const team = teams[device - 1];
  return team ? new CpuExecutor(field, team) : new ReferenceExecutor(field);
}

/** The run ends once it has been asked `most` times whether it is to; device 0 is the reference executor. */
async function answered(
  question: Question,
  p: number,
  store: MemoryStore | null,
  device: number | 'gpu',
  most = Infinity,
  remarks: string[] = [],
) {
  const executor = await executorOn(p, device);
  const matrix = matrixOf(p).residues(p);
  let [asked, steps] = [0, 0];
  const stops = async (): Promise<boolean> => ++asked > most;
  const remark = (line: string): void => void remarks.push(line);
  const checkpoint = store === null ? undefined : new Checkpoint(store, 'run', { interval: 0, stops, remark });
  const onProgress = () => void steps++;
  const context = {
    executor,
    seed: 5n,
    check: () => {},
    onProgress,
    checkpoint,
    ...orderBasisEngines(executor, undefined),
  };
  try {
    return { ended: await answerOf(question, p, context, matrix), steps };
  } catch (error) {
    if (!(error instanceof StoppedError)) throw error;
    return { ended: null, steps };
  } finally {
    executor.dispose();
  }
}

type Context = Parameters<typeof randomKernel>[0];

async function answerOf(question: Question, p: number, context: Context, matrix: Parameters<typeof randomKernel>[1]) {
  if (question === 'system' || question === 'refutation') {
    const x = new CounterRandom(7n, 1).fillResidues(new Uint32Array(COLS * SIDES), p);
    const b = multiply(context.executor.field, matrix, x, SIDES);
    // A row of rank less: b at random is outside the column space, but for a probability of p^-10.
    if (question === 'refutation') for (let i = 0; i < ROWS; i++) b[i * SIDES + 1] = (i * i + 1) % p;
    const { solution, inconsistent, explanation } = await solveByLanczos(context, matrix, b, SIDES, true);
    return { solution, inconsistent, explanation };
  }
  if (question === 'vectors') {
    const kernel = randomKernel(context, matrix, 40);
    const vectors: unknown[] = [];
    for await (const batch of kernel.batches()) vectors.push(batch);
    return { vectors, bound: kernel.rankBound() };
  }
  const { kernel, explanation } = await lanczosBasis(context, matrix, Infinity);
  const vectors: unknown[] = [];
  for await (const batch of kernel!.batches()) vectors.push(batch);
  return { vectors, rank: kernel!.rank, freeLines: kernel!.freeLines, explanation };
}

describe.each([2, 7, 65521, 2147483629])('mod %i', (p) => {
  test.each(['system', 'refutation', 'vectors', 'basis'] as const)('%s, ended again and again', async (question) => {
    const whole = await answered(question, p, null, 1);
    const store = new MemoryStore();
    let ended: object | null = null;
    let [turns, steps] = [0, 0];
    for (; ended === null && turns < 200; turns++) {
      const turn = await answered(question, p, store, turns % 3, 3 + turns);
      steps += turn.steps;
      ({ ended } = turn);
    }
    expect(turns).toBeGreaterThan(1);
    expect(ended).toEqual(whole.ended);
    // Each turn does one step again at most: that in which it ended is told twice.
    expect(steps).toBeLessThanOrEqual(whole.steps + turns);
    // What is over answers at once, and has left no arrays.
    expect(await answered(question, p, store, 1)).toEqual({ ended, steps: 0 });
    expect([...store.arrays.keys()].filter((name) => name.startsWith('attempt-'))).toEqual([]);
  });

  test.skipIf(gpuMissing)('a GPU and threads go on from each other', async () => {
    const whole = await answered('system', p, null, 1);
    const store = new MemoryStore();
    const turns = [
      await answered('system', p, store, 'gpu', 1),
      await answered('system', p, store, 2, 1),
      await answered('system', p, store, 'gpu'),
    ];
    expect(turns.map(({ ended }) => ended)).toEqual([null, null, whole.ended]);
    expect(turns.reduce((sum, { steps }) => sum + steps, 0)).toBeLessThanOrEqual(whole.steps + 3);
  });
});

test('every array damaged in turn, or of other sizes: made again', async () => {
  const p = 65521;
  const whole = await answered('vectors', p, null, 1);
  const kept = new MemoryStore();
  while (![...kept.arrays.keys()].includes('outcome-1')) {
    expect((await answered('vectors', p, kept, 1, 8)).ended).toBeNull();
  }
  expect((await answered('vectors', p, kept, 1, 8)).ended).toBeNull();
  const names = [...kept.arrays.keys()];
  const kinds = new Set(names.map((name) => name.replace(/\d+/g, 'N')));
  expect([...kinds].sort()).toEqual(['attempt-N-lanczos-N', 'outcome-N', 'progress.json']);
  const shortened = (store: MemoryStore, name: string): void => {
    const { fields, bytes } = unseal(store.arrays.get(name)!)!;
    store.arrays.set(name, seal(fields, bytes.subarray(0, -4)));
  };
  const changed = (store: MemoryStore, name: string): void => {
    const { fields, bytes } = unseal(store.arrays.get(name)!)!;
    const { place, more } = fields as Record<string, object>;
    const other = place ? { place: { ...place, last: { g: [1] } } } : { more: { ...more }, sizes: [7] };
    store.arrays.set(name, seal({ ...fields, ...other }, bytes));
  };
  for (const damage of [...Object.values(DAMAGES), shortened, changed]) {
    for (const name of names) {
      const store = new MemoryStore();
      for (const [each, bytes] of kept.arrays) store.arrays.set(each, bytes.slice());
      damage(store, name);
      expect((await answered('vectors', p, store, 2)).ended, name).toEqual(whole.ended);
    }
  }
});

test('an outcome that products do not show is refused, and said', async () => {
  const p = 65521;
  const store = new MemoryStore();
  const whole = await answered('vectors', p, store, 1);
  const { fields, bytes } = unseal(store.arrays.get('outcome-1')!)!;
  const other = bytes.slice();
  other[100]! ^= 1;
  store.arrays.set('outcome-1', seal(fields, other));
  const remarks: string[] = [];
  expect((await answered('vectors', p, store, 1, Infinity, remarks)).ended).toEqual(whole.ended);
  expect(remarks).toEqual(['outcome-1 does not hold: the run is made again']);
});
