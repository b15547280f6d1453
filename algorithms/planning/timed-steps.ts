/**
 * The steps of block Wiedemann with a matrix on a device, timed as a run makes them.
 *
 *   setup       the matrix on the device, C, U and Y = W·A
 *   step        V ← C·(A·V) with its blocks of S and T, n columns wide
 *   verifying   X ← Aᵀ·(Cᵀ·X) + Uᵀ·C_j, s columns wide
 */
import { CounterRandom } from '../../fields/random.js';
import type { Executor } from '../../kernels/executor.js';
import type { GpuExecutor } from '../../kernels/executors/gpu.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { BlockShape } from '../block-wiedemann/block-shape.js';
import { krylovCombination } from '../block-wiedemann/combine.js';
import { freeSides, sidesOf, startBetween } from '../block-wiedemann/krylov-columns.js';
import { onOperator, tallOperator } from '../block-wiedemann/rank.js';
import type { RunContext } from '../block-wiedemann/run-context.js';
import { verificationWidth } from '../block-wiedemann/verification.js';
import { WorkingField } from '../block-wiedemann/working-field.js';

export interface TimedSteps {
  readonly rows: number; // no fewer than columns: A or its transpose
  readonly cols: number;
  readonly nnz: number; // residues
  readonly m: number;
  readonly n: number; // columns of V on this device
  readonly setup: number; // seconds
  readonly step: number;
  readonly verifying: number;
  readonly gpuBytes: number | null; // what the matrix and the vectors take there
}

/** Pieces of the budget, the fastest of which counts: other programs only add to a time. */
const PIECES = 3;

/** Steps of verification take about as long as those of the sequence; they are a smaller part of a run. */
const VERIFYING = 0.4;

const MOST_STEPS = 4096;

/** Within about `budget` seconds beside the setup, and a step of each kind at least. */
export function timeSteps(
  context: RunContext,
  matrix: ResidueMatrix,
  { m, n }: BlockShape,
  budget: number,
): Promise<TimedSteps> {
  const own = { ...context, checkpoint: undefined, parts: undefined, sequenceDevices: undefined, onProgress: () => {} };
  const start = performance.now();
  return onOperator(own, matrix, { block: { m, n } }, async ({ executor }, operator) => {
    const a = tallOperator(operator);
    const working = new WorkingField(executor, 'block');
    const s = verificationWidth(working.log2q);
    const task = {
      preconditioner: 'hash' as const,
      seed: context.seed,
      shape: { m, n, s, shift: 1 as const },
      length: MOST_STEPS,
      moments: Number.POSITIVE_INFINITY,
    };
    const sides = await sidesOf(executor, a, working, task);
    await fence(executor);
    const setup = (performance.now() - start) / 1000;
    try {
      const krylov = await startBetween(sides, executor, a, working, task);
      const more = (count: number): Promise<void> =>
        krylov.extend(krylov.length + count, task.moments, context.check, () => {});
      let step: number;
      let gpuBytes: number | null;
      try {
        step = await secondsEach(more, (1 - VERIFYING) * budget);
        gpuBytes = bytesOnGpu(executor);
      } finally {
        krylov.free();
      }
      const combine = async (count: number): Promise<void> => {
        const codes = new CounterRandom(context.seed, 0).fillResidues(new Uint32Array(count * s * m), working.q);
        const u = sides.left.u;
        const x = await krylovCombination(executor, a, sides.c, working, u, codes, s, context.check, () => {});
        executor.release(x);
        await fence(executor);
      };
      const verifying = await secondsEach(combine, VERIFYING * budget);
      return { rows: a.rows, cols: a.cols, nnz: matrix.colIdx.length, m, n, setup, step, verifying, gpuBytes };
    } finally {
      freeSides(sides);
    }
  });
}

/** Seconds of one of so many that `work` does at once; kernels are compiled before. */
async function secondsEach(work: (count: number) => Promise<void>, budget: number): Promise<number> {
  const timed = async (count: number): Promise<number> => {
    const start = performance.now();
    await work(count);
    return (performance.now() - start) / 1000 / count;
  };
  await timed(1);
  let count = 2;
  let each = await timed(count);
  while (count < MOST_STEPS && count * each < budget / PIECES / 4) {
    count *= 4;
    each = await timed(count);
  }
  count = Math.max(1, Math.min(MOST_STEPS, Math.floor(budget / PIECES / each)));
  for (let piece = 0; piece < PIECES && (piece === 0 || count * each * PIECES <= budget); piece++) {
    each = Math.min(each, await timed(count));
  }
  return each;
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
  return executor.name === 'gpu' ? (executor as GpuExecutor).gpu.held : null;
}
