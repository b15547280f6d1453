/**
 * The parts in which products would store a matrix mod p, as panels of row fill show them; in front of them, where the
 * plan takes long rows apart, all entries with the shortest of these rows.
 */
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { onUsedLines } from '../../kernels/sparse/drop-empty.js';
import { type FormatName, forEachEntry } from '../../kernels/sparse/formats/index.js';
import { type Part, type Plan, planOf } from '../../kernels/sparse/plan.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { CLASSES } from './raster.js';
import type { Cut, FillPart } from './row-fill.js';

/** `storage` null: chosen. */
export function plannedParts(matrix: SparseMatrix, p: number, storage: FormatName | null): FillPart[] {
  const used = onUsedLines(matrix);
  const residues = used.matrix.residues(p);
  const plan = planOf(dropEmptyLines(residues), p, { storage: storage ?? undefined });
  const places = fullRows(residues.rowPtr, used.rows);
  const filled = plan.parts.map((part) => ({ part, ...fillOfPart(part, plan) }));
  const parts = filled.map(({ part, classes, lengths }): FillPart => {
    return { classes, rows: part.rows, ...storageOf(part), forEachRow: rowsOf(lengths, places) };
  });
  const long = filled.filter(({ part }) => part.rows === 'long').map(({ lengths }) => lengths);
  if (long.length === 0) return parts;
  const lengths = Uint32Array.from({ length: plan.rows }, (_, i) => plan.rowPtr[i + 1]! - plan.rowPtr[i]!);
  const at = shortestOf(lengths, long);
  const classes = Array.from({ length: CLASSES }, (_, c) => c).filter((c) =>
    parts.some((part) => part.classes.includes(c)),
  );
  const whole: FillPart = {
    ...{ classes, rows: 'all', storage: `long rows apart, from ${at} on` },
    ...{ cut: { at, between: 'rows' }, forEachRow: rowsOf(lengths, places) },
  };
  return [whole, ...parts];
}

/** Where row i of the plan was: rows with entries mod p, in order; `rows`: the places of these offsets' rows. */
function fullRows(rowPtr: Uint32Array, rows: Uint32Array | null): Uint32Array {
  const places = new Uint32Array(rowPtr.length - 1);
  let count = 0;
  for (let i = 0; i < places.length; i++) if (rowPtr[i + 1]! > rowPtr[i]!) places[count++] = rows?.[i] ?? i;
  return places.subarray(0, count);
}

function rowsOf(lengths: Uint32Array, places: Uint32Array): FillPart['forEachRow'] {
  return (visit) => {
    for (let i = 0; i < lengths.length; i++) if (lengths[i]! > 0) visit(places[i]!, lengths[i]!);
  };
}

/** The value classes of a part's entries, and how many it has of each row. */
function fillOfPart({ values, formats }: Part, { rows, p }: Plan): { classes: number[]; lengths: Uint32Array } {
  const lengths = new Uint32Array(rows);
  const seen = new Uint8Array(CLASSES);
  for (const stored of formats) {
    forEachEntry(stored, values === 'minus' ? p - 1 : 1, (i, _, value) => {
      lengths[i]!++;
      seen[value === 1 ? 0 : value === p - 1 ? 1 : 2] = 1;
    });
  }
  return { classes: Array.from(seen.keys()).filter((c) => seen[c] === 1), lengths };
}

/** The least entries of a row of which a part has some. */
function shortestOf(lengths: Uint32Array, parts: readonly Uint32Array[]): number {
  let shortest = Infinity;
  for (let i = 0; i < lengths.length; i++) {
    if (lengths[i]! < shortest && parts.some((own) => own[i]! > 0)) shortest = lengths[i]!;
  }
  return shortest;
}

/** Formats by name, each once with its number, and the cut between the first of them and its remainder. */
function storageOf({ formats }: Part): { readonly storage: string; readonly cut: Cut | null } {
  const [main, rest] = formats;
  const at = main !== undefined && rest !== undefined && 'width' in main ? (main.width as number) : null;
  const counts = new Map<string, number>();
  for (const { kind } of formats) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const names = Array.from(counts, ([kind, count], i) => {
    return `${count === 1 ? '' : `${count} x `}${kind}${i === 0 && at !== null ? `, ${at} a row,` : ''}`;
  });
  return { storage: names.join(' + '), cut: at === null ? null : { at, between: 'formats' } };
}
