/**
 * The body of a MatrixMarket array: values one after the other, column by column; zeros are counted and not stored.
 *
 *   general          rows·cols values            symmetric        n(n+1)/2, from the diagonal down
 *   skew-symmetric   n(n−1)/2, from below the diagonal down
 */
import type { EntryList, Symmetry } from './entry-list.js';
import { type Cursor, excerpt } from './format-error.js';
import { textOf, type ValueReader } from './value-reader.js';

const [LF, SPACE, PERCENT] = [10, 32, 37];

export interface ArrayRules {
  readonly rows: number;
  readonly cols: number;
  readonly symmetry: Symmetry;
  readonly reader: ValueReader;
}

export class ArrayScanner {
  readonly announced: number; // values the file must hold
  found = 0; // values read so far
  #i = 0; // where the next value belongs
  #j = 0;
  readonly #rules: ArrayRules;
  readonly #list: EntryList;
  readonly #cursor: Cursor;

  constructor(rules: ArrayRules, list: EntryList, cursor: Cursor) {
    const { rows, cols, symmetry } = rules;
    const half = (rows * (rows + 1)) / 2;
    this.announced = symmetry === 'general' ? rows * cols : symmetry === 'symmetric' ? half : half - rows;
    this.#i = symmetry === 'skew-symmetric' ? 1 : 0;
    this.#rules = rules;
    this.#list = list;
    this.#cursor = cursor;
  }

  /** Consumes whole lines bytes[from, to); the last byte is '\n'. */
  parse(bytes: Uint8Array, from: number, to: number): void {
    const { reader } = this.#rules;
    let k = from;
    while (k < to) {
      const c = bytes[k];
      if (c === LF) this.#cursor.line++;
      if (c <= SPACE) {
        k++;
      } else if (c === PERCENT) {
        k = bytes.indexOf(LF, k);
      } else {
        const start = k;
        k = reader.read(bytes, k);
        if (bytes[k] > SPACE)
          this.#cursor.fail('a value', excerpt(textOf(bytes, start, bytes.indexOf(LF, start)).trim()));
        this.#store();
      }
    }
  }

  #store(): void {
    const { rows, symmetry, reader } = this.#rules;
    if (this.found++ === this.announced) this.#cursor.fail(`${this.announced} entries`, 'one more');
    if (reader.wide !== null) this.#list.pushWide(this.#i, this.#j, reader.wide);
    else if (reader.value !== 0) this.#list.push(this.#i, this.#j, reader.value);
    if (++this.#i < rows) return;
    this.#j++;
    this.#i = symmetry === 'general' ? 0 : symmetry === 'symmetric' ? this.#j : this.#j + 1;
  }
}
