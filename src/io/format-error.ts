/**
 * Bad input, named by file and line, or by file and byte; and the cursor that knows both while a file is being read.
 *
 * Messages are one line, `NAME:LINE: expected …, got …`, of binary files `NAME: byte N: expected …, got …`. Line 0 is
 * the file itself, before its first line: `NAME: expected …, got …`.
 */
import { excerpt, printableName } from '../../kernels/errors/excerpt.js';
import { ReadLimit } from './read-limit.js';

export { excerpt };

/** Input that is no matrix in a format known here. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly file: string;
  readonly line: number; // 1-based; 0 when the file could not be opened at all, and of binary files
  readonly byte: number | null; // 0-based, of binary files

  constructor(file: string, line: number, expected: string, got: string, byte: number | null = null) {
    super(`${placeOf(file, line, byte)}: expected ${expected}, got ${got}`);
    this.file = file;
    this.line = line;
    this.byte = byte;
  }
}

function placeOf(file: string, line: number, byte: number | null): string {
  const name = printableName(file);
  if (byte !== null) return `${name}: byte ${byte}`;
  return line === 0 ? name : `${name}:${line}`;
}

/** The place of a reader: every parser of one file shares it. */
export class Cursor {
  readonly file: string;
  readonly limit: ReadLimit; // of the entries read
  line = 1; // the line being read, 1-based; 0 in a binary file
  byte: number | null = null; // the next byte to be read, 0-based, in a binary file
  read = 0; // bytes of a text before the lines being read
  size: number | null = null; // bytes of its source, where that is known

  constructor(file: string, limit = new ReadLimit()) {
    this.file = file;
    this.limit = limit;
  }

  fail(expected: string, got: string): never {
    throw new FormatError(this.file, this.line, expected, got, this.byte);
  }

  /** As in messages. */
  get place(): string {
    return placeOf(this.file, this.line, this.byte);
  }
}
