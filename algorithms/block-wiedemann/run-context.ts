/** What a run of block Wiedemann is given from outside, and what it tells while it goes on. */
import type { Executor } from '../../kernels/executor.js';
import type { FormatName } from '../../kernels/sparse/formats/index.js';
import type { Team } from '../../kernels/threads/team.js';
import type { OrderBasisEngines } from '../sigma-basis/order-basis.js';
import type { SequenceDevice } from './krylov-columns.js';

export type Phase = 'setup' | 'sequence' | 'sigmaBasis' | 'verification';

export interface ProgressEvent {
  readonly phase: Phase | 'pivots' | 'sampling' | 'schur' | 'dense';
  readonly attempt: number; // from 1
  readonly done: number; // steps
  readonly total: number; // at most so many
}

/** What a run stands on: the device, the engine for order bases, its randomness, and how it is watched and stopped. */
export interface RunContext extends OrderBasisEngines {
  readonly executor: Executor;
  /** The threads that eliminate; without them plain code does. */
  readonly team?: Team | undefined;
  readonly seed: bigint;
  /** One format for the matrix on every device, instead of a choice by its rows. */
  readonly storage?: FormatName | undefined;
  /** Further devices, which take shares of the columns of every sequence; only for `rankOfMatrix`. */
  readonly sequenceDevices?: readonly SequenceDevice[] | undefined;
  /** The same run on a GPU, which is opened when it is first asked for; null where there is none. Only for `rankBy`. */
  readonly onGpu?: (() => Promise<RunContext | null>) | undefined;
  /** Throws when the run is to end; called between steps. */
  check(): void;
  onProgress(event: ProgressEvent): void;
}
