/** A generated matrix: coordinate entries in flat arrays, 0-based, row by row and columns ascending within a row. */
export interface Triplets {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
}

/** Arguments of which a family has no matrix. */
export class FamilyError extends Error {
  override readonly name = 'FamilyError';
}

/** The most entries of a generated matrix, which is in memory three times while it is sorted and written. */
export const MAX_ENTRIES = 2 ** 28;
const MAX_SIZE = 2 ** 31 - 1;

/** Refuses a matrix that memory cannot hold, before any allocation. */
export function checkExtent(name: string, rows: number, cols: number, entries: number): void {
  if (!(rows <= MAX_SIZE && cols <= MAX_SIZE && entries <= MAX_ENTRIES)) {
    throw new FamilyError(
      `${name}: expected sizes below 2^31 and at most 2^28 entries, got ${rows} x ${cols} with ${entries}`,
    );
  }
}

/** Room for exactly `entries` entries, filled in order by `push`. */
export class TripletWriter implements Triplets {
  readonly rows: number;
  readonly cols: number;
  readonly rowIdx: Uint32Array;
  readonly colIdx: Uint32Array;
  readonly values: Int32Array;
  #length = 0;

  constructor(name: string, rows: number, cols: number, entries: number) {
    checkExtent(name, rows, cols, entries);
    this.rows = rows;
    this.cols = cols;
    this.rowIdx = new Uint32Array(entries);
    this.colIdx = new Uint32Array(entries);
    this.values = new Int32Array(entries);
  }

  push(i: number, j: number, value: number): void {
    const at = this.#length++;
    this.rowIdx[at] = i;
    this.colIdx[at] = j;
    this.values[at] = value;
  }

  /** The matrix, when every announced entry has been written. */
  finish(): Triplets {
    if (this.#length !== this.values.length) {
      throw new FamilyError(`generator: expected ${this.values.length} entries, got ${this.#length}`);
    }
    return this;
  }
}

/** The same entries row by row, columns ascending: two stable counting sorts, by column and then by row. */
export function rowMajor(a: Triplets): Triplets {
  if (a.values.length === 0) return a; // whatever its sizes are
  const byColumn = order(a.colIdx, a.cols, null);
  const byRow = order(a.rowIdx, a.rows, byColumn);
  const pick = <T extends Uint32Array | Int32Array>(from: T): T => from.map((_, k) => from[byRow[k]]) as T;
  return { rows: a.rows, cols: a.cols, rowIdx: pick(a.rowIdx), colIdx: pick(a.colIdx), values: pick(a.values) };
}

/** The entries `among` (null: all, in their order) in stable order of their keys, which are below `size`. */
function order(keys: Uint32Array, size: number, among: Uint32Array | null): Uint32Array {
  const next = new Uint32Array(size + 1);
  for (let k = 0; k < keys.length; k++) next[keys[k] + 1]++;
  for (let i = 0; i < size; i++) next[i + 1] += next[i];
  const out = new Uint32Array(keys.length);
  for (let k = 0; k < keys.length; k++) {
    const entry = among === null ? k : among[k];
    out[next[keys[entry]]++] = entry;
  }
  return out;
}
