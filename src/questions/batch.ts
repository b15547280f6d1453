/**
 * One question about several matrices, modulo one number or several, as it crosses threads: a message for small
 * matrices takes longer than their answers.
 */
import type { SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import type { ErrorMessage } from './error-transport.js';
import type { InputMessage } from './input.js';
import type { Settings } from './options.js';
import type { AnyOutcome, AnyOutcomeData, Verb } from './verbs.js';

export interface BatchItem {
  readonly input: Exclude<InputMessage, { kind: 'factors' }>;
  readonly right: SparseMatrixParts | null; // of solve
}

export interface Batch {
  readonly verb: Verb;
  readonly items: readonly BatchItem[];
  readonly settings: readonly Settings[]; // a modulus each
}

/** About one matrix: an answer for each modulus, or why the matrix is none. */
export type ItemAnswer<Outcome, Failure> =
  | { readonly answers: readonly ModulusAnswer<Outcome, Failure>[] }
  | { readonly error: Failure };

export type ModulusAnswer<Outcome, Failure> = { readonly outcome: Outcome } | { readonly error: Failure };

/** As the engine's thread sends them; `seconds` of the batch. */
export interface BatchAnswer {
  readonly items: readonly ItemAnswer<AnyOutcomeData, ErrorMessage>[];
  readonly seconds: number;
}

/** As the caller's thread has them. */
export type Answers = ItemAnswer<AnyOutcome, Error>;
