/**
 * A growing list of matrix entries: flat arrays in chunks, so that memory follows the entries read, never a header's
 * number, and the only copy is at the end; of a source whose length is known it is made when the beginning says how
 * many entries there will be, since places that nothing is written to take no memory. A list with a sink hands each
 * full chunk on and keeps none; one with a spill does so from the moment at which memory would not hold it.
 */
import { MemoryError } from '../../kernels/errors/memory-error.js';
import {
  bytesOfWide,
  parseEntry,
  WideEntries,
  type WideParts,
  type WideValue,
  withSign,
} from '../../kernels/sparse/big-entries.js';
import { MOST_ENTRIES } from '../../kernels/sparse/coordinates.js';
import { allocateInt32, allocateUint32, SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import type { Cursor } from './format-error.js';
import type { Places } from './line-pieces.js';
import { LIST_ENTRY_BYTES } from './read-limit.js';

const FIRST_CHUNK = 1 << 12;
const LARGEST_CHUNK = 1 << 20;

/** Chunk capacity doubles from the first to the largest. */
interface Chunk {
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
}

/** Bytes read that say how many an entry takes, and places more than they say. */
const BEGINNING = 1 << 20;
const SLACK = 1 / 16;

/** The arrays of a matrix with so many entries. */
function matrixArrays(nnz: number): Chunk {
  return { rowIdx: allocateUint32(nnz), colIdx: allocateUint32(nnz), values: allocateInt32(nnz) };
}

function chunk(capacity: number): Chunk {
  return {
    rowIdx: new Uint32Array(capacity),
    colIdx: new Uint32Array(capacity),
    values: new Int32Array(capacity),
  };
}

/** How the entry below the diagonal determines the one above it; 'general' means it does not. */
export type Symmetry = 'general' | 'symmetric' | 'skew-symmetric';

/** Takes the entries of a file as they are read. */
export interface EntrySink {
  /** The header's sizes, before any entry. */
  begin(rows: number, cols: number, symmetry: Symmetry): void;
  /**
   * Entries as they stand in the file, of a symmetric matrix one triangle: `values` are 32-bit, 0 where the entry is in
   * `wide`, whose positions count from the batch's first. The arrays are used again.
   */
  take(rowIdx: Uint32Array, colIdx: Uint32Array, values: Int32Array, wide: WideParts): void;
}

/** Entries that a sink is handed at a time. */
const BATCH = 1 << 14;

export class EntryList {
  #full: Chunk[] = [];
  #inFull = 0; // entries in #full
  #open = chunk(FIRST_CHUNK);
  #used = 0; // entries in #open
  #isWhole = false; // #open has the arrays of a matrix, with all entries so far
  #mayExpect = true; // that nothing has said yet how many there will be
  #wide = new WideEntries();
  #wideBytes = 0;
  readonly #cursor: Cursor;
  #sink: EntrySink | null;
  #spill: EntrySink | null;
  #header: readonly [rows: number, cols: number, symmetry: Symmetry] = [0, 0, 'general'];

  /** The cursor's limit bounds the list; what goes beyond it goes to `spill` with all that was before. */
  constructor(cursor: Cursor, sink: EntrySink | null = null, spill: EntrySink | null = null) {
    this.#cursor = cursor;
    this.#sink = sink;
    this.#spill = spill;
  }

  /** What the header says. */
  begin(rows: number, cols: number, symmetry: Symmetry): void {
    this.#header = [rows, cols, symmetry];
    this.#sink?.begin(rows, cols, symmetry);
  }

  get length(): number {
    return this.#inFull + this.#used;
  }

  /** Appends a value of 32 bits at (i, j), 0-based. */
  push(i: number, j: number, value: number): void {
    if (this.#used === this.#open.values.length) this.#grow();
    const at = this.#used++;
    this.#open.rowIdx[at] = i;
    this.#open.colIdx[at] = j;
    this.#open.values[at] = value;
  }

  /** Appends values of 32 bits at as many places. */
  append(rowIdx: Uint32Array, colIdx: Uint32Array, values: Int32Array): void {
    for (let from = 0; from < values.length; ) {
      if (this.#used === this.#open.values.length) this.#grow();
      const to = Math.min(values.length, from + this.#open.values.length - this.#used);
      this.#open.rowIdx.set(rowIdx.subarray(from, to), this.#used);
      this.#open.colIdx.set(colIdx.subarray(from, to), this.#used);
      this.#open.values.set(values.subarray(from, to), this.#used);
      this.#used += to - from;
      from = to;
    }
  }

  /** Places for all the entries to come; null where their number is not known, or others take them. */
  placesAhead(): Places | null {
    if (this.#sink !== null || this.#spill !== null) return null;
    if (!this.#isWhole && !this.#openWhole()) return null;
    return { ...this.#open, first: this.#used };
  }

  /** So many of these places have got entries. */
  advance(entries: number): void {
    this.#used += entries;
  }

  /** Appends a value that 32 bits do not hold. */
  pushWide(i: number, j: number, value: WideValue): void {
    if (this.#used === this.#open.values.length) this.#grow();
    const bytes = bytesOfWide(value);
    if (this.#spill !== null && !this.#allows(2 * this.length, bytes)) this.#pourOut();
    if (this.#sink !== null && !this.#allows(2 * this.#used, bytes)) this.#drain(this.#sink);
    this.#wideBytes += bytes;
    const at = this.#sink === null ? this.length : this.#used;
    this.#check(2 * at);
    this.#wide.push(at, value);
    this.push(i, j, 0);
  }

  /** Whether there is room for `entries` triples, and for the wide values and so many bytes more of them. */
  #allows(entries: number, more = 0): boolean {
    if (entries > 2 * MOST_ENTRIES) return false; // of the list and of the matrix
    return this.#cursor.limit.allows(LIST_ENTRY_BYTES * entries, this.#wideBytes + more);
  }

  /** Hands the full chunks to the spill, which is the sink from now on. */
  #pourOut(): void {
    const spill = this.#spill!;
    spill.begin(...this.#header);
    const wide = this.#wide;
    let [from, w] = [0, 0];
    const wideBefore = (end: number): WideEntries => {
      const own = new WideEntries();
      for (; w < wide.size && wide.positions[w] < end; w++) own.push(wide.positions[w] - from, wide.entries[w]);
      return own;
    };
    for (const { rowIdx, colIdx, values } of this.#full) {
      spill.take(rowIdx, colIdx, values, wideBefore(from + values.length));
      from += values.length;
    }
    this.#wide = wideBefore(Number.POSITIVE_INFINITY);
    this.#wideBytes = this.#wide.bytes;
    this.#full = [];
    [this.#sink, this.#spill] = [spill, null];
  }

  /** MemoryError where `entries` triples in lists, and wide values `copies` times, take too much. */
  #check(entries: number, copies = 1): void {
    this.#cursor.limit.check(LIST_ENTRY_BYTES * entries, copies * this.#wideBytes, this.#cursor.place);
  }

  #grow(): void {
    if (this.#spill !== null && !this.#allows(2 * this.length)) this.#pourOut();
    if (this.#sink !== null) {
      this.#drain(this.#sink);
      if (this.#open.values.length < BATCH) this.#open = chunk(BATCH);
      return;
    }
    this.#check(2 * this.length);
    this.#isWhole = false;
    if (this.#openWhole()) return;
    this.#full.push(this.#open);
    this.#inFull += this.#used;
    this.#open = chunk(Math.min(2 * this.#used, LARGEST_CHUNK));
    this.#used = 0;
  }

  /** Places that all entries of the source will take, by those of its beginning; 0 where it says nothing, or again. */
  #expect(): number {
    const { read, size } = this.#cursor;
    if (!this.#mayExpect || size === null || read < BEGINNING || read > size || this.#spill !== null) return 0;
    const images = this.#header[2] === 'general' ? 1 : 2;
    const expected = Math.ceil((1 + SLACK) * images * this.length * (size / read));
    return this.#allows(2 * expected) ? expected : 0;
  }

  /** Goes on in arrays for all entries; false where there are none. */
  #openWhole(): boolean {
    const whole = this.#wholeAhead();
    if (whole === null) return false;
    [this.#open, this.#used] = [whole, this.length];
    [this.#full, this.#inFull] = [[], 0];
    this.#isWhole = true;
    return true;
  }

  /** The entries so far in arrays for all of them; null where that is not known, or the machine has no such room. */
  #wholeAhead(): Chunk | null {
    const expected = this.#expect();
    if (expected <= this.length) return null;
    this.#mayExpect = false;
    try {
      return this.#join(expected);
    } catch (error) {
      if (error instanceof MemoryError) return null; // it was an estimate: lists take what there is
      throw error;
    }
  }

  #lengthOf(c: Chunk): number {
    return c === this.#open ? this.#used : c.values.length;
  }

  /** The entries so far in arrays with so many places. */
  #join(places: number): Chunk {
    const whole = matrixArrays(places);
    let at = 0;
    for (const c of [...this.#full, this.#open]) {
      const used = this.#lengthOf(c);
      whole.rowIdx.set(c.rowIdx.subarray(0, used), at);
      whole.colIdx.set(c.colIdx.subarray(0, used), at);
      whole.values.set(c.values.subarray(0, used), at);
      at += used;
    }
    return whole;
  }

  /** Hands the open chunk on. */
  #drain(sink: EntrySink): void {
    const { rowIdx, colIdx, values } = this.#open;
    const used = this.#used;
    sink.take(rowIdx.subarray(0, used), colIdx.subarray(0, used), values.subarray(0, used), this.#wide);
    this.#wide = new WideEntries();
    this.#wideBytes = 0;
    this.#inFull += used;
    this.#used = 0;
  }

  /**
   * The matrix of these entries, without those that a sink or a spill has, and, for a symmetry, of their mirror images;
   * the list is spent. MemoryError beyond the limit.
   */
  toMatrix(rows: number, cols: number, symmetry: Symmetry): SparseMatrix {
    let mirrored = 0;
    if (symmetry !== 'general' && this.#sink === null) {
      for (const c of [...this.#full, this.#open])
        for (let k = 0; k < this.#lengthOf(c); k++) if (c.rowIdx[k] !== c.colIdx[k]) mirrored++;
    }
    const mirrors = mirrored > 0 ? this.#wideBytes : 0;
    if (this.#spill !== null && !this.#allows(2 * this.length + mirrored, mirrors)) this.#pourOut();
    if (this.#sink !== null) {
      this.#drain(this.#sink);
      [this.#inFull, mirrored] = [0, 0];
    }
    const stored = this.length;
    const nnz = stored + mirrored;
    this.#check(stored + nnz, mirrored > 0 ? 2 : 1);
    const whole = this.#isWhole && nnz <= this.#open.values.length ? this.#open : this.#join(nnz);
    this.#full = [];
    const [rowIdx, colIdx] = [whole.rowIdx.subarray(0, nnz), whole.colIdx.subarray(0, nnz)];
    const values = whole.values.subarray(0, nnz);
    const matrix = SparseMatrix.fromPartsUnchecked({ rows, cols, rowIdx, colIdx, values }, this.#wide);
    if (mirrored > 0) mirror(matrix, stored, symmetry === 'symmetric' ? 1 : -1);
    return matrix;
  }
}

/** Writes the mirror images of the first `stored` entries behind them: a_ji = sign·a_ij off the diagonal. */
function mirror({ rowIdx, colIdx, values, wide }: SparseMatrix, stored: number, sign: 1 | -1): void {
  let at = stored;
  let w = 0;
  const storedWide = wide.size;
  for (let k = 0; k < stored; k++) {
    const isWide = w < storedWide && wide.positions[w] === k;
    if (isWide) w++;
    if (rowIdx[k] === colIdx[k]) continue;
    rowIdx[at] = colIdx[k];
    colIdx[at] = rowIdx[k];
    const value = parseEntry(sign * values[k]);
    // −(−2³¹) is the one negative that 32 bits do not hold.
    if (isWide) wide.push(at, withSign(wide.entries[w - 1], sign));
    else if (typeof value === 'number') values[at] = value;
    else wide.push(at, value);
    at++;
  }
}
