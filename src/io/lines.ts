/**
 * Cuts a stream of byte chunks into runs of whole lines, in place: only the line that straddles two chunks is copied.
 *
 * A run ends with '\n' always (the last line of a file gets one), so a parser's digit loops need no end test.
 */
import type { Cursor } from './format-error.js';

/** No line of a matrix file is longer: room for a value of 60 000 digits, an end to input without lines. */
export const LONGEST_LINE = 1 << 16;

const LF = 10;

/** Consumes bytes[from, to): whole lines, the last byte being '\n'. */
export type LineConsumer = (bytes: Uint8Array, from: number, to: number) => void;

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf];

/** The beginning of a text behind a byte-order mark in UTF-8, which editors write; bytes[from, …) ends with '\n'. */
export function behindByteOrderMark(bytes: Uint8Array, from: number): number {
  return BYTE_ORDER_MARK.every((byte, k) => bytes[from + k] === byte) ? from + BYTE_ORDER_MARK.length : from;
}

/** Feeds every line of `chunks` to `consume`, in order. */
export async function feedLines(
  chunks: AsyncIterable<Uint8Array>,
  cursor: Cursor,
  consume: LineConsumer,
): Promise<void> {
  let tail = new Uint8Array(0); // the unfinished line so far
  for await (const chunk of chunks) {
    const last = chunk.lastIndexOf(LF);
    if (last < 0) {
      tail = concat(tail, chunk);
    } else {
      let from = 0;
      if (tail.length > 0) {
        from = chunk.indexOf(LF) + 1;
        const line = concat(tail, chunk.subarray(0, from));
        consume(line, 0, line.length);
      }
      if (from <= last) consume(chunk, from, last + 1);
      tail = chunk.slice(last + 1) as Uint8Array<ArrayBuffer>;
    }
    // A longer line inside a chunk is in memory already, and the value reader has a limit of its own.
    if (tail.length > LONGEST_LINE)
      cursor.fail(`lines below ${LONGEST_LINE} bytes`, 'a longer one: not a matrix file?');
  }
  if (tail.length > 0) {
    const line = concat(tail, Uint8Array.of(LF));
    consume(line, 0, line.length);
  }
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(a.length + b.length);
  out.set(a);
  out.set(b, a.length);
  return out;
}
