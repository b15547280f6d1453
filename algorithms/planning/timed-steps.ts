/**
 * The steps of block Wiedemann with a matrix on a device, timed as a run makes them.
 *
 *   setup       the matrix on the device, C, U and Y = W·A
 *   step        V ← C·(A·V) with its blocks of S and T, n columns wide
 *   verifying   X ← Aᵀ·(Cᵀ·X) + Uᵀ·C_j + Yᵀ·D_j, s columns wide whatever the shape: timed once for a matrix
 */
import { CounterRandom } from '../../fields/random.js';
import type { Executor, Operator } from '../../kernels/executor.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { krylovCombination } from '../block-wiedemann/combine.js';
import { freeSides, sidesOf, startBetween } from '../block-wiedemann/krylov-columns.js';
import { onOperator, tallOperator } from '../block-wiedemann/rank.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { WorkingField } from '../block-wiedemann/working-field.js';
import type { TimedSteps } from './machine-rates.js';
import { secondsEach } from './seconds-each.js';

/** The share of the verification: its steps take about as long as others, and are a smaller part of a run. */
const VERIFYING = 0.4;

const MOST_STEPS = 4096;

/**
 * Seconds of steps before they count (test/bench/RESULTS.md#gpu-plans), once for a matrix beside the budget, for what
 * keeps a device from work is mostly how it is made and stored. Threads are awake, but a call of so long is its steps.
 */
const WAKING = { gpu: 0.25, others: 0.02 };

/** Within about `budget` seconds for all shapes, beside setup and waking, and two steps of each kind at least. */
export function timeSteps(
  context: RunContext,
  matrix: ResidueMatrix,
  shapes: readonly BlockShape[],
  budget: number,
): Promise<TimedSteps[]> {
  const own = { ...context, checkpoint: undefined, parts: undefined, sequenceDevices: undefined, onProgress: () => {} };
  const start = performance.now();
  return onOperator(own, matrix, { block: shapes[0] }, async ({ executor }, operator) => {
    await fence(executor);
    const storing = since(start);
    const a = tallOperator(operator);
    const timed: TimedSteps[] = [];
    for (const shape of shapes) {
      const waking = executor.name === 'gpu' && shape === shapes[0] ? WAKING.gpu : WAKING.others;
      const seconds = { step: ((1 - VERIFYING) * budget) / shapes.length, verifying: VERIFYING * budget, waking };
      const { setup, ...steps } = await timeShape({ ...own, executor }, a, shape, seconds, timed[0]?.verifying);
      timed.push({ rows: a.rows, cols: a.cols, nnz: matrix.colIdx.length, setup: storing + setup, ...steps });
    }
    return timed;
  });
}

async function timeShape(
  { executor, seed, check }: Pick<RunContext, 'executor' | 'seed' | 'check'>,
  a: Operator,
  { m, n }: BlockShape,
  seconds: Readonly<Record<'step' | 'verifying' | 'waking', number>>,
  known: number | undefined, // a step of the verification, where it has been timed
): Promise<Omit<TimedSteps, 'rows' | 'cols' | 'nnz'>> {
  const start = performance.now();
  const working = new WorkingField(executor, 'block');
  const s = verificationWidth(working.log2q);
  const shape = { m, n, s, shift: 1 as const };
  const moments = Number.POSITIVE_INFINITY;
  const task = { preconditioner: 'hash' as const, seed, shape, length: MOST_STEPS, moments };
  const sides = await sidesOf(executor, a, working, task);
  await fence(executor);
  const setup = since(start);
  try {
    const krylov = await startBetween(sides, executor, a, working, task);
    const more = (count: number): Promise<void> => krylov.extend(krylov.length + count, moments, check, () => {});
    let step: number;
    let gpuBytes: number | null;
    try {
      step = await secondsEach(more, seconds.step, MOST_STEPS, seconds.waking);
      gpuBytes = bytesOnGpu(executor);
    } finally {
      krylov.free();
    }
    const combine = async (count: number): Promise<void> => {
      const codes = new CounterRandom(seed, 0).fillResidues(new Uint32Array(count * s * (m + s)), working.q);
      const x = await krylovCombination(executor, a, sides.c, working, sides.left, codes, s, check, () => {});
      executor.release(x);
      await fence(executor);
    };
    const verifying = known ?? (await secondsEach(combine, seconds.verifying, MOST_STEPS, WAKING.others));
    return { m, n, setup, step, verifying, gpuBytes };
  } finally {
    freeSides(sides);
  }
}

/** The device has done what was asked for. */
async function fence(executor: Executor): Promise<void> {
  const blocks = executor.blocks(1, 1, 1);
  try {
    await executor.readBlocks(blocks, 0, 1);
  } finally {
    executor.releaseBlocks(blocks);
  }
}

function bytesOnGpu(executor: Executor): number | null {
  return executor.name === 'gpu' ? (executor as GpuExecutor).gpu.memory.held : null;
}

function since(start: number): number {
  return (performance.now() - start) / 1000;
}
