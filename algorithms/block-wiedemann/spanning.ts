/**
 * Whether the first rows of a Krylov space span those of them all.
 *
 *   x_1, …, x_M : rows, x acts on their space R as B does, from the right       F : M × M over k[x], deg det F = d,
 *   row-reduced, row i of degree δ_i, Σ_i F_i·x_i = 0      F_W : its last s columns, M = m + s
 *
 * R is an image of k[x]^M / F, of dimension d. The first m rows generate k[x]^m / Λ in there, where Λ are the a with
 * (a, 0) among the combinations of F's rows: Λ = K·F for the K with K·F_W = 0. Let K be a basis of these of least
 * degrees shifted by δ. Then K·F is row-reduced, and the shifted degrees of K are its row degrees: their sum is the
 * dimension of k[x]^m / Λ. So the first m rows span what all do where that sum is d, whatever d says of R itself.
 *
 * K comes from an order basis of F_W modulo x^σ. A row of shifted degree below σ is in K, since its product with F_W
 * has no higher degree; and m such rows generate all of K, since the products of the other s with F_W are
 * independent. Mostly d is spread evenly over the m rows.
 * Source: Zhou, Labahn, Storjohann 2012 (kernel bases by order bases).
 */
import type { Field } from '../../fields/field.js';
import type { OrderBasisEngine } from '../sigma-basis/order-basis.js';

/** The last columns of F. */
export interface GeneratorColumns {
  readonly m: number; // M
  readonly degrees: readonly number[]; // δ
  readonly width: number; // s
  readonly blocks: Uint32Array; // of x^0, x^1, …, each M × s codes
}

/** Whether the rows of the other columns span; `slack`: orders beyond the even degrees to begin with. */
export async function othersSpan(
  engine: OrderBasisEngine,
  { m: all, degrees, width, blocks }: GeneratorColumns,
  slack: number,
): Promise<boolean> {
  const d = degrees.reduce((sum, degree) => sum + degree, 0);
  const m = all - width;
  // No row of K has a degree above d.
  for (let order = Math.ceil(d / m) + slack; ; order = Math.min(2 * order, d + 1)) {
    const series = new Uint32Array(order * all * width);
    series.set(blocks.subarray(0, series.length));
    const shifted = Int32Array.from(degrees);
    const g = engine.create(all, width, order);
    try {
      engine.write(g, series);
      engine.release(await engine.sigmaBasis(g, shifted, 0));
    } finally {
      engine.release(g);
    }
    const least = shifted.sort().subarray(0, m);
    if (least[m - 1] < order || order > d) return least.reduce((sum, degree) => sum + degree, 0) === d;
  }
}

/** Whether t·F has these columns last, as it comes from F by another way; t : rows of M codes. */
export function agree(
  F: Field<number>,
  { m: all, width, blocks }: GeneratorColumns,
  combined: Uint32Array,
  t: Uint32Array,
): boolean {
  const rows = t.length / all;
  for (let at = 0; at < blocks.length / (all * width); at++) {
    for (let a = 0; a < rows; a++) {
      for (let l = 0; l < width; l++) {
        let sum = F.zero;
        for (let i = 0; i < all; i++) sum = F.add(sum, F.mul(t[a * all + i], blocks[(at * all + i) * width + l]));
        if (sum !== combined[(at * rows + a) * all + all - width + l]) return false;
      }
    }
  }
  return true;
}
