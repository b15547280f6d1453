/**
 * Sliced ELLPACK, the storage of a matrix on a GPU: short rows in slices, sorted by length, and long rows in segments.
 *
 * It holds ±1 and general entries of a row side by side, so a plan has one part for all of the matrix.
 * `sliced-ell-slices.ts` and `sliced-ell-segments.ts` say where an entry stands.
 * Source: sliced ELLPACK with sorted rows, Monakov, Lokhmotov, Avetisyan 2010; Kreutzer et al. 2014 (SELL-C-sigma).
 */
import { StructureError } from '../../errors/structure-error.js';
import { checkColumns, checkSizes, checkValues } from './check.js';
import type { ResidueMatrix } from './csr.js';
import { type Format, requireValues } from './format.js';
import type { ProductSizes } from './product-sizes.js';
import { countEntries, type RowRuns, wholeRows } from './row-runs.js';
import { type SlicedRows, sliceRows } from './slice-rows.js';
import { checkSegments, cutIntoSegments, forEachSegment, type LongRows } from './sliced-ell-segments.js';
import { checkSlices, forEachSlicedRow, isUnit, type RowPiece, type VisitRow } from './sliced-ell-slices.js';

export interface SlicedEll extends LongRows {
  readonly kind: 'sliced-ell';
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly p: number; // entries are residues mod p: it says what −1 is and how many words a pair takes
  readonly pieces: readonly RowPiece[]; // of slots 0 … rows − 1; every row has a slot or is a long one
}

type SlicedEllParts = Omit<SlicedEll, 'kind'>;

/** Checks every claim above and of the two files named there. */
export function slicedEll(parts: SlicedEllParts, p: number): SlicedEll {
  const who = 'sliced-ell';
  const { rows, cols, nnz, pieces, longRows } = parts;
  checkSizes(who, rows, cols);
  if (parts.p !== p) throw new StructureError(`${who}: expected residues mod ${p}, got ones mod ${parts.p}`);
  checkSlices(who, pieces, rows, p);
  checkSegments(who, parts);
  const placed = new Uint8Array(rows); // 1 once a row has its slot or its place among the long ones
  const place = (i: number): void => {
    if (i >= rows || placed[i] === 1) throw new StructureError(`${who}: expected each row once, got ${i} again`);
    placed[i] = 1;
  };
  forEachSlicedRow(pieces, p, place);
  for (let r = 0; r < longRows.length - 2; r += 2) place(longRows[r]);
  if (placed.includes(0)) throw new StructureError(`${who}: expected each row once, got none for ${placed.indexOf(0)}`);
  const lastColumn = new Float64Array(rows).fill(-1); // Segments of a row follow each other.
  let entries = 0;
  forEachRun(parts, (i, units, columns, values) => {
    checkColumns(who, units.map(columnOf), cols, i);
    checkColumns(who, columns, cols, i);
    checkValues(who, values, p);
    if (values.some((v) => isUnit(v, p))) throw new StructureError(`${who}: expected ±1 as units in row ${i}`);
    const all = Uint32Array.of(...units.map(columnOf), ...columns).sort();
    checkColumns(who, all, cols, i);
    if (all.length > 0 && all[0] <= lastColumn[i]) {
      throw new StructureError(`${who}: expected columns in order, got ${lastColumn[i]}, ${all[0]} in row ${i}`);
    }
    if (all.length > 0) lastColumn[i] = all[all.length - 1];
    entries += all.length;
  });
  if (entries !== nnz) throw new StructureError(`${who}: expected ${nnz} entries, got ${entries}`);
  return slicedEllUnchecked(parts);
}

/** The caller has just built it. */
function slicedEllUnchecked(parts: SlicedEllParts): SlicedEll {
  return { kind: 'sliced-ell', ...parts };
}

export const SLICED_ELL: Format<SlicedEll> = {
  whole: true,
  fromRows: (a, p, sizes) => [
    toSlicedEll({ ...a, values: requireValues('sliced-ell', a) }, p, Number.POSITIVE_INFINITY, sizes),
  ],
  forEachEntry(part, _unit, visit) {
    const { p } = part;
    forEachRun(part, (i, units, columns, values) => {
      const entries: [column: number, value: number][] = [];
      for (const e of units) entries.push([columnOf(e), e % 2 === 0 ? 1 : p - 1]);
      columns.forEach((j, t) => {
        entries.push([j, values[t]]);
      });
      for (const [j, v] of entries.sort(([j], [k]) => j - k)) visit(i, j, v);
    });
  },
  check: slicedEll,
  arrays: ({ pieces, longRows, segmentPieces }) => [
    ...pieces.flatMap(({ slots, slices, units, pairs }) => [slots, slices, units, pairs]),
    ...[longRows, ...segmentPieces.flatMap(({ segments, units, generals }) => [segments, units, generals])],
  ],
};

/** `maxBytes` is what one array of the result may take. */
export function toSlicedEll(
  a: ResidueMatrix,
  p: number,
  maxBytes = Number.POSITIVE_INFINITY,
  sizes: ProductSizes = {},
): SlicedEll {
  const runs = wholeRows(a);
  return slicedEllOf(runs, sliceRows(runs, p, maxBytes, sizes), p, maxBytes);
}

/** With the slices that its short rows have. */
export function slicedEllOf(a: RowRuns, { pieces, long }: SlicedRows, p: number, maxBytes: number): SlicedEll {
  const { rows, cols } = a;
  return slicedEllUnchecked({ rows, cols, nnz: countEntries(a), p, pieces, ...cutIntoSegments(a, p, long, maxBytes) });
}

/** Short rows, then segments. */
function forEachRun(part: SlicedEllParts, visit: VisitRow): void {
  forEachSlicedRow(part.pieces, part.p, visit);
  forEachSegment(part, visit);
}

/** Of a unit. */
function columnOf(unit: number): number {
  return unit >>> 1;
}
