/**
 * The columns of a block that Lanczos' algorithm divides by: a largest nonsingular principal submatrix.
 *
 *   G : n × n symmetric over a field, VᵀBV     S : columns of V, as many as rank G     S·(SᵀGS)⁻¹·Sᵀ : n × n
 *
 * Let the rows S be a basis of the row space: G = X·G_S with G_S the rows S. The columns S are G_Sᵀ, so G_S = G_SS·Xᵀ
 * and G = X·G_SS·Xᵀ: rank G_SS = |S|, in any characteristic. Rows are taken greedily, those first that the step before
 * has left out: the recurrence goes back three blocks because no column is left out twice.
 * Source: Montgomery 1995, over F_2.
 */
import type { Field } from '../../fields/field.js';
import { invertMatrix } from '../block-wiedemann/small-matrix.js';

export interface Selection {
  readonly isSelected: readonly boolean[];
  readonly count: number; // |S|, the rank of G
  readonly inverse: Uint32Array; // S·(SᵀGS)⁻¹·Sᵀ
}

/** `before`: the columns that the step before has selected; null for a G that shows not to be symmetric. */
export function selectColumns(
  F: Field<number>,
  g: Uint32Array,
  n: number,
  before: readonly boolean[] = [],
): Selection | null {
  const all = Array.from({ length: n }, (_, j) => j);
  const order = [...all.filter((j) => before[j] === false), ...all.filter((j) => before[j] !== false)];
  const chosen = independentRows(F, g, n, order).sort((i, j) => i - j);
  const r = chosen.length;
  const inner = new Uint32Array(r * r);
  chosen.forEach((row, i) => {
    chosen.forEach((column, j) => {
      inner[i * r + j] = g[row * n + column];
    });
  });
  const inverse = new Uint32Array(n * n);
  const small = invertMatrix(F, inner, r);
  if (small === null) return null;
  chosen.forEach((row, i) => {
    chosen.forEach((column, j) => {
      inverse[row * n + column] = small[i * r + j];
    });
  });
  return { isSelected: all.map((j) => chosen.includes(j)), count: r, inverse };
}

/** The first rows in this order that do not depend on those before them. */
function independentRows(F: Field<number>, g: Uint32Array, n: number, order: readonly number[]): number[] {
  const chosen: number[] = [];
  const reduced: { readonly row: Uint32Array; readonly pivot: number }[] = []; // 1 at the pivot
  for (const i of order) {
    const row = g.slice(i * n, (i + 1) * n);
    for (const other of reduced) {
      const factor = row[other.pivot];
      if (factor !== 0) for (let j = 0; j < n; j++) row[j] = F.sub(row[j], F.mul(factor, other.row[j]));
    }
    const pivot = row.findIndex((value) => value !== 0);
    if (pivot < 0) continue;
    const inverse = F.inv(row[pivot]);
    reduced.push({ row: row.map((value) => F.mul(inverse, value)), pivot });
    chosen.push(i);
  }
  return chosen;
}
