/**
 * What passes between the parts of the engine's thread: an answer that is found, what it is found on, and an operator
 * elsewhere.
 */
import type { InputMessage } from '../questions/input.js';

/** What an algorithm finds, before it becomes an Outcome. */
export interface Found {
  readonly value: number | bigint | Uint32Array | bigint[] | null;
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
  readonly block: readonly [number, number] | null;
  readonly seconds: Readonly<Record<string, number>>;
}

/** What a question runs on. */
export interface Hardware {
  readonly device: 'cpu' | 'gpu' | 'reference';
  readonly adapter: string | null;
  readonly threads: number;
}

/** An operator in the caller's thread. */
export type Remote = Extract<InputMessage, { kind: 'operator' }>;
