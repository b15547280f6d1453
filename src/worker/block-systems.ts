/**
 * Systems of a batch by block LU, all at once (algorithms/block-lu/systems.ts): on a GPU a workgroup each, on a thread
 * one after another without a question's beginning and end for each.
 *
 * What is no system is its own error before the others begin. Where the device has no room for all, halves follow.
 */
import { kernelsOf } from '../../algorithms/block-lu/kernels-of.js';
import { blockSystem, type CheckedSystem, solveBlockSystems } from '../../algorithms/block-lu/systems.js';
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import { TeamError } from '../../kernels/errors/team-error.js';
import { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import type { BatchItem, ModulusAnswer } from '../questions/batch.js';
import { type ErrorMessage, errorToMessage } from '../questions/error-transport.js';
import type { Settings } from '../questions/options.js';
import type { AnyOutcomeData } from '../questions/verbs.js';
import type { Hardware, Remote, RunOn } from './found.js';
import { outcomeOf } from './outcome-of.js';
import { denseRightSides } from './right-sides.js';
import { foundSolution } from './systems.js';

type Answer = ModulusAnswer<AnyOutcomeData, ErrorMessage>;

/** A matrix of a batch, with the seconds that reading it took. */
export interface ReadItem {
  readonly matrix: SparseMatrix | Remote;
  readonly right: BatchItem['right'];
  readonly reading: number;
}

/** An answer for each of them, modulo one number. */
export async function answerBlockSystems(
  runOn: RunOn,
  items: readonly ReadItem[],
  settings: Settings,
): Promise<Answer[]> {
  return runOn(settings, async (context, hardware) => {
    const answers = new Array<Answer>(items.length);
    const good: Good[] = [];
    for (const [index, { matrix, right, reading }] of items.entries()) {
      try {
        if (!(matrix instanceof SparseMatrix)) throw new OptionError('solve: expected a matrix, got an operator');
        const { values, s } = denseRightSides(right!, matrix, settings);
        const a = matrix.residues(Number(settings.mod));
        const system = blockSystem(a, values as Uint32Array, s, settings.maxMemory ?? undefined);
        good.push({ index, matrix, reading, system });
      } catch (error) {
        answers[index] = { error: errorToMessage(error) };
      }
    }
    await solveTogether(context, hardware, settings, good, answers);
    return answers;
  });
}

interface Good {
  readonly index: number;
  readonly matrix: SparseMatrix;
  readonly reading: number;
  readonly system: CheckedSystem;
}

async function solveTogether(
  context: RunContext,
  hardware: Hardware,
  settings: Settings,
  given: readonly Good[],
  answers: Answer[],
): Promise<void> {
  if (given.length === 0) return;
  const start = performance.now();
  try {
    const systems = given.map(({ system }) => system);
    const { field } = context.executor;
    const solved = await solveBlockSystems(kernelsOf(context), field, systems, settings.seed, () => context.check());
    const blocks = (performance.now() - start) / 1000 / given.length;
    for (const [k, { solution, reason, explanation }] of solved.entries()) {
      const { index, matrix, reading, system } = given[k]!;
      const found = {
        ...{ ...foundSolution(solution, null, system.s), method: 'block-lu', explanation: [explanation], ...hardware },
        ...(reason === null ? {} : { reason: `block-lu: ${reason}` }),
        seconds: { reading, blocks, total: reading + blocks },
      };
      answers[index] = { outcome: outcomeOf(matrix, settings, found) };
    }
  } catch (error) {
    if (error instanceof TeamError) throw error;
    if (given.length === 1) answers[given[0]!.index] = { error: errorToMessage(error) };
    else {
      const half = given.length >> 1;
      for (const part of [given.slice(0, half), given.slice(half)])
        await solveTogether(context, hardware, settings, part, answers);
    }
  }
}
