/**
 * The body of a coordinate file: one entry `row column value` a line, 1-based, as a state machine over bytes.
 *
 * Blank lines and lines that begin with a comment sign pass. A kernel reads plain lines where there are many; one loop
 * over a run of lines reads the others here. A wrong line is read a second time, as text, for its error.
 */
import type { PlainLines, TripleKernel } from '../../kernels/sparse/scan-triples.js';
import type { EntryList } from './entry-list.js';
import { type Cursor, excerpt } from './format-error.js';
import type { LineReaders } from './line-pieces.js';
import { textOf, type ValueReader } from './value-reader.js';

const [TAB, LF, CR, SPACE, ZERO, NINE] = [9, 10, 13, 32, 48, 57];

/** Bytes from which on a kernel reads: fewer, as the line between two chunks, are read sooner than copied. */
const WORTH_A_KERNEL = 1 << 10;

/** Lines read here behind one that the kernel leaves; twice as many each time that another one follows soon. */
const RUN = 16;
const LONGEST_RUN = 1 << 16;

/** The reader of plain lines, once the file is large enough for it. */
export interface ReadingKernels {
  triples: TripleKernel | null;
}

export interface TripleRules {
  readonly rows: number;
  readonly cols: number;
  readonly reader: ValueReader | null; // null: no values in the file, every entry is 1
  readonly comments: string; // each of its characters begins a comment line
  readonly limit: number; // entries announced; Infinity when the file announces none
  readonly terminator: boolean; // whether `0 0 0` ends the entries
  readonly below: number; // least row − column: 0 where a triangle is stored, 1 without its diagonal, else −Infinity
}

export class TripleScanner {
  #ended = false; // the terminator has been read
  #run = RUN;
  readonly #rules: TripleRules;
  readonly #list: EntryList;
  readonly #cursor: Cursor;
  readonly #kernels: ReadingKernels;

  constructor(rules: TripleRules, list: EntryList, cursor: Cursor, kernels: ReadingKernels) {
    this.#rules = rules;
    this.#list = list;
    this.#cursor = cursor;
    this.#kernels = kernels;
  }

  /** Whether the terminator has been read. */
  get hasEnded(): boolean {
    return this.#ended;
  }

  /** Consumes whole lines bytes[from, to); the last byte is '\n', which stops every inner loop. */
  parse(bytes: Uint8Array, from: number, to: number): void {
    const { triples } = this.#kernels;
    let at = from;
    while (triples !== null && to - at >= WORTH_A_KERNEL && !this.#ended) {
      const end = this.#piece(triples, bytes, at, to);
      at = end > at ? end : this.#lines(bytes, at, to, 1);
    }
    this.#lines(bytes, at, to, Infinity);
  }

