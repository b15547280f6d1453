/**
 * Coordinate entries from callers' data: triplets, compressed rows or columns, dense rows, the parts of another matrix.
 *
 * Constructors copy and check everything in one pass: sizes, lengths, offsets, every index, every value. A caller's
 * later changes of its arrays change no matrix. The names of scipy.sparse (shape, indptr, indices, data, row, col) are
 * read too.
 */

import { describe } from '../errors/describe.js';
import { MAX_SIZE, StructureError } from '../errors/structure-error.js';
import { asFraction, type Entry, EntryError, parseEntry, WideEntries, type WideParts } from './big-entries.js';
import { allocateInt32, allocateUint32, type Coordinates, checkSizes } from './coordinates.js';

/** An object that has its arrays under these names or those of scipy. */
export type Named = Readonly<Record<string, unknown>>;

/** The number of rows and columns: `rows` and `cols`, or `shape`. */
function shapeOf(who: string, object: Named): [rows: number, cols: number] {
  const shape = object['shape'] as ArrayLike<number> | undefined;
  if (shape !== undefined && (typeof shape !== 'object' || shape === null || shape.length !== 2))
    throw new StructureError(`${who}: expected a shape [rows, cols], got ${describe(shape)}`);
  const [rows, cols] = shape === undefined ? [object['rows'], object['cols']] : [shape[0], shape[1]];
  checkSizes(who, rows, cols);
  return [rows as number, cols as number];
}

/** Entries from three arrays of one length. */
export function fromCoordinates(who: string, rows: number, cols: number, object: Named): Coordinates {
  checkSizes(who, rows, cols);
  const given = indicesNamed(who, object, ['rowIdx', 'row']);
  const across = indicesNamed(who, object, ['colIdx', 'col']);
  const entries = arrayNamed(who, object, ['values', 'data']) as ArrayLike<Entry>;
  const nnz = entries.length;
  if (given.length !== nnz || across.length !== nnz) {
    throw new StructureError(
      `${who}: expected three arrays of one length, got ${given.length}, ${across.length} and ${nnz}`,
    );
  }
  const [rowIdx, colIdx, values, wide] = [
    allocateUint32(nnz),
    allocateUint32(nnz),
    allocateInt32(nnz),
    new WideEntries(),
  ];
  for (let k = 0; k < nnz; k++) {
    const [i, j] = [given[k], across[k]];
    if (!isIndex(i, rows) || !isIndex(j, cols)) {
      throw new StructureError(
        `${who}: expected indices inside ${rows} x ${cols}, got (${describe(i)}, ${describe(j)}) at entry ${k}`,
      );
    }
    rowIdx[k] = i;
    colIdx[k] = j;
    store(who, entries[k], k, values, wide);
  }
  return { rows, cols, rowIdx, colIdx, values, wide };
}

/** Entries from compressed rows: row i owns entries rowPtr[i] … rowPtr[i+1] − 1. */
export function fromCompressedRows(who: string, rows: number, cols: number, object: Named): Coordinates {
  checkSizes(who, rows, cols);
  const rowIdx = expandOffsets(who, rows, object, ['rowPtr', 'indptr'], ['colIdx', 'indices']);
  const colIdx = arrayNamed(who, object, ['colIdx', 'indices']);
  return fromCoordinates(who, rows, cols, { rowIdx, colIdx, values: arrayNamed(who, object, ['values', 'data']) });
}

/** Entries from compressed columns: column j owns entries colPtr[j] … colPtr[j+1] − 1. */
export function fromCompressedCols(who: string, rows: number, cols: number, object: Named): Coordinates {
  checkSizes(who, rows, cols);
  const colIdx = expandOffsets(who, cols, object, ['colPtr', 'indptr'], ['rowIdx', 'indices']);
  const rowIdx = arrayNamed(who, object, ['rowIdx', 'indices']);
  return fromCoordinates(who, rows, cols, { rowIdx, colIdx, values: arrayNamed(who, object, ['values', 'data']) });
}

/** Entries from an iterable of [row, column, value]. */
export function fromTripletList(who: string, rows: number, cols: number, entries: Iterable<unknown>): Coordinates {
  checkSizes(who, rows, cols);
  const [rowIdx, colIdx, values]: [unknown[], unknown[], unknown[]] = [[], [], []];
  for (const entry of entries) {
    if (!Array.isArray(entry) || entry.length !== 3) {
      throw new StructureError(
        `${who}: expected entries [row, column, value], got ${describe(entry)} at entry ${values.length}`,
      );
    }
    rowIdx.push(entry[0]);
    colIdx.push(entry[1]);
    values.push(entry[2]);
  }
  return fromCoordinates(who, rows, cols, { rowIdx, colIdx, values });
}

/** The nonzero entries of rows of one length. */
export function fromRows(who: string, matrix: readonly ArrayLike<Entry>[], cols: number): Coordinates {
  const isList = (row: unknown): boolean => Array.isArray(row) || ArrayBuffer.isView(row);
  if (!Array.isArray(matrix)) throw new StructureError(`${who}: expected an array of rows, got ${describe(matrix)}`);
  checkSizes(who, matrix.length, cols);
  const [rowIdx, colIdx, values]: [number[], number[], Entry[]] = [[], [], []];
  for (let i = 0; i < matrix.length; i++) {
    const row = matrix[i];
    if (!isList(row) || row.length !== cols) {
      const got = isList(row) ? `${row.length}` : describe(row);
      throw new StructureError(`${who}: expected ${cols} entries in row ${i}, got ${got}`);
    }
    for (let j = 0; j < cols; j++) {
      const entry = row[j];
      if (entry === 0 || entry === 0n || entry === '0') continue;
      rowIdx.push(i);
      colIdx.push(j);
      values.push(entry);
    }
  }
  return fromCoordinates(who, matrix.length, cols, { rowIdx, colIdx, values });
}

