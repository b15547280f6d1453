/**
 * Lines of numbers: a line for each row of a matrix, its values between spaces or tabs, integers or fractions a/b.
 *
 * Empty lines and those that begin with # or % are skipped. Right sides of systems are read so, beside SMS and
 * MatrixMarket.
 */
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { EntryList } from './entry-list.js';
import type { Cursor } from './format-error.js';
import type { MatrixFormat, MatrixParser } from './matrix-parser.js';
import { ValueReader } from './value-reader.js';

const [TAB, LF, CR, SPACE, HASH, PERCENT] = [9, 10, 13, 32, 35, 37];

class NumberLinesParser implements MatrixParser {
  #rows = 0;
  #cols = 0; // of the first row, and so of all
  readonly #list: EntryList;
  readonly #cursor: Cursor;
  readonly #reader: ValueReader;

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
    this.#list = new EntryList(cursor);
    this.#reader = new ValueReader('rational', cursor);
  }

  parse(bytes: Uint8Array, from: number, to: number): void {
    for (let k = from; k < to; this.#cursor.line++) {
      k = skipBlanks(bytes, k);
      if (bytes[k] === HASH || bytes[k] === PERCENT) k = bytes.indexOf(LF, k);
      else if (bytes[k] !== LF) k = this.#row(bytes, k);
      k++; // behind the line
    }
  }

  /** Reads the row that begins at bytes[at]; returns the index of its line's end. */
  #row(bytes: Uint8Array, at: number): number {
    const reader = this.#reader;
    let k = at;
    let j = 0;
    for (; bytes[k] !== LF; j++) {
      if (this.#rows > 0 && j === this.#cols) this.#refuse('one more');
      k = reader.read(bytes, k);
      if (reader.wide !== null) this.#list.pushWide(this.#rows, j, reader.wide);
      else if (reader.value !== 0) this.#list.push(this.#rows, j, reader.value);
      k = skipBlanks(bytes, k);
    }
    if (this.#rows === 0) this.#cols = j;
    else if (j < this.#cols) this.#refuse(`${j}`);
    this.#rows++;
    return k;
  }

  #refuse(got: string): never {
    this.#cursor.fail(`${this.#cols} numbers, as in the first row`, got);
  }

  finish(): SparseMatrix {
    return this.#list.toMatrix(this.#rows, this.#cols, 'general');
  }
}

function skipBlanks(bytes: Uint8Array, at: number): number {
  let k = at;
  while (bytes[k] === SPACE || bytes[k] === TAB || bytes[k] === CR) k++;
  return k;
}

export const NUMBER_LINES: MatrixFormat = {
  name: 'lines',
  header: 'a line of numbers',
  detects: (line) => /^[+-]?[.\d]/.test(line),
  parser: (cursor) => new NumberLinesParser(cursor),
};
