/**
 * The bytes of a binary file, taken by counts, and the place of the next one.
 *
 * Items are little-endian in every format here, and so are the typed arrays of the machines that JavaScript runs on.
 */
import type { Cursor } from './format-error.js';

/** Items at a time: memory follows the bytes read, never a header's number. */
const BATCH = 1 << 14;

export class ByteReader {
  readonly cursor: Cursor;
  readonly #chunks: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #at = 0; // bytes of #chunk taken

  constructor(chunks: AsyncIterable<Uint8Array>, cursor: Cursor) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.cursor = cursor;
    cursor.line = 0;
    cursor.byte = 0;
  }

  /** Bytes taken. */
  get offset(): number {
    return this.cursor.byte!;
  }

  /** FormatError at `byte`. */
  fail(expected: string, got: string, byte = this.offset): never {
    this.cursor.byte = byte;
    this.cursor.fail(expected, got);
  }

  /** Whether nothing is left. */
  async atEnd(): Promise<boolean> {
    while (this.#at === this.#chunk.length) {
      const { value, done } = await this.#chunks.next();
      if (done) return true;
      this.#chunk = value;
      this.#at = 0;
    }
    return false;
  }

  /** At most `most` bytes, one at least but at the end; they stay as they are until the next call. */
  async some(most: number): Promise<Uint8Array> {
    if (await this.atEnd()) return new Uint8Array(0);
    const piece = this.#chunk.subarray(this.#at, this.#at + most);
    this.#at += piece.length;
    this.cursor.byte! += piece.length;
    return piece;
  }

  /** Exactly `count` bytes of `what`, in an array of their own; FormatError where the file ends before. */
  async take(count: number, what: string): Promise<Uint8Array<ArrayBuffer>> {
    const out = new Uint8Array(count);
    const filled = await this.#fill(out);
    if (filled < count) this.#endsEarly(what);
    return out;
  }

  /** One unsigned number of 16, 32 or 64 bits; of 64 one that a double holds exactly. */
  async number(bytes: 2 | 4 | 8, what: string): Promise<number> {
    const view = new DataView((await this.take(bytes, what)).buffer);
    if (bytes === 2) return view.getUint16(0, true);
    if (bytes === 4) return view.getUint32(0, true);
    const value = view.getBigUint64(0, true);
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) this.fail(`${what} below 2^53`, `${value}`, this.offset - bytes);
    return Number(value);
  }

  /**
   * `count` items of `size` bytes each, or all there are where it is Infinity, in batches, each at the beginning of a
   * buffer of its own; FormatError where the file ends before, or within an item.
   */
  async *items(count: number, size: number, what: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (let left = count; left > 0; left -= BATCH) {
      const batch = new Uint8Array(Math.min(left, BATCH) * size);
      const filled = await this.#fill(batch);
      const ends = filled < batch.length;
      if (ends && (count !== Infinity || filled % size !== 0)) this.#endsEarly(what);
      if (filled > 0) yield batch.subarray(0, filled);
      if (ends) return;
    }
  }

  #endsEarly(what: string): never {
    this.fail(what, 'the end of the file: cut off?');
  }

  async #fill(out: Uint8Array): Promise<number> {
    let filled = 0;
    while (filled < out.length) {
      const piece = await this.some(out.length - filled);
      if (piece.length === 0) break;
      out.set(piece, filled);
      filled += piece.length;
    }
    return filled;
  }
}
