/**
 * Another device, in this thread: it has nothing of the first but the matrix, with its transpose and pivots, and the
 * task. It runs ahead as a process does.
 */
import type { KrylovSequence } from '../../../algorithms/block-wiedemann/krylov.js';
import {
  type SequenceDevice,
  type SequenceTask,
  startSequence,
} from '../../../algorithms/block-wiedemann/krylov-columns.js';
import { tallOperator } from '../../../algorithms/block-wiedemann/rank.js';
import { WorkingField } from '../../../algorithms/block-wiedemann/working-field.js';
import { SchurComplement } from '../../../algorithms/schur/schur-complement.js';
import { WordPrime } from '../../../fields/word-prime.js';
import type { Operator } from '../../../kernels/executor.js';
import { ReferenceExecutor } from '../../../kernels/executors/reference.js';
import { SequenceOf } from './sequence-of.js';

export interface DeviceHere extends SequenceDevice {
  readonly tasks: SequenceTask[];
  readonly sequences: AheadSequence[];
  /** Of each matrix that it was given. */
  readonly areOfPivots: boolean[];
}

export function deviceHere(): DeviceHere {
  let executor: ReferenceExecutor;
  let held: Operator;
  const tasks: SequenceTask[] = [];
  const sequences: AheadSequence[] = [];
  const areOfPivots: boolean[] = [];
  return {
    areOfPivots,
    tasks,
    sequences,
    async hold(given, field, parts) {
      executor = new ReferenceExecutor(WordPrime.of(field.p));
      const [matrix, schur] = [structuredClone(given), structuredClone(parts)];
      held = schur ? new SchurComplement(executor, matrix, schur.at, schur.pivots) : executor.operator(matrix);
      areOfPivots.push(schur !== undefined);
    },
    async start(task) {
      tasks.push(task);
      const a = tallOperator(held);
      const working = new WorkingField(executor, task.draw ?? 'block');
      const { krylov } = await startSequence(executor, a, working, structuredClone(task));
      const ahead = new AheadSequence(krylov, task.length);
      sequences.push(ahead);
      return ahead;
    },
  };
}

/** At the first question it makes all that its task foresees. */
class AheadSequence extends SequenceOf {
  freed = 0;
  private readonly foreseen: number;

  constructor(krylov: KrylovSequence, foreseen: number) {
    super(krylov);
    this.foreseen = foreseen;
  }

  override get seconds(): number {
    return 1000;
  }

  extend(count: number, moments: number, check: () => void, onStep: (done: number) => void): Promise<void> {
    return this.krylov.extend(Math.max(count, this.foreseen), moments, check, onStep);
  }

  override free(): void {
    this.freed++;
    super.free();
  }
}
