/**
 * sigma-basis by the definition, order by order and entry by entry: the twin of pm-basis.ts over any field of numbers.
 *
 *   g : R × n, sigma coefficients, the last s rows right-hand rows     degrees : one a row, raised in place
 *
 * The residuals of one order are brought to reduced echelon form, row after row in order of degree; `how` says which
 * combination of the pivot rows an echelon row is.
 *
 * Source: Beckermann, Labahn 1994; Giorgi, Jeannerod, Villard 2003, algorithm M-Basis.
 */
import type { Field } from '../../fields/field.js';

/** Coefficient k is entry k: rows × cols, row-major. */
export type Series = readonly (readonly number[])[];

interface EchelonRow {
  readonly pivot: number; // its row in P
  readonly column: number; // where it is 1 and all other echelon rows are 0
  readonly values: number[];
  readonly how: Map<number, number>; // row number → coefficient
}

/** P, coefficient by coefficient, R × (R − s), without trailing zero coefficients (but at least one). */
export function sigmaBasisReference(
  field: Field<number>,
  g: Series,
  rows: number,
  n: number,
  degrees: Int32Array,
  rhsRows = 0,
): number[][] {
  const active = rows - rhsRows;
  const zeros = (count: number): number[] => new Array<number>(count).fill(field.zero);
  // Row i of [P | G] as polynomials: basis[i][j][k], series[i][j][k].
  const basis = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: active }, (_, j) => [i === j ? field.one : field.zero, ...zeros(g.length)]),
  );
  const series = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: n }, (_, j) => g.map((block) => block[i * n + j]!)),
  );

  const addMultiple = (i: number, factor: number, from: number): void => {
    for (const side of [basis, series]) {
      side[i]!.forEach((entry, j) => {
        for (let k = 0; k < entry.length; k++) entry[k] = field.add(entry[k]!, field.mul(factor, side[from]![j]![k]!));
      });
    }
  };

  for (let k = 0; k < g.length; k++) {
    const order = Array.from({ length: active }, (_, i) => i).sort((a, b) => degrees[a]! - degrees[b]! || a - b);
    const echelon: EchelonRow[] = [];
    const cleared: [number, Map<number, number>][] = [];
    for (const i of [...order, ...Array.from({ length: rhsRows }, (_, t) => active + t)]) {
      const values = series[i]!.map((entry) => entry[k]!);
      const how = new Map<number, number>();
      for (const row of echelon) subtract(field, values, how, row, values[row.column]!);
      const column = i < active ? values.findIndex((v) => v !== field.zero) : -1;
      if (column < 0) {
        cleared.push([i, how]);
        continue;
      }
      const scale = field.inv(values[column]!);
      how.set(i, field.one);
      const row: EchelonRow = {
        pivot: i,
        column,
        values: values.map((v) => field.mul(v, scale)),
        how: new Map([...how].map(([from, c]) => [from, field.mul(c, scale)])),
      };
      for (const earlier of echelon) subtract(field, earlier.values, earlier.how, row, earlier.values[column]!);
      echelon.push(row);
    }
    // row_i ← row_i + Σ c·row_pivot, then row_pivot ← z·row_pivot
    for (const [i, how] of cleared) for (const [from, c] of how) addMultiple(i, c, from);
    for (const { pivot } of echelon) {
      for (const entry of [...basis[pivot]!, ...series[pivot]!]) {
        entry.pop();
        entry.unshift(field.zero);
      }
      degrees[pivot]! += 1;
    }
  }
  const blocks = Array.from({ length: g.length + 1 }, (_, k) => basis.flatMap((row) => row.map((entry) => entry[k]!)));
  while (blocks.length > 1 && blocks.at(-1)!.every((v) => v === field.zero)) blocks.pop();
  return blocks;
}

/** values ← values − factor·row, and the same for the combinations. */
function subtract(
  field: Field<number>,
  values: number[],
  how: Map<number, number>,
  row: EchelonRow,
  factor: number,
): void {
  if (factor === field.zero) return;
  const minus = field.neg(factor);
  row.values.forEach((v, j) => {
    values[j] = field.add(values[j]!, field.mul(minus, v));
  });
  for (const [from, c] of row.how) how.set(from, field.add(how.get(from) ?? field.zero, field.mul(minus, c)));
}
