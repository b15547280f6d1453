/**
 * Bad input, named by file and line; and the cursor that knows both while a file is being read.
 *
 * Messages are one line, `NAME:LINE: expected …, got …`. Line 0 is the file itself, before its first line.
 */

/** The longest excerpt of the input a message repeats. */
const EXCERPT = 60;

/** Input that is no matrix in a format known here. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
  readonly file: string;
  readonly line: number; // 1-based; 0 when the file could not be opened at all

  constructor(file: string, line: number, expected: string, got: string) {
    super(`${printable(file)}:${line}: expected ${expected}, got ${got}`);
    this.file = file;
    this.line = line;
  }
}

/** Where a reader is: every parser of one file shares it. */
export class Cursor {
  readonly file: string;
  line = 1; // the line being read, 1-based

  constructor(file: string) {
    this.file = file;
  }

  fail(expected: string, got: string): never {
    throw new FormatError(this.file, this.line, expected, got);
  }
}

/** A piece of input fit for a message: short, quoted, on one line, control characters escaped. */
export function excerpt(text: string): string {
  const short = text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text;
  return `'${printable(short)}'`;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e\u00a0-\uffff]/g, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);
}
