/**
 * Combinations of the rows of an order basis P, for verification.ts, without P itself.
 *
 *   P = P2·P1 : m + n rows and those of T, m + n columns      P2 : of the last orders (factored-basis.ts)
 *   f_i       : S part of the row of degree δ_i                top = max δ_i
 *   t·F, s × m : (t·F)_j = Σ_i t_i·f_i,(δ_i − j), coefficient top − j of Σ_i t_i·z^(top − δ_i)·f_i
 *   c,   s × m : c_j = coefficient e − j of the S parts of the right-hand rows' rows
 *
 * Both are X·P1, where X has 2·s rows: combinations of rows of P2, right-hand rows with a 1 for their own row of P1.
 * The product with P1 has 2·s rows in place of all of P's, and nearly none of the transforms back.
 */
import type { Field } from '../../fields/field.js';
import type { OrderBasisEngine, PolyMatrix } from '../sigma-basis/order-basis.js';

/** P, as the product of two or as one. */
export interface Factored {
  readonly p1: PolyMatrix;
  readonly p2: PolyMatrix | null;
}

/** Where in P the relations are. */
export interface Places {
  readonly m: number;
  readonly n: number;
  readonly s: number;
  readonly entry: number; // e
  readonly firstOfT: number; // of the s rows of P of the T that enters there
  readonly all: number; // rows of P
  readonly rows: readonly number[]; // of P: the m that are the generator
  readonly degrees: readonly number[]; // δ of each of them
}

/**
 * c_j + t·F_j for j = 0, 1, …, each s × m; t : s × m codes. Null when the right-hand rows show that T is not in the
 * span of S.
 */
export async function combineRelations(
  engine: OrderBasisEngine,
  F: Field<number>,
  { p1, p2 }: Factored,
  { m, n, s, entry, firstOfT, all, rows, degrees }: Places,
  t: Uint32Array,
): Promise<Uint32Array | null> {
  const active = m + n;
  const top = Math.max(0, ...degrees);
  // The combinations of rows of P2, or of the identity's.
  const choice = new Uint32Array((top - Math.min(top, ...degrees) + 1) * 2 * s * all);
  for (let a = 0; a < s; a++) {
    rows.forEach((r, i) => {
      choice[((top - degrees[i]) * 2 * s + a) * all + r] = t[a * m + i];
    });
    choice[(s + a) * all + firstOfT + a] = F.one;
  }
  const chosen = p2 ? await product(engine, choice, 2 * s, p2) : without(choice, all, active);
  const x = new Uint32Array((chosen.length / active) * all);
  for (let r = 0; r * active < chosen.length; r++) x.set(chosen.subarray(r * active, (r + 1) * active), r * all);
  for (let a = 0; a < s; a++) x[(s + a) * all + firstOfT + a] = F.one;
  const y = await product(engine, x, 2 * s, p1);

  const out = new Uint32Array((Math.max(entry, top) + 1) * s * m);
  const terms = y.length / (2 * s * active);
  for (let k = 0; k < terms; k++) {
    for (let a = 0; a < s; a++) {
      const at = ((2 * k + 1) * s + a) * active; // of the right-hand row
      if (k <= entry) out.set(y.subarray(at, at + m), ((entry - k) * s + a) * m);
      else if (!isZero(y, at, at + m)) return null;
      if (k >= entry && !isZero(y, at + m, at + active)) return null;
    }
  }
  for (let k = 0; k < Math.min(terms, top + 1); k++) {
    for (let a = 0; a < s; a++) {
      const [from, to] = [(2 * k * s + a) * active, ((top - k) * s + a) * m];
      for (let i = 0; i < m; i++) out[to + i] = F.add(out[to + i], y[from + i]);
    }
  }
  return out;
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

/** Rows of `all` words, of each the first `kept`. */
function without(words: Uint32Array, all: number, kept: number): Uint32Array {
  const out = new Uint32Array((words.length / all) * kept);
  for (let r = 0; r * all < words.length; r++) out.set(words.subarray(r * all, r * all + kept), r * kept);
  return out;
}

function isZero(values: Uint32Array, first: number, end: number): boolean {
  for (let at = first; at < end; at++) if (values[at] !== 0) return false;
  return true;
}

/** P(0), the rows asked for and their first m columns, row-major. */
export async function constantRows(
  engine: OrderBasisEngine,
  F: Field<number>,
  { p1, p2 }: Factored,
  { m, n, rows }: Places,
): Promise<Uint32Array> {
  const active = m + n;
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
