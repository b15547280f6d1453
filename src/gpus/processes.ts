/** Processes with a GPU each, as the engine's thread sees them; processes.node.ts starts them. */
import type { SequenceDevice } from '../../algorithms/block-wiedemann/krylov-columns.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { RowDevice } from '../../kernels/executors/row-split.js';
import { OptionError } from '../errors.js';
import type { InputMessage } from '../questions/input.js';
import type { Settings } from '../questions/options.js';
import type { Verb } from '../questions/verbs.js';

export interface GpuProcesses {
  readonly devices: readonly (SequenceDevice & RowDevice)[];
  /** In words: which GPUs, beside how many of what. */
  readonly adapter: string;
  /** Ends them; all waits for them reject. Resolves when none is left, or with a line about each that does not end. */
  end(): Promise<readonly string[]>;
}

/** Throws OptionError for a question that several GPUs have no shares of. */
export function checkShareable(verb: Verb, input: InputMessage, { mod, gpus }: Settings): void {
  if (gpus === null) return;
  if (verb === 'stage') throw new OptionError('gpus: expected a whole run, got a stage of one');
  if (input.kind === 'operator') throw new OptionError('gpus: expected a matrix, got an operator');
  if (mod > BigInt(MAX_SIZE)) throw new OptionError(`gpus: expected a prime below 2^31, got ${mod}`);
}

/** Words of an array that travel between processes at once: one message has no room for some GB. */
export const PIECE = 2 ** 22;
