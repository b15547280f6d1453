/**
 * The messages between the caller's thread and the engine's thread: plain data only.
 *
 *   caller → engine : one question or batch at a time, replies to the engine's calls, and the wish that it leave its
 *                     GPU
 *   engine → caller : progress, calls (a chunk, an application, a compute thread), and one answer or failure; that it
 *                     takes a GPU, begins to leave it, and has left it; that it loads modules, and has loaded them
 */
import type { SparseMatrixParts } from '../../kernels/sparse/sparse-matrix.js';
import type { TeamWorkerData } from '../../kernels/threads/worker.js';
import type { Batch, BatchAnswer } from './batch.js';
import type { ErrorMessage } from './error-transport.js';
import type { InputMessage } from './input.js';
import type { KernelVectors } from './kernel-vectors.js';
import type { ProgressEvent, Settings } from './options.js';
import type { PackedAnswers, PackedMatrices } from './packed-ranks.js';
import type { AnyOutcomeData, Verb } from './verbs.js';

export interface Question {
  readonly verb: Verb;
  readonly input: InputMessage;
  readonly right: SparseMatrixParts | null; // of solve
  readonly settings: Settings;
  readonly watched: boolean; // its progress has a listener
}

/** The engine's calls to the caller's thread during a question. */
export type Call =
  | { readonly what: 'chunk' } // → the stream's next bytes, null at its end
  | { readonly what: 'apply'; readonly transposed: boolean; readonly x: Uint32Array; readonly width: number }
  | { readonly what: 'vectors'; readonly batch: KernelVectors } // → when they are taken
  | { readonly what: 'tuning'; readonly method: 'get' | 'delete'; readonly key: string } // → the store's text, if any
  | { readonly what: 'tuning'; readonly method: 'set'; readonly key: string; readonly text: string }
  // → of a store of the caller's own: the bytes of an array or null, names as JSON, null
  | { readonly what: 'store'; readonly method: 'read' | 'remove'; readonly name: string }
  | { readonly what: 'store'; readonly method: 'write'; readonly name: string; readonly bytes: Uint8Array }
  | { readonly what: 'store'; readonly method: 'list' }
  | { readonly what: 'stop' } // → bytes where the run is to end at a checkpoint, null where it goes on
  | { readonly what: 'startThread'; readonly data: TeamWorkerData } // → when the compute thread is ready
  | { readonly what: 'endThread'; readonly thread: number };

export type ToEngine =
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'batch'; readonly batch: Batch }
  | { readonly kind: 'packed'; readonly packed: PackedMatrices }
  | { readonly kind: 'leave' }
  | { readonly kind: 'release'; readonly factors: number }
  | { readonly kind: 'reply'; readonly call: number; readonly value: Uint8Array | Uint32Array | null }
  | { readonly kind: 'refusal'; readonly call: number; readonly error: ErrorMessage };

export type FromEngine =
  | { readonly kind: 'progress'; readonly event: ProgressEvent }
  | { readonly kind: 'modules'; readonly state: 'loading' | 'loaded' }
  | { readonly kind: 'gpu'; readonly state: 'taken' | 'leaving' | 'left' }
  | { readonly kind: 'call'; readonly call: number; readonly request: Call }
  | { readonly kind: 'long' } // instead of an answer, where the engine is in the caller's own thread (brief.ts)
  | { readonly kind: 'answer'; readonly answer: AnyOutcomeData | BatchAnswer | PackedAnswers }
  | { readonly kind: 'failure'; readonly error: ErrorMessage };
