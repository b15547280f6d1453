/**
 * The sources of a matrix, and how they are held: a path, a URL, bytes, a Blob, a response, a stream.
 *
 * The call copies bytes, or takes them from the caller for good (`transfer`), so that later writes of the caller change
 * no answer.
 */
import { describe } from '../../kernels/errors/describe.js';
import { nodeModule } from '../../kernels/platform/node-module.js';
import { OptionError } from '../errors.js';
import { bytesOf, readChunks, refuseSource, streamChunks } from './chunks.js';
import { FormatError } from './format-error.js';
import type { Address, ByteStream, BytesOfBlob, FetchedBytes } from './web-objects.js';

/** A source of a matrix; a string is a path (Node only). */
export type ByteSource =
  | string
  | Address
  | Uint8Array
  | ArrayBuffer
  | BytesOfBlob
  | FetchedBytes
  | ByteStream
  | AsyncIterable<Uint8Array>;

/** The same, and constant but for streams. */
export type HeldSource = string | Uint8Array | BytesOfBlob | ByteStream | AsyncIterable<Uint8Array>;

export interface Held {
  readonly source: HeldSource;
  readonly name: string; // for messages, where the caller gives none
}

/** `source` as it is now; null for an object that is none. With `transfer` its bytes are the caller's no longer. */
export function holdSource(source: unknown, transfer = false): Held | null {
  const name = '<input>';
  if (typeof source === 'string') return holdPath(source);
  if (typeof source !== 'object' || source === null) return null;
  const bytes = bytesOf(source);
  if (bytes !== null) return { source: transfer ? takeView(bytes) : copyView(bytes), name };
  if (isUrl(source)) return holdUrl(source);
  if (isResponse(source)) return { source: bodyOf(source), name: source.url || name };
  if (isBlob(source) || isStream(source) || isIterable(source)) return { source, name };
  return null;
}

type View = Uint8Array | Uint32Array | Int32Array | Float64Array;

/** A copy in ordinary memory of its own. `slice` would do, but a Buffer's shares its memory. */
export function copyView<T extends View>(view: T): T {
  try {
    return new (classOf(view))(view) as T;
  } catch {
    throw new OptionError('input: expected an array with its memory, got one that was transferred');
  }
}

/**
 * The view over memory that is the caller's no longer. OptionError where the memory is shared or holds something else
 * too.
 */
export function takeView<T extends View>(view: T): T {
  checkTransferable(view);
  try {
    const taken = structuredClone(view.buffer as ArrayBuffer, { transfer: [view.buffer as ArrayBuffer] });
    return new (classOf(view))(taken) as T;
  } catch {
    throw new OptionError('transfer: expected an array that can be transferred, got one that the platform keeps');
  }
}

/** Throws OptionError for a view whose memory is not all its own. */
export function checkTransferable({ buffer, byteLength }: View): void {
  const isShared = typeof SharedArrayBuffer !== 'undefined' && buffer instanceof SharedArrayBuffer;
  if (isShared || byteLength !== buffer.byteLength)
    throw new OptionError('transfer: expected arrays with a buffer of their own, got one that is shared or larger');
}

/** The platform's own class of a view: a Buffer is a Uint8Array. */
function classOf(view: View): new (from: View | ArrayBuffer) => View {
  const name = Object.prototype.toString.call(view).slice(8, -1);
  return (globalThis as unknown as Record<string, new (from: View | ArrayBuffer) => View>)[name]!;
}

export function isStream(source: object): source is ByteStream {
  return typeof (source as Partial<ByteStream>).getReader === 'function';
}

export function isIterable(source: object): source is AsyncIterable<Uint8Array> {
  return typeof (source as Partial<AsyncIterable<Uint8Array>>)[Symbol.asyncIterator] === 'function';
}

export function isBlob(source: object): source is BytesOfBlob {
  return (
    typeof (source as Partial<BytesOfBlob>).stream === 'function' &&
    typeof (source as { size?: unknown }).size === 'number'
  );
}

function isUrl(source: object): source is Address {
  const { href, protocol } = source as Partial<Address>;
  return typeof href === 'string' && typeof protocol === 'string';
}

function isResponse(source: object): source is FetchedBytes {
  return 'body' in source && 'bodyUsed' in source && typeof (source as Partial<FetchedBytes>).ok === 'boolean';
}

/** No system has a path with a NUL in it, and Node throws where it is opened. */
function holdPath(path: string): Held {
  if (path.includes('\0')) throw new OptionError(`input: expected a path, got ${describe(path)}`);
  return { source: path, name: path };
}

function holdUrl({ href, protocol }: Address): Held {
  if (protocol !== 'file:') return { source: fetchBytes(href), name: href };
  let path: string | null = null;
  try {
    const { host, pathname } = new URL(href);
    if (host === '' || host === 'localhost') path = decodeURIComponent(pathname);
  } catch {
    // The URL has no path that can be read.
  }
  if (path === null) throw new OptionError(`input: expected a file URL of this machine, got ${describe(href)}`);
  return holdPath(/^\/[A-Za-z]:/.test(path) ? path.slice(1) : path);
}

/** Bytes of a source that comes in chunks, packed or not; null where they are not known before. */
export function sizeOf(source: HeldSource): number | null {
  if (typeof source === 'string')
    return nodeModule('node:fs')?.statSync(source, { throwIfNoEntry: false })?.size ?? null;
  return isBlob(source) ? (source as BytesOfBlob & { readonly size: number }).size : null;
}

/** The stream of a Blob. */
export function streamOf(blob: BytesOfBlob): ByteStream {
  const stream: unknown = blob.stream();
  if (typeof stream === 'object' && stream !== null && isStream(stream)) return stream;
  refuseSource('input', 'a Blob with a stream', stream);
}

/** The first chunk asks for it. */
async function* fetchBytes(href: string): AsyncGenerator<Uint8Array> {
  const response: FetchedBytes = await fetch(href).catch((error: Error & { cause?: { code?: string } }) => {
    throw new FormatError(href, 0, 'a URL that can be fetched', error.cause?.code ?? error.message);
  });
  yield* readChunks(streamChunks(bodyOf(response)));
}

/** The body of a response that has one to give. */
function bodyOf({ ok, status, url, body, bodyUsed }: FetchedBytes): ByteStream {
  if (!ok) throw new FormatError(url || '<input>', 0, 'a response with a matrix', `status ${status}`);
  if (bodyUsed) throw new OptionError('input: expected a response that nobody has read, got one whose body is used');
  return body ?? new Blob([]).stream();
}
