/**
 * What verification.ts asks of a generator F, without the order basis P that has it.
 *
 *   P = P2·P1, R × R      P2 : of the last orders (factored-basis.ts)
 *   f_i : S part of the row of degree δ_i                      top = max δ_i
 *   row i of F_j = coefficient δ_i − j of f_i
 *   (t·F)_j = Σ_i t_i·f_i,(δ_i − j), coefficient top − j of Σ_i t_i·z^(top − δ_i)·f_i
 *
 * Combinations of rows are X·P1, where X has few rows, of P2 or of the identity; some columns are P2·(P1·E) with few
 * columns. Both have nearly none of the transforms of P itself.
 */
import type { Field } from '../../fields/field.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';

/** P, as the product of two or as one. */
export interface Factored {
  readonly p1: PolyMatrix;
  readonly p2: PolyMatrix | null;
}

/** Where in P the generator is. */
export interface Places {
  readonly m: number;
  readonly rows: readonly number[]; // of P: the m that are the generator
  readonly degrees: readonly number[]; // δ of each of them
}

/** (t·F)_j for j = 0, 1, …, each s × m; t : s × m codes. */
export async function combineRelations(
  engine: OrderBasisEngine,
  { p1, p2 }: Factored,
  { m, rows, degrees }: Places,
  t: Uint32Array,
): Promise<Uint32Array> {
  const all = p1.rows;
  const s = t.length / m;
  const top = Math.max(0, ...degrees);
  // The combinations of rows of P2, or of the identity's.
  const choice = new Uint32Array((top - Math.min(top, ...degrees) + 1) * s * all);
  for (let a = 0; a < s; a++) {
    rows.forEach((r, i) => {
      choice[((top - degrees[i]) * s + a) * all + r] = t[a * m + i];
    });
  }
  const y = await product(engine, p2 ? await product(engine, choice, s, p2) : choice, s, p1);
  const out = new Uint32Array((top + 1) * s * m);
  const terms = Math.min(top + 1, y.length / (s * all));
  for (let k = 0; k < terms; k++) {
    for (let a = 0; a < s; a++) {
      const from = (k * s + a) * all;
      out.set(y.subarray(from, from + m), ((top - k) * s + a) * m);
    }
  }
  return out;
}

/** The columns `first` … m − 1 of F_j for j = 0, 1, …, each m × (m − first). */
export async function columnsOfGenerator(
  engine: OrderBasisEngine,
  F: Field<number>,
  { p1, p2 }: Factored,
  { m, rows, degrees }: Places,
  first: number,
): Promise<Uint32Array> {
  const all = p1.rows;
  const width = m - first;
  const chosen = new Uint32Array(all * width);
  for (let j = 0; j < width; j++) chosen[(first + j) * width + j] = F.one;
  const made: PolyMatrix[] = [];
  try {
    const e = engine.create(all, width, 1);
    made.push(e);
    engine.write(e, chosen);
    for (const factor of p2 ? [p1, p2] : [p1]) made.push(engine.mul(factor, made.at(-1)!));
    const y = await engine.read(made.at(-1)!);
    const out = new Uint32Array((Math.max(0, ...degrees) + 1) * m * width);
    rows.forEach((r, i) => {
      const have = Math.min(degrees[i], y.length / (all * width) - 1);
      for (let k = 0; k <= have; k++) {
        const from = (k * all + r) * width;
        out.set(y.subarray(from, from + width), ((degrees[i] - k) * m + i) * width);
      }
    });
    return out;
  } finally {
    for (const each of made) engine.release(each);
  }
}

/** x·p, x with `rows` rows, from and to arrays. */
async function product(engine: OrderBasisEngine, x: Uint32Array, rows: number, p: PolyMatrix): Promise<Uint32Array> {
  const factor = engine.create(rows, p.rows, x.length / (rows * p.rows));
  try {
    engine.write(factor, x);
    const made = engine.mul(factor, p);
    try {
      return await engine.read(made);
    } finally {
      engine.release(made);
    }
  } finally {
    engine.release(factor);
  }
}

/** P(0), the rows asked for and their first m columns, row-major. */
export async function constantRows(
  engine: OrderBasisEngine,
  F: Field<number>,
  { p1, p2 }: Factored,
  { m, rows }: Places,
): Promise<Uint32Array> {
  const active = p1.cols;
  const first = await engine.read(p1, 0, 1);
  const second = p2 ? await engine.read(p2, 0, 1) : null;
  const out = new Uint32Array(rows.length * m);
  rows.forEach((r, i) => {
    const to = out.subarray(i * m, (i + 1) * m);
    if (!second) to.set(first.subarray(r * active, r * active + m));
    else {
      for (let l = 0; l < active; l++) {
        const factor = second[r * active + l];
        for (let j = 0; j < m; j++) to[j] = F.add(to[j], F.mul(factor, first[l * active + j]));
      }
    }
  });
  return out;
}
