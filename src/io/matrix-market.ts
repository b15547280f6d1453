/**
 * MatrixMarket: a banner `%%MatrixMarket matrix coordinate|array FIELD SYMMETRY`, comments, sizes, entries.
 *
 *   coordinate   rows cols entries, then `row column value` lines (`row column` for pattern), 1-based; of a symmetric
 *                matrix those on and below the diagonal, of a skew-symmetric one those below it
 *   array        rows cols, then the values by columns; of a symmetric matrix only those on and below the diagonal,
 *                of a skew-symmetric one only those below it
 *
 * Fields integer, real (the values must be integers), pattern; symmetries general, symmetric, skew-symmetric.
 * Source: Boisvert, Pozo, Remington, "The Matrix Market Exchange Formats", NISTIR 5935, 1996.
 */
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { ArrayScanner } from './array-scanner.js';
import type { Symmetry } from './entry-list.js';
import { type Cursor, excerpt } from './format-error.js';
import { HeaderFirst, type Layout, type MatrixFormat, parseCount, parseSize } from './matrix-parser.js';
import { TripleScanner } from './triple-scanner.js';
import { type ValueKind, ValueReader } from './value-reader.js';

const LAYOUTS: readonly string[] = ['coordinate', 'array'] satisfies Layout[];
const SYMMETRIES: readonly string[] = ['general', 'symmetric', 'skew-symmetric'] satisfies Symmetry[];
const FIELDS = new Map<string, ValueKind | 'pattern'>([
  ['integer', 'integer'],
  ['unsigned-integer', 'integer'],
  ['real', 'real'],
  ['double', 'real'],
  ['pattern', 'pattern'],
]);

/** Least row − column of a stored entry: of a symmetric matrix one triangle is in the file, the other is its image. */
const LEAST_BELOW: Readonly<Record<Symmetry, number>> = { general: -Infinity, symmetric: 0, 'skew-symmetric': 1 };

interface Banner {
  readonly layout: Layout;
  readonly field: ValueKind | 'pattern';
  readonly symmetry: Symmetry;
}

class MatrixMarketParser extends HeaderFirst<TripleScanner | ArrayScanner> {
  #banner: Banner | null = null;
  #announced = 0; // entries, or values of an array

  get layout(): Layout | undefined {
    return this.#banner?.layout;
  }

  protected header(line: string): TripleScanner | ArrayScanner | null {
    if (this.#banner === null) this.#banner = parseBanner(line, this.cursor);
    else if (line !== '' && !line.startsWith('%')) return this.#parseSizes(line, this.#banner);
    return null;
  }

  #parseSizes(line: string, { layout, field, symmetry }: Banner): TripleScanner | ArrayScanner {
    const cursor: Cursor = this.cursor;
    const sizes = line.split(/\s+/);
    const shape = layout === 'array' ? "'rows cols'" : "'rows cols entries'";
    if (sizes.length !== shape.split(' ').length) cursor.fail(shape, excerpt(line));
    const [rows, cols] = [parseSize(sizes[0], cursor), parseSize(sizes[1], cursor)];
    if (symmetry !== 'general' && rows !== cols) cursor.fail(`a square ${symmetry} matrix`, `${rows} x ${cols}`);
    this.rows = rows;
    this.cols = cols;
    this.list.begin(rows, cols, symmetry);
    const reader = field === 'pattern' ? null : new ValueReader(field, cursor);
    if (layout === 'array') {
      if (reader === null) cursor.fail('values in an array', "'pattern'");
      const scanner = new ArrayScanner({ rows, cols, symmetry, reader }, this.list, cursor);
      this.#announced = scanner.announced;
      return scanner;
    }
    this.#announced = parseCount(sizes[2], cursor);
    const below = LEAST_BELOW[symmetry];
    const rules = { rows, cols, reader, comments: '%', limit: this.#announced, terminator: false, below };
    return new TripleScanner(rules, this.list, cursor, this.kernels);
  }

  finish(): SparseMatrix {
    if (this.body === null) this.cursor.fail("'rows cols'", 'the end of the file');
    const found = this.body instanceof ArrayScanner ? this.body.found : this.list.length;
    if (found !== this.#announced) this.cursor.fail(`${this.#announced} entries`, `${found}`);
    const { symmetry } = this.#banner!;
    return this.list.toMatrix(this.rows, this.cols, symmetry);
  }
}

function parseBanner(line: string, cursor: Cursor): Banner {
  const [, object, layout, field, symmetry, ...rest] = line.toLowerCase().split(/\s+/);
  const one = (choices: readonly string[], word: string | undefined): string => {
    if (word === undefined || !choices.includes(word)) {
      cursor.fail(choices.join(' or '), word === undefined ? 'the end of the line' : excerpt(word));
    }
    return word;
  };
  one(['matrix'], object);
  one(LAYOUTS, layout);
  one([...FIELDS.keys()], field);
  one(SYMMETRIES, symmetry);
  if (rest.length > 0) cursor.fail('the end of the line', excerpt(rest.join(' ')));
  return { layout: layout as Layout, field: FIELDS.get(field)!, symmetry: symmetry as Symmetry };
}

export const MATRIX_MARKET: MatrixFormat = {
  name: 'matrixmarket',
  header: "'%%MatrixMarket matrix …'",
  detects: (line) => /^%%MatrixMarket(\s|$)/i.test(line),
  parser: (cursor, kernels, rules) => new MatrixMarketParser(cursor, kernels, rules),
};
