/**
 * SMS, the format of the Sparse Integer Matrices Collection: `rows cols LETTER`, then `row column value` lines, 1-based,
 * then `0 0 0`.
 *
 * The letter says how the producer saw the values (M, I integers; R rationals; P like M); LinBox reads triples after
 * any of them, in either case, and takes the end of the file for a missing `0 0 0`: so do we.
 * Source: J.-G. Dumas, Sparse Integer Matrices Collection, "Format".
 */
import type { SparseMatrix } from '../../kernels/sparse-matrix.js';
import { excerpt } from './format-error.js';
import { HeaderFirst, type MatrixFormat, parseSize } from './matrix-parser.js';
import { TripleScanner } from './triple-scanner.js';
import { ValueReader } from './value-reader.js';

const HEADER = /^(\d+)\s+(\d+)\s+([MIRP])$/i;

class SmsParser extends HeaderFirst<TripleScanner> {
  protected header(line: string): TripleScanner {
    const parts = HEADER.exec(line);
    if (parts === null) this.cursor.fail(SMS.header, excerpt(line));
    this.rows = parseSize(parts[1], this.cursor);
    this.cols = parseSize(parts[2], this.cursor);
    const reader = new ValueReader(parts[3].toUpperCase() === 'R' ? 'rational' : 'integral', this.cursor);
    const sizes = { rows: this.rows, cols: this.cols };
    const rules = { ...sizes, reader, comments: '#%', limit: Infinity, terminator: true, below: -Infinity };
    return new TripleScanner(rules, this.list, this.cursor, this.kernels);
  }

  finish(): SparseMatrix {
    return this.list.toMatrix(this.rows, this.cols, 'general');
  }
}

export const SMS: MatrixFormat = {
  name: 'sms',
  header: "'rows cols M'",
  detects: (line) => HEADER.test(line),
  parser: (cursor, kernels) => new SmsParser(cursor, kernels),
};
