/** Data between the parts of the engine's thread: an answer that is found, its device, and an operator elsewhere. */
import type { RunContext } from '../../algorithms/block-wiedemann/run-context.js';
import type { InputMessage } from '../questions/input.js';
import type { Settings } from '../questions/options.js';
import type { Fractions } from '../questions/outcome.js';
import type { Caller } from './caller.js';
import type { DenseRightSides } from './right-sides.js';

/** An algorithm's result, before it becomes an Outcome. */
export interface Found {
  readonly value: number | bigint | Uint32Array | bigint[] | Fractions | null;
  readonly lowerBound: number | null;
  readonly upperBound: number | null;
  readonly errorLog2: number | null;
  readonly reason?: string | undefined;
  readonly method: string;
  /** Over the rationals: the prime of the rank. */
  readonly prime?: number;
  /** The device that the run moves to; absent where it stays. */
  readonly device?: 'cpu' | 'gpu' | 'reference' | undefined;
  readonly explanation?: readonly string[];
  readonly warnings?: readonly string[] | undefined;
  readonly block: readonly [number, number] | null;
  /** What outcomes of this verb have beside those of others. */
  readonly own?: object;
  /** What stays in this thread for further questions. */
  readonly kept?: KeptFactors;
  readonly seconds: Readonly<Record<string, number>>;
}

/** The device of a question. */
export interface Hardware {
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null;
  readonly threads: number;
}

/** Does `work` on the executor that the settings ask for. */
export type RunOn = <T>(
  settings: Settings,
  work: (context: RunContext, hardware: Hardware) => Promise<T>,
) => Promise<T>;

/** An operator in the caller's thread. */
export type Remote = Extract<InputMessage, { kind: 'operator' }>;

/** Factors that stay in this thread between questions. */
export interface KeptFactors {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly mod: bigint;
  /** `context` is null beyond a word. */
  solve(context: RunContext | null, right: DenseRightSides, settings: Settings): Promise<Found>;
  nullspace(context: RunContext | null, settings: Settings, caller: Caller): Promise<Found>;
  free(): void;
}
