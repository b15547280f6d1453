/** What a run of block Wiedemann is given from outside, and what it tells while it goes on. */
import type { Executor } from '../../kernels/executor.js';
import type { Team } from '../../kernels/team.js';
import type { OrderBasisEngine } from './order-basis-engine.js';
import type { WorkingField } from './working-field.js';

export type Phase = 'setup' | 'sequence' | 'sigmaBasis' | 'verification';

export interface ProgressEvent {
  readonly phase: Phase | 'pivots' | 'sampling' | 'schur' | 'dense';
  readonly attempt: number; // from 1
  readonly done: number; // steps
  readonly total: number; // at most so many
}

/** What a run stands on: the device, the engine for order bases, its randomness, and how it is watched and stopped. */
export interface RunContext {
  readonly executor: Executor;
  /** The threads that eliminate; without them plain code does. */
  readonly team?: Team | undefined;
  readonly seed: bigint;
  orderBasisEngine(working: WorkingField): OrderBasisEngine;
  /** Throws when the run is to end; called between steps. */
  check(): void;
  onProgress(event: ProgressEvent): void;
}
