/**
 * The inputs of a question, and the form in which they reach the engine's thread.
 *
 * The matrix is the one of the call: arrays and bytes are copied when the question is asked, or, with `transfer`, taken
 * from the caller for good. A path and a Blob are read over there; a stream is pulled chunk by chunk from the caller's
 * thread, and so is every application of an operator of the caller's own.
 */
import { describe } from '../../kernels/errors/describe.js';
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { Entry } from '../../kernels/sparse/big-entries.js';
import { SparseMatrix, type SparseMatrixParts, type TripletArrays } from '../../kernels/sparse/sparse-matrix.js';
import { OptionError } from '../errors.js';
import {
  type ByteSource,
  checkTransferable,
  copyView,
  type Held,
  holdSource,
  isBlob,
  isIterable,
  isStream,
  streamOf,
  takeView,
} from '../io/byte-source.js';
import { rawBytes } from '../io/bytes.js';
import { type Chunks, iterateChunks, refuseSource, streamChunks } from '../io/chunks.js';
import type { BytesOfBlob } from '../io/web-objects.js';

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
export type MatrixSource = ByteSource;

/** A SparseMatrix, or its parts: a structured clone of one, one of another copy of this package. */
export type Input = SparseMatrix | SparseMatrixParts | Triplets | MatrixSource | CallerOperator;

export type InputMessage =
  | { readonly kind: 'parts'; readonly parts: SparseMatrixParts }
  | { readonly kind: 'triplets'; readonly rows: number; readonly cols: number; readonly arrays: TripletArrays }
  | { readonly kind: 'bytes'; readonly source: string | Uint8Array | BytesOfBlob; readonly name: string }
  | { readonly kind: 'stream'; readonly name: string }
  | { readonly kind: 'factors'; readonly number: number } // of a matrix before
  | { readonly kind: 'operator'; readonly rows: number; readonly cols: number; readonly transposes: boolean };

/** An input made ready: the message, and the caller's thread's further work for it. */
export interface PreparedInput {
  readonly message: InputMessage;
  readonly chunks?: Chunks;
  readonly operator?: CallerOperator;
}

export interface Preparing {
  readonly name?: string | undefined; // the input's name in messages
  readonly transfer?: boolean;
}

const INPUTS = 'a matrix, triplets, a path, a URL, bytes, a Blob, a response, a stream or an operator';

/** Throws OptionError for what is no input; StructureError and EntryError for a matrix that is none. */
export function prepareInput(input: Input, { name, transfer = false }: Preparing = {}): PreparedInput {
  if (input instanceof SparseMatrix) return { message: { kind: 'parts', parts: ownParts(input, transfer) } };
  const held = holdSource(input, transfer);
  if (held !== null) return prepareSource(held, name ?? held.name);
  if (typeof input === 'object' && input !== null) {
    const object = input as object;
    if ('apply' in object && typeof object.apply === 'function') return prepareOperator(object as CallerOperator);
    // Parts first: another copy's SparseMatrix has `entries`, too, as a method.
    if ('wide' in object)
      return { message: { kind: 'parts', parts: SparseMatrix.fromParts(object as SparseMatrixParts).toParts() } };
    if ('rowIdx' in object && 'entries' in object)
      throw new OptionError('input: expected either entries or rowIdx, colIdx and values, got both');
    if ('rowIdx' in object) return prepareTriplets(object as Triplets & TripletArrays, transfer);
    if ('entries' in object) {
      const { rows, cols, entries } = object as { rows: number; cols: number; entries: never[] };
      return { message: { kind: 'parts', parts: SparseMatrix.fromTriplets(rows, cols, entries).toParts() } };
    }
  }
  refuseSource('input', INPUTS, input);
}

/** The parts of a matrix as they are now: its arrays are public, and shared with the engine's thread. */
function ownParts(matrix: SparseMatrix, transfer: boolean): SparseMatrixParts {
  const { rowIdx, colIdx, values, ...parts } = matrix.toParts();
  if (transfer) return { ...parts, rowIdx, colIdx, values };
  const wide = { positions: [...parts.wide.positions], entries: parts.wide.entries.map((value) => ({ ...value })) };
  return { ...parts, wide, rowIdx: copyView(rowIdx), colIdx: copyView(colIdx), values: copyView(values) };
}

/** Numbers in typed arrays are checked over there, as a matrix is made of them; of anything else one is made here. */
function prepareTriplets(input: Triplets & TripletArrays, transfer: boolean): PreparedInput {
  const { rows, cols, rowIdx, colIdx, values } = input;
  if (![rowIdx, colIdx, values].every(isNumbers)) {
    return {
      message: { kind: 'parts', parts: SparseMatrix.fromTriplets(rows, cols, { rowIdx, colIdx, values }).toParts() },
    };
  }
  const views = [rowIdx, colIdx, values] as unknown as Uint32Array[];
  if (transfer) {
    views.forEach(checkTransferable);
    if (new Set(views.map(({ buffer }) => buffer)).size < views.length)
      throw new OptionError('transfer: expected arrays with a buffer of their own, got one in two places');
  }
  const hold = <T>(array: T): T => (transfer ? takeView(array as Uint32Array) : copyView(array as Uint32Array)) as T;
  const arrays = { rowIdx: hold(rowIdx), colIdx: hold(colIdx), values: hold(values) };
  return { message: { kind: 'triplets', rows, cols, arrays } };
}

function isNumbers(array: unknown): boolean {
  return ArrayBuffer.isView(array) && Object.prototype.toString.call(array) !== '[object DataView]';
}

function prepareSource({ source: held }: Held, name: string): PreparedInput {
  if (typeof held === 'string') return preparePath(held, name);
  // A Blob of the platform's own can be sent; an object like one is read here.
  const isForeign = typeof held === 'object' && isBlob(held) && !(held instanceof Blob);
  const source = isForeign ? streamOf(held) : held;
  if (typeof source === 'object' && isStream(source))
    return { message: { kind: 'stream', name }, chunks: streamChunks(source) };
  if (typeof source === 'object' && isIterable(source))
    return { message: { kind: 'stream', name }, chunks: iterateChunks(source) };
  return { message: { kind: 'bytes', source: source as string | Uint8Array | Blob, name } };
}

/** The engine's thread reads a file by itself; the caller's thread reads a pipe, which may have to wait. */
function preparePath(path: string, name: string): PreparedInput {
  const ending = new AbortController();
  const bytes = rawBytes(path, name, ending.signal);
  const close = async (): Promise<void> => {
    ending.abort();
    await bytes.return(undefined).catch(() => undefined); // the end of an aborted read
  };
  return { message: { kind: 'bytes', source: path, name }, chunks: { next: () => bytes.next(), close } };
}

function prepareOperator(operator: CallerOperator): PreparedInput {
  const { rows, cols } = operator;
  for (const size of [rows, cols]) {
    if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) {
      throw new OptionError(`operator: expected sizes in 0…${MAX_SIZE}, got ${describe(rows)} x ${describe(cols)}`);
    }
  }
  const transposes = typeof operator.applyTransposed === 'function';
  return { message: { kind: 'operator', rows, cols, transposes }, operator };
}