  /** As MatrixBody. */
  async parseAhead(readers: LineReaders, from: number): Promise<number | null> {
    const places = this.#ended || this.#kernels.triples === null ? null : this.#list.placesAhead();
    if (places === null) return null;
    const most = Math.min(this.#rules.limit - this.#list.length, places.values.length - places.first);
    const read = await readers.read(this.#plain, places, most, from);
    if (read === null) return null;
    this.#list.advance(read.entries);
    this.#cursor.line += read.entries;
    this.#cursor.read += read.end - from;
    return read.end;
  }

  /** The lines that the kernel reads. */
  get #plain(): PlainLines {
    const { rows, cols, reader, below } = this.#rules;
    return { rows, cols, valued: reader !== null, below };
  }

  /**
   * Consumes a piece of whole lines; returns where the rest begins, `from` where the first line is longer than a piece.
   */
  #piece(triples: TripleKernel, bytes: Uint8Array, from: number, to: number): number {
    const { limit } = this.#rules;
    const plain = this.#plain;
    const end = from + triples.load(bytes, from, to);
    for (let at = from; at < end; ) {
      const room = limit - this.#list.length;
      if (this.#ended || room <= 0) return this.#lines(bytes, at, end, Infinity);
      const read = triples.read(at - from, plain, room);
      this.#list.append(read.rowIdx, read.colIdx, read.values);
      this.#cursor.line += read.values.length;
      at = from + read.end;
      if (at === end) break;
      // Some files have no line that the kernel reads.
      this.#run = read.values.length >= this.#run ? RUN : Math.min(2 * this.#run, LONGEST_RUN);
      at = this.#lines(bytes, at, end, this.#run);
    }
    return end;
  }

  /** Consumes `most` lines of bytes[from, to), or all there are; returns where the rest begins. */
  #lines(bytes: Uint8Array, from: number, to: number, most: number): number {
    const { rows, cols, reader, below } = this.#rules;
    const list = this.#list;
    const cursor = this.#cursor;
    let k = from;
    for (let line = 0; k < to && line < most; line++) {
      const start = k;
      let c = bytes[k];
      while (c === SPACE || c === TAB || c === CR) c = bytes[++k];
      if (c === LF) {
        k++;
        cursor.line++;
        continue;
      }
      if (c < ZERO || c > NINE || this.#ended) {
        k = this.#unusual(bytes, start, k);
        continue;
      }
      let i = 0;
      while (c >= ZERO && c <= NINE) {
        i = i * 10 + (c - ZERO);
        c = bytes[++k];
      }
      if (c !== SPACE && c !== TAB) this.#refuse(bytes, start);
      while (c === SPACE || c === TAB) c = bytes[++k];
      if (c < ZERO || c > NINE) this.#refuse(bytes, start);
      let j = 0;
      while (c >= ZERO && c <= NINE) {
        j = j * 10 + (c - ZERO);
        c = bytes[++k];
      }
      let value = 1;
      if (reader !== null) {
        if (c !== SPACE && c !== TAB) this.#refuse(bytes, start);
        while (c === SPACE || c === TAB) c = bytes[++k];
        k = reader.read(bytes, k);
        c = bytes[k];
        value = reader.value;
      }
      while (c === SPACE || c === TAB || c === CR) c = bytes[++k];
      if (c !== LF) this.#refuse(bytes, start);
      k++;
      if (i < 1 || i > rows || j < 1 || j > cols) this.#outside(i, j, value);
      else if (list.length === this.#rules.limit) cursor.fail(`${this.#rules.limit} entries`, 'one more');
      else if (i - j < below && (i < j || value !== 0 || reader?.wide)) this.#above(i, j);
      else if (reader !== null && reader.wide !== null) list.pushWide(i - 1, j - 1, reader.wide);
      else list.push(i - 1, j - 1, value);
      cursor.line++;
    }
    return k;
  }

  /** A line that begins with no digit, or comes behind the terminator: passes when it is a comment. */
  #unusual(bytes: Uint8Array, start: number, at: number): number {
    if (!this.#rules.comments.includes(String.fromCharCode(bytes[at]))) this.#refuse(bytes, start);
    this.#cursor.line++;
    return bytes.indexOf(LF, at) + 1;
  }

  /** An index outside the matrix: an error, unless the line is the terminator. */
  #outside(i: number, j: number, value: number): void {
    const { rows, cols, reader, terminator } = this.#rules;
    if (terminator && i === 0 && j === 0 && value === 0 && (reader === null || reader.wide === null)) {
      this.#ended = true;
      return;
    }
    if (i < 1 || i > rows) this.#cursor.fail(`a row in 1…${rows}`, String(i));
    this.#cursor.fail(`a column in 1…${cols}`, String(j));
  }

  /**
   * A stored entry whose place is the image of another one's, or the diagonal of a skew-symmetric matrix, which is 0.
   */
  #above(i: number, j: number): never {
    if (i === j) this.#cursor.fail('no entry on the diagonal', `one in row ${i}`);
    const [where, symmetry] = this.#rules.below === 0 ? ['on and below', 'symmetric'] : ['below', 'skew-symmetric'];
    this.#cursor.fail(`entries ${where} the diagonal, as the matrix is ${symmetry}`, `one at (${i}, ${j})`);
  }

  #refuse(bytes: Uint8Array, start: number): never {
    const line = textOf(bytes, start, bytes.indexOf(LF, start)).trim();
    const expected = this.#ended
      ? "nothing behind '0 0 0'"
      : this.#rules.reader === null
        ? "'row column'"
        : "'row column value'";
    this.#cursor.fail(expected, excerpt(line));
  }
}
