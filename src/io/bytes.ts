/**
 * Bytes of any source: a path, an array, a stream, a Blob; unpacked when they begin as gzip or zstd does.
 *
 * Node's modules are asked of `process` at run time, so that a browser or a bundler that loads this file finds no
 * import it cannot resolve; elsewhere DecompressionStream does the gunzipping. No
 * browser has zstd, and no Node 20, so a library unpacks it.
 */

import { nodeModule } from '../../kernels/platform/node-module.js';
import { ByteReader } from './byte-reader.js';
import { type HeldSource, isBlob, isStream, streamOf } from './byte-source.js';
import { iterateChunks, readChunks, streamChunks } from './chunks.js';
import { fileReader } from './file-bytes.js';
import { Cursor, FormatError } from './format-error.js';
import { peek } from './peek.js';

const GZIP = [0x1f, 0x8b];
const ZSTD = [0x28, 0xb5, 0x2f, 0xfd];

/** What is found in place of a readable file, by the system's errors. */
const GOT: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  ENOTDIR: 'no such folder',
  EISDIR: 'a directory',
  EACCES: 'one that may not be read',
};

/** Unpacked bytes at a time: zlib is called on a thread of its own for each. */
const UNPACKED = 1 << 20;

/**
 * The bytes of `source`, unpacked; a chunk stays as it is until the next one is asked for. Problems of the source
 * itself become FormatErrors that name it and a line.
 */
export async function* plainBytes(source: HeldSource, name: string, line: () => number): AsyncGenerator<Uint8Array> {
  const { head, bytes } = await peek(rawBytes(source, name), ZSTD.length);
  if (startsWith(head, ZSTD)) {
    const { unzstd } = await import('./zstd.js');
    try {
      yield* unzstd(new ByteReader(bytes, new Cursor(name)));
    } finally {
      bytes.return(undefined).catch(() => undefined);
    }
    return;
  }
  if (!startsWith(head, GZIP)) {
    yield* bytes;
    return;
  }
  try {
    yield* gunzip(bytes);
  } catch (error) {
    // zlib's errors carry codes Z_…, DecompressionStream throws TypeErrors; others are the source's own.
    const damaged = error instanceof TypeError || String((error as { code?: unknown })?.code).startsWith('Z_');
    if (!damaged) throw error;
    throw new FormatError(name, line(), 'a whole gzip file', `'${(error as Error).message}'`);
  }
}

/** Whether a source that begins with these bytes is one that is unpacked before it is read. */
export function isPacked(head: Uint8Array): boolean {
  return startsWith(head, GZIP) || startsWith(head, ZSTD);
}

export function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, k) => bytes[k] === byte);
}

/** The bytes of `source` as they are; `signal` gives up a path that leads to a pipe, wherever that is. */
export async function* rawBytes(source: HeldSource, name: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    if (typeof source === 'string') {
      const read = fileReader();
      if (read === undefined) throw new FormatError(name, 0, 'bytes, a stream or a Blob outside Node', 'a path');
      yield* read(source, signal);
    } else if (source instanceof Uint8Array) yield source;
    else if (isBlob(source)) yield* readChunks(streamChunks(streamOf(source)));
    else if (isStream(source)) yield* readChunks(streamChunks(source));
    else yield* readChunks(iterateChunks(source));
  } catch (error) {
    // The system's errors about a file or a pipe are about the input; others are the caller's stream's.
    if (!(error instanceof Error && 'syscall' in error && 'code' in error)) throw error;
    const got = GOT[String(error.code)] ?? String(error.code);
    throw new FormatError(name, 0, 'a readable file', got);
  }
}

/**
 * Packed bytes on their way to zlib, which stops silently at a zero byte behind a member: this class checks the bytes
 * behind it.
 */
class Packed {
  readonly #chunks: AsyncGenerator<Uint8Array>;
  #ahead: Uint8Array[] = []; // bytes that zlib has not reported as read, the last `#bytes` of all it has got
  #bytes = 0;
  #given = 0;

  constructor(chunks: AsyncGenerator<Uint8Array>) {
    this.#chunks = chunks;
  }

  /** Copies of the chunks, for a reader that takes several of them at a time; `read()` : how many bytes it has read. */
  async *feed(read: () => number): AsyncGenerator<Uint8Array> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      if (done) return;
      const chunk = value.slice();
      this.#given += chunk.length;
      this.#bytes += chunk.length;
      this.#ahead.push(chunk);
      while (this.#ahead.length > 0 && this.#given - this.#bytes + this.#ahead[0]!.length <= read())
        this.#bytes -= this.#ahead.shift()!.length;
      yield chunk;
    }
  }

  /** Throws unless everything behind the first `read` bytes is 0, as what fills up a block. */
  async checkPadding(read: number): Promise<void> {
    for (;;) {
      const { value, done } = await this.#chunks.next();
      // The bytes given during the wait come first.
      let at = this.#given - this.#bytes;
      for (const chunk of this.#ahead) {
        checkZeros(chunk.subarray(Math.max(0, read - at)));
        at += chunk.length;
      }
      if (done) return;
      checkZeros(value);
    }
  }
}

function checkZeros(bytes: Uint8Array): void {
  if (bytes.some((byte) => byte !== 0)) throw Object.assign(new Error('more behind its end'), { code: 'Z_MORE' });
}

async function* gunzip(bytes: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const [zlib, stream] = [nodeModule('node:zlib'), nodeModule('node:stream')];
  if (zlib !== undefined && stream !== undefined) {
    // pipeline hands errors of either side to the reader and destroys both when the reader stops early.
    const gunzip = zlib.createGunzip({ chunkSize: UNPACKED });
    const packed = new Packed(bytes);
    const given = packed.feed(() => gunzip.bytesWritten);
    stream.pipeline(stream.Readable.from(given, { objectMode: false }), gunzip, () => undefined);
    try {
      yield* gunzip as AsyncIterable<Uint8Array>;
      await packed.checkPadding(gunzip.bytesWritten);
    } finally {
      // No await here: a source may stand still.
      bytes.return(undefined).catch(() => undefined);
    }
    return;
  }
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = await bytes.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    async cancel() {
      await bytes.return(undefined);
    },
  });
  yield* readChunks(streamChunks(packed.pipeThrough(new DecompressionStream('gzip'))));
}
