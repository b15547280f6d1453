/** The surroundings of a run of block Wiedemann: its device, its randomness, its progress and its end. */
import type { Executor, Operator, OperatorOptions } from '../../kernels/executor.js';
import type { RowSplit } from '../../kernels/executors/row-split.js';
import type { Words } from '../../kernels/residues/words.js';
import type { FormatName } from '../../kernels/sparse/formats/index.js';
import type { Reordering } from '../../kernels/sparse/reordering.js';
import type { ResidueMatrix } from '../../kernels/sparse/residue-matrix.js';
import type { Team } from '../../kernels/threads/team.js';
import type { Checkpoint } from '../checkpoint/checkpoint.js';
import type { Way } from '../checkpoint/way.js';
import type { KeptPivots } from '../presolve/kept-pivots.js';
import type { OrderBasisEngines } from '../sigma-basis/order-basis.js';
import type { BlockShape } from './block-shape.js';
import type { Parts } from './kept-parts.js';
import type { SequenceDevice } from './krylov-columns.js';
import type { Phase } from './phase.js';

export type { Phase };

export interface ProgressEvent {
  readonly phase: Phase | 'pivots' | 'sampling' | 'schur' | 'dense';
  readonly attempt: number; // from 1
  readonly done: number; // steps
  readonly total: number; // at most so many
}

/** The operator of a choice that was measured before; null where there is none, or no room for it. */
export type TunedOperator = (
  executor: Executor,
  matrix: ResidueMatrix,
  options: OperatorOptions,
) => Promise<Operator | null>;

/** The block shape of a choice that was measured before; undefined where there is none. */
export type TunedBlock = (matrix: ResidueMatrix) => Promise<BlockShape | undefined>;

/** The device of a run, the engine for order bases, its randomness, and the hooks that watch and stop it. */
export interface RunContext extends OrderBasisEngines {
  readonly executor: Executor;
  /** The threads of eliminations; plain code takes their place where they are absent. */
  readonly team?: Team | undefined;
  readonly seed: bigint;
  /** One format for the matrix on every device, instead of a choice by its rows. */
  readonly storage?: FormatName | undefined;
  /** The words that products on threads are made in; those of the executor where none are named. */
  readonly words?: Words | undefined;
  /** The order of rows and columns for products with the matrix itself; its own where none is asked for. */
  readonly reorder?: Reordering | undefined;
  /** A choice that was measured before, where none is asked for. */
  readonly tunedOperator?: TunedOperator | undefined;
  readonly tunedBlock?: TunedBlock | undefined;
  /** Further devices, which take shares of the columns of every sequence. */
  readonly sequenceDevices?: readonly SequenceDevice[] | undefined;
  /** Devices that hold the matrix in place of `executor`, its rows cut; of a sequence and of block Lanczos. */
  readonly rowSplit?: RowSplit | undefined;
  /** The same run on a GPU, which the first call opens; null where there is none. Only for `rankBy`. */
  readonly onGpu?: (() => Promise<RunContext | null>) | undefined;
  /** Where the run is kept, so that another one goes on; of block Wiedemann and of block Lanczos. */
  readonly checkpoint?: Checkpoint | undefined;
  /** How a kept run came to the operator of its sequence; absent where its question says that. */
  readonly way?: Way | undefined;
  /** The structural pivots of a kept run; absent where they are still to be recalled. */
  readonly pivots?: KeptPivots | undefined;
  /** Whether sequences and order bases check themselves (self-checks.ts); undefined: those of a rank and a kept run. */
  readonly selfChecks?: boolean | undefined;
  /** Whether block Lanczos times the kernels of its step, for its explanation. */
  readonly timesKernels?: boolean | undefined;
  /** The parts in which the sequence is kept, if it is; beside a checkpoint. */
  readonly parts?: Parts | null | undefined;
  /** Called between steps; throws to end the run. */
  check(): void;
  onProgress(event: ProgressEvent): void;
}
