/**
 * Entries a row, or a column, by value class, for lines that are met in any order.
 *
 *   counts[classes·s + c] : entries of class c in the line of slot s
 *
 * Where there are at most DENSE lines, slot and line are one number. Of more lines only those with entries have slots,
 * given by a hash table, so that memory does not follow a header's number.
 */
import { type RowLengths, rowLengths } from '../../kernels/sparse/row-statistics.js';

/** Memory that nobody writes to is not taken, so that a few lines of many cost little below it, too. */
const DENSE = 1 << 24;

const FIRST_SLOTS = 1 << 10;
const GOLDEN = 0x9e3779b1; // ⌊2^32/φ⌋: neighbouring lines come apart

export class LineCounts {
  readonly lines: number;
  readonly classes: number;
  #counts: Uint32Array;
  #table: Uint32Array | null = null; // slot + 1 of the line hashed there; 0: none. At most half full
  #keys = new Uint32Array(0); // the line of each slot
  #used = 0; // slots

  constructor(lines: number, classes: number) {
    this.lines = lines;
    this.classes = classes;
    if (lines <= DENSE) {
      this.#counts = new Uint32Array(classes * lines);
      this.#used = lines;
    } else {
      this.#counts = new Uint32Array(classes * FIRST_SLOTS);
      this.#keys = new Uint32Array(FIRST_SLOTS);
      this.#table = new Uint32Array(2 * FIRST_SLOTS);
    }
  }

  /** Bytes that the counts of so many lines take before an entry is met. */
  static bytes(lines: number, classes: number): number {
    return lines <= DENSE ? 4 * classes * lines : 4 * (classes + 3) * FIRST_SLOTS;
  }

  /** Bytes that they take now. */
  get bytes(): number {
    return this.#counts.byteLength + this.#keys.byteLength + (this.#table?.byteLength ?? 0);
  }

  /** Adds entry k to line `lines[k]`, class `classOf[k]`, for k below `count`; other classes are not counted. */
  add(lines: Uint32Array, classOf: Uint8Array, count: number): void {
    if (this.#table === null) addDense(this.#counts, this.classes, lines, classOf, count);
    else for (let k = 0; k < count; k++) this.#addHashed(lines[k], classOf[k]);
  }

  #addHashed(line: number, c: number): void {
    if (c >= this.classes) return;
    const slot = this.#slotOf(line); // first: the counts may move
    this.#counts[this.classes * slot + c]++;
  }

  #slotOf(line: number): number {
    const at = this.#find(line);
    const known = this.#table![at];
    if (known > 0) return known - 1;
    if (this.#used === this.#keys.length) {
      this.#grow();
      return this.#slotOf(line);
    }
    this.#keys[this.#used] = line;
    this.#table![at] = ++this.#used;
    return this.#used - 1;
  }

  /** Where the table has the line, or a place for it. */
  #find(line: number): number {
    const table = this.#table!;
    let at = (Math.imul(line, GOLDEN) >>> 0) % table.length;
    while (table[at] > 0 && this.#keys[table[at] - 1] !== line) at = at + 1 === table.length ? 0 : at + 1;
    return at;
  }

  #grow(): void {
    const [keys, counts] = [this.#keys, this.#counts];
    this.#keys = new Uint32Array(2 * keys.length);
    this.#keys.set(keys);
    this.#counts = new Uint32Array(2 * counts.length);
    this.#counts.set(counts);
    this.#table = new Uint32Array(4 * keys.length);
    for (let s = 0; s < this.#used; s++) this.#table[this.#find(keys[s])] = s + 1;
  }

  /** Calls `visit` for each line with entries: in order where there are few lines, else in the order they were met. */
  forEach(visit: (line: number, counts: Uint32Array, at: number) => void): void {
    const { classes } = this;
    for (let s = 0; s < this.#used; s++) {
      const at = classes * s;
      for (let c = 0; c < classes; c++) {
        if (this.#counts[at + c] > 0) {
          visit(this.#table === null ? s : this.#keys[s], this.#counts, at);
          break;
        }
      }
    }
  }

  /** How long the lines with entries are, all classes together, and how many have none. */
  lengths(): { readonly filled: RowLengths; readonly empty: number } {
    let filled = 0;
    this.forEach(() => {
      filled++;
    });
    const ends = new Uint32Array(filled + 1);
    let i = 0;
    this.forEach((_, counts, at) => {
      let length = 0;
      for (let c = 0; c < this.classes; c++) length += counts[at + c];
      ends[i + 1] = ends[i] + length;
      i++;
    });
    return { filled: rowLengths(ends), empty: this.lines - filled };
  }
}

/** A loop of its own: kernels/sparse/residue-matrix.ts. */
function addDense(counts: Uint32Array, classes: number, lines: Uint32Array, classOf: Uint8Array, count: number): void {
  for (let k = 0; k < count; k++) if (classOf[k] < classes) counts[classes * lines[k] + classOf[k]]++;
}
