/**
 * What a question may be asked about, and the form in which it reaches the engine's thread.
 *
 * A SparseMatrix travels as the shared arrays it is made of; a path, bytes and a Blob are read over there; a stream is
 * pulled chunk by chunk from the caller's thread, and so is every application of an operator of the caller's own.
 */
import {
  type Entry,
  MAX_SIZE,
  SparseMatrix,
  type SparseMatrixParts,
  type TripletArrays,
} from '../kernels/sparse-matrix.js';
import { OptionError } from './errors.js';
import type { Address, ByteStream, BytesOfBlob } from './web-objects.js';

/** rows × cols with entries [row, column, value], 0-based; repeated positions add up. */
export type Triplets = { readonly rows: number; readonly cols: number } & (
  | TripletArrays
  | { readonly entries: Iterable<readonly [number, number, Entry]> }
);

/**
 * A linear map of the caller's own, mod the question's prime. It is applied in the caller's thread, to `width` columns
 * at a time: x is row-major and canonical, and so must the result be.
 */
export interface CallerOperator {
  readonly rows: number;
  readonly cols: number;
  /** cols × width → rows × width. */
  apply(x: Uint32Array, width: number): Uint32Array | Promise<Uint32Array>;
  /** rows × width → cols × width; rank needs it, minpoly does not. */
  applyTransposed?(x: Uint32Array, width: number): Uint32Array | Promise<Uint32Array>;
}

/** A string is a path. */
export type MatrixSource = string | Address | Uint8Array | BytesOfBlob | ByteStream | AsyncIterable<Uint8Array>;

export type Input = SparseMatrix | Triplets | MatrixSource | CallerOperator;

export type InputMessage =
  | { readonly kind: 'parts'; readonly parts: SparseMatrixParts }
  | { readonly kind: 'triplets'; readonly rows: number; readonly cols: number; readonly arrays: TripletArrays }
  | { readonly kind: 'bytes'; readonly source: string | Uint8Array | BytesOfBlob; readonly name: string }
  | { readonly kind: 'stream'; readonly name: string }
  | { readonly kind: 'operator'; readonly rows: number; readonly cols: number; readonly transposes: boolean };

/** A stream being read; `close` gives it up, wherever it is. */
export interface Chunks {
  next(): Promise<IteratorResult<Uint8Array, unknown>>;
  close(): void;
}

/** An input made ready: the message, and what the caller's thread must go on doing for it. */
export interface PreparedInput {
  readonly message: InputMessage;
  readonly chunks?: Chunks;
  readonly operator?: CallerOperator;
}

export function prepareInput(input: Input, name = typeof input === 'string' ? input : '<input>'): PreparedInput {
  if (input instanceof SparseMatrix) return { message: { kind: 'parts', parts: input.toParts() } };
  if (typeof input === 'string') return { message: { kind: 'bytes', source: input, name } };
  if (input instanceof URL) return prepareInput(pathOf(input));
  if (input instanceof Uint8Array || input instanceof Blob) return { message: { kind: 'bytes', source: input, name } };
  if (typeof input === 'object' && input !== null) {
    if ('getReader' in input) return { message: { kind: 'stream', name }, chunks: webChunks(input) };
    if (Symbol.asyncIterator in input) return { message: { kind: 'stream', name }, chunks: iteratedChunks(input) };
    if ('apply' in input && typeof input.apply === 'function') return prepareOperator(input);
    if ('rowIdx' in input) {
      const { rows, cols, rowIdx, colIdx, values } = input;
      return { message: { kind: 'triplets', rows, cols, arrays: { rowIdx, colIdx, values } } };
    }
    if ('entries' in input) {
      const matrix = SparseMatrix.fromTriplets(input.rows, input.cols, input.entries);
      return { message: { kind: 'parts', parts: matrix.toParts() } };
    }
  }
  throw new OptionError(
    `input: expected a matrix, triplets, a path, bytes, a stream or an operator, got ${typeof input}`,
  );
}

function prepareOperator(operator: CallerOperator): PreparedInput {
  const { rows, cols } = operator;
  for (const size of [rows, cols]) {
    if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) {
      throw new OptionError(`operator: expected sizes in 0…${MAX_SIZE}, got ${rows} x ${cols}`);
    }
  }
  const transposes = typeof operator.applyTransposed === 'function';
  return { message: { kind: 'operator', rows, cols, transposes }, operator };
}

function pathOf(url: Address): string {
  if (url.protocol !== 'file:') throw new OptionError(`input: expected a file URL, got ${url.href}`);
  const path = decodeURIComponent(url.pathname);
  return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
}

/** A web stream by its reader: not every browser can iterate one. */
function webChunks(stream: ByteStream): Chunks {
  const reader = stream.getReader();
  return {
    next: async () => {
      const { done, value } = await reader.read();
      return done ? { done, value } : { done, value };
    },
    close: () => void reader.cancel().catch(() => undefined), // one that failed has told so already
  };
}

/** A stream of Node's is destroyed, as `for await` would: its iterator's own end waits for a read that may never come. */
function iteratedChunks(stream: AsyncIterable<Uint8Array> & { destroy?(): void }): Chunks {
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    close() {
      if (stream.destroy) stream.destroy();
      else iterator.return?.().catch(() => undefined);
    },
  };
}
