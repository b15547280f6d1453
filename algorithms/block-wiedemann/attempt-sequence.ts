/**
 * The sequence of an attempt, begun or gone on with: on this device, on others that share its columns, or from parts
 * that are kept.
 */
import type { Executor, Operator } from '../../kernels/executor.js';
import { StoppedError } from '../checkpoint/store.js';
import type { OrderBasisEngine } from '../sigma-basis/order-basis.js';
import { PartedSequence, type PartMaker } from './kept-parts.js';
import { SequenceKeeper } from './kept-sequence.js';
import { keptShares, startKept } from './kept-shares.js';
import type { Sequence } from './krylov.js';
import {
  freeSides,
  type SequenceSides,
  type SequenceTask,
  sharesOf,
  sidesOf,
  startBetween,
  startSequence,
  startShares,
} from './krylov-columns.js';
import type { RunContext } from './run-context.js';
import type { WorkingField } from './working-field.js';

/** The parts of an attempt, its own to free. */
export interface Started extends SequenceSides {
  readonly sequence: Sequence;
  readonly engine: OrderBasisEngine;
}

/**
 * The sequence of `task`, kept under names that begin with `arrays` if it is, with its sides and the engine of its
 * search, which `ready` makes.
 */
export async function startOnDevices(
  context: RunContext,
  a: Operator,
  working: WorkingField,
  task: SequenceTask,
  arrays: string,
  ready: () => Promise<OrderBasisEngine>,
): Promise<Started> {
  const { executor, sequenceDevices = [], checkpoint, parts } = context;
  const check = (): void => context.check();
  if (sequenceDevices.length === 0) {
    const engine = await ready();
    const count = checkpoint && (parts?.count ?? (await keptShares(checkpoint, arrays)));
    if (checkpoint && typeof count === 'number') {
      const sides = await sidesOf(executor, a, working, task);
      const maker = partMaker(executor, a, working, sides, check);
      return { ...sides, sequence: new PartedSequence(checkpoint, arrays, task, count, maker), engine };
    }
    const keeper = checkpoint && new SequenceKeeper(checkpoint, arrays);
    const { krylov, ...sides } = await startSequence(executor, a, working, task, keeper, check);
    return { ...sides, sequence: krylov, engine };
  }
  // The other devices begin first, while this thread is busy.
  const [sequence, sides] = await Promise.allSettled([
    checkpoint
      ? startKept(checkpoint, arrays, sequenceDevices, task, parts?.count)
      : startShares(
          sequenceDevices,
          sharesOf(task, sequenceDevices.length).map((own) => ({ task: own })),
        ),
    ready().then(async (engine) => ({ engine, ...(await sidesOf(executor, a, working, task)) })),
  ]);
  if (sides.status === 'fulfilled' && sequence.status === 'fulfilled') {
    return { ...sides.value, sequence: sequence.value };
  }
  if (sides.status === 'fulfilled') freeSides(sides.value);
  if (sequence.status === 'fulfilled') sequence.value.free();
  throw sides.status === 'rejected' ? sides.reason : (sequence as PromiseRejectedResult).reason;
}

/** Makes parts with these sides, which stay the caller's; `check` may throw between products. */
export function partMaker(
  executor: Executor,
  a: Operator,
  working: WorkingField,
  sides: SequenceSides,
  check: () => void,
): PartMaker {
  return { cols: a.cols, start: (task, keeper) => startBetween(sides, executor, a, working, task, keeper, check) };
}

/** What `pass` does; where it ends the run at a checkpoint, the sequence is kept first, by each device its own part. */
export async function keptOnDevices(sequence: Sequence, pass: () => Promise<void>): Promise<void> {
  try {
    await pass();
  } catch (error) {
    if (error instanceof StoppedError) await sequence.stop?.();
    throw error;
  }
}
