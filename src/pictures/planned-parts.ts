/** The parts in which products would store a matrix mod p, as panels of row fill show them. */
import { dropEmptyLines } from '../../algorithms/presolve/drop-empty.js';
import { withoutIdleLines } from '../../kernels/sparse/drop-empty.js';
import type { FormatName } from '../../kernels/sparse/formats/index.js';
import { planOf } from '../../kernels/sparse/plan.js';
import type { SparseMatrix } from '../../kernels/sparse/sparse-matrix.js';
import { VALUE_CLASSES } from '../../kernels/sparse/unit-split.js';
import type { FillPart } from './row-fill.js';

const CLASSES_SHOWN = VALUE_CLASSES.map((_, c) => c);

/** `storage` null: chosen; `totals` are the entries of each class mod p. */
export function plannedParts(
  matrix: SparseMatrix,
  p: number,
  storage: FormatName | null,
  totals: Float64Array,
): FillPart[] {
  const residues = dropEmptyLines(withoutIdleLines(matrix).residues(p));
  const { parts } = planOf(residues, p, { storage: storage ?? undefined });
  const apart = parts.map(({ values }) => VALUE_CLASSES.indexOf(values));
  return parts.map(({ values, formats }) => {
    const own = VALUE_CLASSES.indexOf(values);
    // The general part has the classes that have no part of their own.
    const classes =
      values === 'general' ? CLASSES_SHOWN.filter((c) => c === own || (!apart.includes(c) && totals[c]! > 0)) : [own];
    const [main, rest] = formats;
    const cut = main !== undefined && rest !== undefined && 'width' in main ? (main.width as number) : null;
    const names = formats.map(({ kind }, i) => (i === 0 && cut !== null ? `${kind}, ${cut} a row,` : kind));
    return { classes, storage: names.join(' + '), cut };
  });
}
