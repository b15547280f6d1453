/**
 * The chunks of a stream that a caller hands in, one at a time: a web stream by its reader, since not every browser can
 * iterate one, and anything else by its asynchronous iterator.
 */
import { describe } from '../../kernels/errors/describe.js';
import { OptionError } from '../errors.js';
import type { ByteStream, ByteStreamReader } from './web-objects.js';

/** A stream under way; `close` gives it up, wherever it is, and never fails. */
export interface Chunks {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  close(): Promise<void>;
}

/**
 * A stream of Node's is destroyed, as `for await` would: its iterator's own end waits for a read that may never come.
 */
interface NodeStream {
  destroy?(): void;
  on?(event: 'error', listener: () => void): void;
}

export function streamChunks(stream: ByteStream): Chunks {
  const reader = readerOf(stream);
  return {
    next: () => reader.read(),
    async close() {
      await reader.cancel().catch(() => undefined); // a failed stream reports its own error
      reader.releaseLock();
    },
  };
}

export function iterateChunks(source: AsyncIterable<Uint8Array> & NodeStream): Chunks {
  const iterator = iteratorOf(source);
  source.on?.('error', () => undefined); // `next` throws it; Node would end the program before
  return {
    next: () => iterator.next(),
    async close() {
      if (source.destroy) source.destroy();
      else await Promise.resolve(iterator.return?.()).catch(() => undefined);
    },
  };
}

/** All chunks, as bytes; leaving the loop closes the stream. */
export async function* readChunks(chunks: Chunks): AsyncGenerator<Uint8Array> {
  try {
    for (;;) {
      const chunk = chunkOf(await chunks.next());
      if (chunk === null) return;
      yield chunk;
    }
  } finally {
    await chunks.close();
  }
}

/** The bytes of a step of a stream, null at its end. */
export function chunkOf(step: unknown): Uint8Array | null {
  if (typeof step !== 'object' || step === null) refuseSource('input', 'a stream of chunks', step);
  const { done, value } = step as IteratorResult<unknown>;
  if (done) return null;
  const bytes = typeof value === 'object' && value !== null ? bytesOf(value) : null;
  if (bytes === null) refuseSource('input', 'a stream of Uint8Array chunks', value);
  return bytes;
}

/** The bytes of `source` themselves; null where it is no array of bytes. Other realms' arrays count. */
export function bytesOf(source: object): Uint8Array | null {
  const kind = Object.prototype.toString.call(source);
  if (ArrayBuffer.isView(source)) return kind === '[object Uint8Array]' ? (source as Uint8Array) : null;
  const isBuffer = kind === '[object ArrayBuffer]' || kind === '[object SharedArrayBuffer]';
  return isBuffer ? new Uint8Array(source as ArrayBuffer) : null;
}

/** The reader of a stream that nobody reads. */
function readerOf(stream: ByteStream): ByteStreamReader {
  let reader: Partial<ByteStreamReader> | undefined;
  let got: unknown = stream;
  try {
    reader = stream.getReader();
  } catch (error) {
    got = (error as Error).message;
  }
  const known = [reader?.read, reader?.cancel, reader?.releaseLock].every((f) => typeof f === 'function');
  if (!known) refuseSource('input', 'a stream that can be read', got);
  return reader as ByteStreamReader;
}

/** The iterator of an object that claims one. */
function iteratorOf(source: AsyncIterable<Uint8Array>): AsyncIterator<Uint8Array> {
  const iterator: unknown = source[Symbol.asyncIterator]();
  if (typeof (iterator as AsyncIterator<Uint8Array> | null)?.next === 'function')
    return iterator as AsyncIterator<Uint8Array>;
  refuseSource('input', 'a stream that can be iterated', iterator);
}

/** `source` was no source: throws OptionError in the name of `who`. */
export function refuseSource(who: string, expected: string, source: unknown): never {
  throw new OptionError(`${who}: expected ${expected}, got ${describe(source)}`);
}
