/**
 * Bad input, named by file and line; and the cursor that knows both while a file is being read.
 *
 * Messages are one line, `NAME:LINE: expected …, got …`. Line 0 is the file itself, before its first line.
 */
import { excerpt, printableName } from '../../kernels/errors/excerpt.js';
import { ReadLimit } from './read-limit.js';

export { excerpt };

/** Input that is no matrix in a format known here. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly file: string;
  readonly line: number; // 1-based; 0 when the file could not be opened at all

  constructor(file: string, line: number, expected: string, got: string) {
    super(`${printableName(file)}:${line}: expected ${expected}, got ${got}`);
    this.file = file;
    this.line = line;
  }
}

/** The place of a reader: every parser of one file shares it. */
export class Cursor {
  readonly file: string;
  readonly limit: ReadLimit; // of the entries read
  line = 1; // the line being read, 1-based

  constructor(file: string, limit = new ReadLimit()) {
    this.file = file;
    this.limit = limit;
  }

  fail(expected: string, got: string): never {
    throw new FormatError(this.file, this.line, expected, got);
  }
}
