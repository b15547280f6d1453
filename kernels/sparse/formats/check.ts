/** Checks of the formats' constructors; each throws StructureError naming the format. */
import { MAX_SIZE, StructureError } from '../../errors/structure-error.js';

export function checkSizes(who: string, rows: number, cols: number): void {
  for (const size of [rows, cols]) {
    if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) {
      throw new StructureError(`${who}: expected sizes in 0…${MAX_SIZE}, got ${rows} x ${cols}`);
    }
  }
}

/** `count` + 1 offsets, nondecreasing, from 0 to `total`. */
export function checkOffsets(who: string, offsets: Uint32Array, count: number, total: number): void {
  if (offsets.length !== count + 1 || offsets[0] !== 0 || offsets[count] !== total) {
    throw new StructureError(
      `${who}: expected ${count + 1} offsets from 0 to ${total}, got ${offsets.length} from ${offsets[0]} to ${offsets[offsets.length - 1]}`,
    );
  }
  for (let i = 0; i < count; i++) {
    if (offsets[i + 1] < offsets[i]) throw new StructureError(`${who}: expected offsets in order, got a fall at ${i}`);
  }
}

/** The columns of row i: below `cols` and strictly increasing. */
export function checkColumns(who: string, columns: Uint32Array, cols: number, i: number): void {
  for (let k = 0; k < columns.length; k++) {
    if (columns[k] >= cols) {
      throw new StructureError(`${who}: expected columns below ${cols}, got ${columns[k]} in row ${i}`);
    }
    if (k > 0 && columns[k] <= columns[k - 1]) {
      throw new StructureError(`${who}: expected columns in order, got ${columns[k - 1]}, ${columns[k]} in row ${i}`);
    }
  }
}

/** Canonical and never 0. */
export function checkValues(who: string, values: Uint32Array, p: number): void {
  const at = values.findIndex((v) => v === 0 || v >= p);
  if (at >= 0) throw new StructureError(`${who}: expected values in 1…${p - 1}, got ${values[at]} at entry ${at}`);
}

/** Canonical, 0 among them. */
export function checkResidues(who: string, values: Uint32Array, p: number): void {
  const at = values.findIndex((v) => v >= p);
  if (at >= 0) throw new StructureError(`${who}: expected values in 0…${p - 1}, got ${values[at]} at entry ${at}`);
}

/** Values of a format that stores zeros, too: 1 GiB of them. */
const MOST_PLACES = 2 ** 28;

export function checkPlaces(who: string, places: number): void {
  if (places > MOST_PLACES) throw new StructureError(`${who}: expected at most ${MOST_PLACES} places, got ${places}`);
}