/** The parts of a matrix, as structured cloning or another copy of this package makes them: read whole, or refused. */
export function fromPlainParts(who: string, object: Named): Coordinates {
  const [rows, cols] = [object['rows'] as number, object['cols'] as number];
  const wide = object['wide'] as WideParts | undefined;
  if (wide === null || typeof wide !== 'object' || !Array.isArray(wide.positions) || !Array.isArray(wide.entries)) {
    throw new StructureError(`${who}: expected wide entries as { positions, entries }, got ${describe(wide)}`);
  }
  const { positions, entries } = wide;
  if (positions.length !== entries.length) {
    throw new StructureError(
      `${who}: expected as many wide entries as positions, got ${entries.length} and ${positions.length}`,
    );
  }
  const small = fromCoordinates(who, rows, cols, object);
  if (small.wide.size > 0) {
    throw new StructureError(
      `${who}: expected values of 32 bits, got a larger one at entry ${small.wide.positions[0]}`,
    );
  }
  positions.forEach((position, w) => {
    const before = w === 0 ? -1 : positions[w - 1];
    if (!isIndex(position, small.values.length) || position <= before || small.values[position] !== 0) {
      throw new StructureError(
        `${who}: expected wide entries in order, at values 0, got one at ${describe(position)} behind ${before}`,
      );
    }
    const { numerator, denominator } = (entries[w] ?? {}) as { numerator?: unknown; denominator?: unknown };
    if (typeof numerator !== 'bigint' || typeof denominator !== 'bigint' || denominator <= 0n) {
      throw new StructureError(`${who}: expected a wide entry as two bigints, got ${describe(entries[w])}`);
    }
    const value = parseEntry(`${numerator}/${denominator}`);
    if (typeof value === 'number') small.values[position] = value;
    else small.wide.push(position, asFraction(value));
  });
  return small;
}

function store(who: string, entry: Entry, k: number, values: Int32Array, wide: WideEntries): void {
  if (typeof entry === 'number' && (entry | 0) === entry) {
    values[k] = entry;
    return;
  }
  try {
    const value = parseEntry(entry);
    if (typeof value === 'number') values[k] = value;
    else wide.push(k, value);
  } catch (error) {
    if (!(error instanceof EntryError)) throw error;
    throw new EntryError(`${who}: ${error.message.replace(/^entry/, `entry ${k}`)}`);
  }
}

function isIndex(index: unknown, size: number): index is number {
  return typeof index === 'number' && index >= 0 && index < size && Number.isInteger(index);
}

/** The line of every entry, from the offsets at which lines begin. */
function expandOffsets(
  who: string,
  lines: number,
  object: Named,
  names: readonly string[],
  along: readonly string[],
): Uint32Array {
  const offsets = indicesNamed(who, object, names);
  const nnz = arrayNamed(who, object, along).length;
  if (offsets.length !== lines + 1 || offsets[0] !== 0 || offsets[lines] !== nnz) {
    throw new StructureError(
      `${who}: expected ${lines + 1} offsets from 0 to ${nnz}, got ${offsets.length} from ${describe(offsets[0])} to ${describe(offsets[offsets.length - 1])}`,
    );
  }
  const line = new Uint32Array(nnz);
  for (let i = 0; i < lines; i++) {
    if (!(offsets[i + 1] >= offsets[i] && offsets[i + 1] <= nnz && Number.isInteger(offsets[i + 1])))
      throw new StructureError(
        `${who}: expected offsets in order up to ${nnz}, got ${describe(offsets[i + 1])} behind ${describe(offsets[i])}`,
      );
    line.fill(i, offsets[i], offsets[i + 1]);
  }
  return line;
}

/** The one array that `object` has under one of these names. */
export function arrayNamed(who: string, object: Named, names: readonly string[]): ArrayLike<unknown> {
  const there = names.filter((name) => object[name] !== undefined);
  if (there.length !== 1) {
    const got = there.length === 0 ? 'neither' : 'both';
    throw new StructureError(`${who}: expected ${names.join(' or ')}, got ${names.length === 1 ? 'nothing' : got}`);
  }
  const array = object[there[0]] as ArrayLike<unknown> | null;
  const { length } = (typeof array === 'object' && array !== null ? array : {}) as { length?: number };
  if (!Number.isInteger(length) || length! < 0 || length! > MAX_SIZE)
    throw new StructureError(`${who}: expected an array of at most ${MAX_SIZE} ${there[0]}, got ${describe(array)}`);
  return array as ArrayLike<unknown>;
}

/** The same as numbers: 64-bit integers of a scipy file are bigints here. */
function indicesNamed(who: string, object: Named, names: readonly string[]): ArrayLike<number> {
  const array = arrayNamed(who, object, names);
  const areBig = array instanceof BigInt64Array || array instanceof BigUint64Array;
  return (areBig ? Float64Array.from(array as BigInt64Array, Number) : array) as ArrayLike<number>;
}

/** The sizes and the arrays of a constructor's arguments. */
export function sizesAndArrays(who: string, given: readonly unknown[]): [rows: number, cols: number, arrays: Named] {
  const arrays = given.length === 1 ? given[0] : given[2];
  if (typeof arrays !== 'object' || arrays === null)
    throw new StructureError(`${who}: expected an object with arrays, got ${describe(arrays)}`);
  if (given.length > 1) return [given[0] as number, given[1] as number, arrays as Named];
  return [...shapeOf(who, arrays as Named), arrays as Named];
}
