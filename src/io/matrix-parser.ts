/**
 * A file format for the reader: a test of its first line, and a parser that takes whole lines.
 *
 * A new format is one file that exports a MatrixFormat, and one line in formats.ts.
 */
import { MAX_SIZE } from '../../kernels/errors/structure-error.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EntryList, type EntrySink } from './entry-list.js';
import { type Cursor, excerpt } from './format-error.js';
import type { LineReaders } from './line-pieces.js';
import type { ReadingKernels } from './triple-scanner.js';
import { textOf } from './value-reader.js';

export interface MatrixFormat {
  readonly name: string;
  readonly header: string; // what the first line looks like, for messages
  /** Whether a file whose first line, comments and blank lines skipped, is `line` is of this format. */
  detects(line: string): boolean;
  /** A parser of the file from that line on. */
  parser(cursor: Cursor, kernels: ReadingKernels, rules: ParserRules): MatrixParser;
}

/** The caller's options. */
export interface ParserRules {
  /** A file may end without the sign of its end, where its format has one. */
  readonly unterminated?: boolean | undefined;
  /** Who takes the entries; the matrix is then without them. */
  readonly sink?: EntrySink | undefined;
  /** Who takes them where memory does not hold them; the matrix is then without them. */
  readonly spill?: EntrySink | undefined;
}

export type Layout = 'coordinate' | 'array';

export interface MatrixParser {
  /** How the file arranges its values, where its format has several ways; known with the header. */
  readonly layout?: Layout | undefined;
  /** Consumes whole lines bytes[from, to); the last byte is '\n'. Keeps cursor.line at the line being read. */
  parse(bytes: Uint8Array, from: number, to: number): void;
  /**
   * Has threads consume lines from byte `from` of the file on, all before it being consumed; where the rest begins, or
   * null where they have not.
   */
  parseAhead?(readers: LineReaders, from: number): Promise<number | null>;
  /** The matrix, when the file has ended; FormatError if it ended too soon. */
  finish(): SparseMatrix;
}

/** The reader of the lines behind the header. */
export interface MatrixBody {
  parse(bytes: Uint8Array, from: number, to: number): void;
  /** As MatrixParser, of a body that threads can read. */
  parseAhead?(readers: LineReaders, from: number): Promise<number | null>;
}

/** A parser of a header, line by line as text, and then of a body, in bytes. */
export abstract class HeaderFirst<Body extends MatrixBody> implements MatrixParser {
  protected rows = 0;
  protected cols = 0;
  protected body: Body | null = null; // null until the header is complete
  protected readonly list: EntryList;
  protected readonly cursor: Cursor;
  protected readonly kernels: ReadingKernels;

  constructor(cursor: Cursor, kernels: ReadingKernels, { sink, spill }: ParserRules) {
    this.cursor = cursor;
    this.list = new EntryList(cursor, sink, spill);
    this.kernels = kernels;
  }

  parse(bytes: Uint8Array, from: number, to: number): void {
    let at = from;
    if (this.body === null) {
      at = takeLines(bytes, from, to, this.cursor, (line) => {
        if (this.body !== null) return false;
        this.body = this.header(line);
        return true;
      });
    }
    this.body?.parse(bytes, at, to);
  }

  async parseAhead(readers: LineReaders, from: number): Promise<number | null> {
    return (await this.body?.parseAhead?.(readers, from)) ?? null;
  }

  /** Takes a line of the header; the body, when it was the last one. Sets rows and cols and begins the list by then. */
  protected abstract header(line: string): Body | null;

  abstract finish(): SparseMatrix;
}

/** Header lines are short: of a longer line only its beginning is shown to `take`. */
const LONGEST_HEADER = 4096;

/** Cuts lines off bytes[from, to) for as long as `take` wants them; returns where the rest begins. */
export function takeLines(
  bytes: Uint8Array,
  from: number,
  to: number,
  cursor: Cursor,
  take: (line: string) => boolean,
): number {
  let at = from;
  while (at < to) {
    const end = bytes.indexOf(10, at);
    if (!take(textOf(bytes, at, Math.min(end, at + LONGEST_HEADER)).trim())) return at;
    cursor.line++;
    at = end + 1;
  }
  return to;
}

/** A size out of a header: digits, below 2³¹. */
export function parseSize(text: string, cursor: Cursor): number {
  return numberUpTo(MAX_SIZE, 'sizes', text, cursor);
}

/** A number of entries, which may be beyond 2³². */
export function parseCount(text: string, cursor: Cursor): number {
  return numberUpTo(Number.MAX_SAFE_INTEGER, 'a number of entries', text, cursor);
}

function numberUpTo(most: number, what: string, text: string, cursor: Cursor): number {
  const size = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(size <= most)) cursor.fail(`${what} in 0…${most}`, excerpt(text));
  return size;
}
