/**
 * SMS, the format of the Sparse Integer Matrices Collection: `rows cols LETTER`, then `row column value` lines,
 * 1-based, then `0 0 0`.
 *
 * The letter says how the producer saw the values (M, I integers; R rationals; P like M); LinBox reads triples after
 * any of them, in either case, and so do we. A file with entries and without `0 0 0` is taken for cut off, unless the
 * caller says that it is meant so.
 * Source: J.-G. Dumas, Sparse Integer Matrices Collection, "Format".
 */
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Cursor } from './format-error.js';
import { excerpt } from './format-error.js';
import { HeaderFirst, type MatrixFormat, type ParserRules, parseSize } from './matrix-parser.js';
import { type ReadingKernels, TripleScanner } from './triple-scanner.js';
import { ValueReader } from './value-reader.js';

const HEADER = /^(\d+)\s+(\d+)\s+([MIRP])$/i;

class SmsParser extends HeaderFirst<TripleScanner> {
  readonly #unterminated: boolean;

  constructor(cursor: Cursor, kernels: ReadingKernels, rules: ParserRules) {
    super(cursor, kernels, rules);
    this.#unterminated = rules.unterminated ?? false;
  }

  protected header(line: string): TripleScanner {
    const parts = HEADER.exec(line);
    if (parts === null) this.cursor.fail(SMS.header, excerpt(line));
    this.rows = parseSize(parts[1], this.cursor);
    this.cols = parseSize(parts[2], this.cursor);
    this.list.begin(this.rows, this.cols, 'general');
    const reader = new ValueReader(parts[3].toUpperCase() === 'R' ? 'rational' : 'integral', this.cursor);
    const sizes = { rows: this.rows, cols: this.cols };
    const rules = { ...sizes, reader, comments: '#%', limit: Infinity, terminator: true, below: -Infinity };
    return new TripleScanner(rules, this.list, this.cursor, this.kernels);
  }

  finish(): SparseMatrix {
    if (this.list.length > 0 && !this.body?.hasEnded && !this.#unterminated) {
      this.cursor.fail(
        "'0 0 0' behind the entries",
        'the end of the file: ends without 0 0 0: cut off? (--unterminated, in the library unterminated: true, if it is meant)',
      );
    }
    return this.list.toMatrix(this.rows, this.cols, 'general');
  }
}

export const SMS: MatrixFormat = {
  name: 'sms',
  header: "'rows cols M'",
  detects: (line) => HEADER.test(line),
  parser: (cursor, kernels, rules) => new SmsParser(cursor, kernels, rules),
};
