/**
 * SMS after SMS in one stream: the bytes of each matrix by itself, its line `0 0 0` included.
 *
 * An entry of a matrix has a row from 1 on, so a line `0 0 0` ends one wherever it stands. What follows the last one
 * is a matrix too, cut off, unless it is blank lines and comments.
 */
import type { HeldSource } from './byte-source.js';
import { plainBytes } from './bytes.js';
import { FormatError } from './format-error.js';

const [NEWLINE, ZERO, SPACE] = [0x0a, 0x30, 0x20];

/** Longer lines of blanks and zeros are data. */
const LONGEST = 64;

const TERMINATOR = /^\s*0\s+0\s+0\s*$/;
const NOTHING = /^\s*([#%].*)?$/;

/** The matrices of `source`, unpacked; FormatError where one has more than `maxBytes` bytes. */
export async function* matricesInARow(
  source: HeldSource,
  name: string,
  maxBytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let lines = 0;
  let first = 1; // line of the matrix that has begun
  let open: Uint8Array[] = []; // of the matrix that has begun
  let size = 0;
  const take = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    open.push(bytes);
    size += bytes.length;
    if (size > maxBytes)
      throw new FormatError(name, first, `matrices of at most ${maxBytes} bytes`, 'a longer one that begins here');
  };
  const close = (): Uint8Array => {
    const whole = join(open, size);
    [open, size, first] = [[], 0, lines + 1];
    return whole;
  };
  let line: Uint8Array = new Uint8Array(0); // of the chunks before, up to here
  for await (const chunk of plainBytes(source, name, () => lines)) {
    let from = 0; // of what `open` has not
    let start = 0; // of the line
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      lines++;
      const isEnd = isTerminator(line, chunk.subarray(start, end));
      line = line.length === 0 ? line : new Uint8Array(0);
      start = end + 1;
      if (!isEnd) continue;
      take(chunk.slice(from, start));
      yield close();
      from = start;
    }
    take(chunk.slice(from));
    if (start < chunk.length) line = startOf(line, chunk.subarray(start));
  }
  const rest = close();
  if (!isEmpty(rest)) yield rest;
}

/** The first bytes of a line, as many as tell it from a terminator. */
function startOf(line: Uint8Array, more: Uint8Array): Uint8Array {
  const room = LONGEST + 1 - line.length;
  return room <= 0 ? line : join([line, more.slice(0, room)], line.length + Math.min(more.length, room));
}

function isTerminator(line: Uint8Array, end: Uint8Array): boolean {
  if (line.length + end.length > LONGEST) return false;
  const [first] = line.length > 0 ? line : end;
  if (first === undefined || (first !== ZERO && first > SPACE)) return false;
  return TERMINATOR.test(text(startOf(line, end)));
}

function isEmpty(bytes: Uint8Array): boolean {
  return text(bytes)
    .split('\n')
    .every((line) => NOTHING.test(line));
}

function text(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const out = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
